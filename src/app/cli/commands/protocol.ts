import {basename} from 'node:path'
import type {Command} from 'commander'
import {counted, printableLine} from '../../../base/text/index.ts'
import {checkTextOptions, fieldsOf, indexAnchors, type Lexicon, textOptionsOf} from '../../../read/data/index.ts'
import {readTextFile, writeAtomically} from '../../../read/files/index.ts'
import {type Protocol, protocolMark, protocolToText, releaseDefaults} from '../../../read/pooling/index.ts'
import {wholeNumber} from '../../project/index.ts'
import {addInputOptions, outputOf, refuseReadingOptions, usageError} from '../common-options.ts'
import {type ReleaseOptionValues, releaseAsked} from '../count/release-options.ts'
import {addCommand, required} from '../declare.ts'
import type {Output} from '../output.ts'
import {resolveAnchors} from '../read-anchors.ts'
import {type InputOptions, noteSkipped, type ReadingTask, withDocuments} from '../read-input.ts'

interface Options extends InputOptions, Pick<ReleaseOptionValues, 'maxOrder' | 'minCell'> {
  readonly output: string
  readonly words?: string
  readonly name?: string
}

export function addProtocolCommand(program: Command): void {
  const command = addCommand(program, {output: required, maxOrder: wholeNumber, minCell: wholeNumber})`
protocol: write the protocol that several sites count by
Write a protocol: a small file that fixes which anchors and words to count, how to read documents, and what a site may share. Every site counts with
adfa count --protocol; adfa merge adds up the results.
  [docs...]            documents to check the anchors on and to choose the words from
  -o, --output <file>  protocol file to write (JSON)
  --name <text>        name of the protocol (default: the file name)
  --words <file>       file with the words to count, one per line, instead of choosing them from documents
  --max-order <k>      sites share tables of at most k anchors and words, from 1 to 3 (default: whole counts)
  --min-cell <c>       with tables: withhold cells below c documents (default: ${releaseDefaults.minCell})

Examples:
  adfa protocol sample.jsonl --anchors anchors.json --max-order 2 --min-cell 10 -o protocol.json
  adfa protocol --anchors anchors.json --words words.txt --text note -o protocol.json   # no site discloses its words
  adfa count notes.jsonl --protocol protocol.json --site North -o north.tables          # then at every site`
  addInputOptions(command).action(async (paths: string[], options: Options, command: Command) => {
    const output = outputOf(options, command)
    const release = releaseAsked(options)
    if (options.labels !== undefined)
      throw usageError('--labels is for counting; to have sites count labels, give the protocol --label-share 1')
    const protocol: Protocol = {
      name: options.name ?? (options.output === '-' ? 'protocol' : basename(options.output).replace(/\.json$/, '')),
      lexicon: await agreedLexicon({paths, options, command, output}),
      labelShare: options.labelShare ?? 0,
      seed: options.seed,
      release
    }
    await writeAtomically(options.output, protocolToText(protocol))
    report(protocol, options, output)
  })
}

/** The anchors and words to agree on, without anything else learned from the documents of one site. */
async function agreedLexicon(task: ReadingTask & {readonly options: Options}): Promise<Lexicon> {
  const {options, output} = task
  const {anchors, words, phrases, reading, filter} = await lexiconOf(task)
  const bare = {anchors, phrases, reading, filter, skipped: []}
  if (options.words === undefined) return {...bare, words}
  const named = wordList(await readTextFile(options.words))
  const index = indexAnchors(anchors, phrases, reading)
  const isAnchor = (word: string) => {
    const field = reading.text.findIndex(name => word.startsWith(`${name}:`))
    const isNamed = (index.featureRole(word)?.members ?? []).length > 0
    return isNamed || (field >= 0 && index.isAnchor(field, word.slice(reading.text[field].length + 1)))
  }
  const left = named.filter(isAnchor)
  if (left.length > 0) output.note(`${options.words}: left out because they are anchors: ${left.join(', ')}`)
  const fields = fieldsOf(reading).fieldNames
  if (fields.length > 0 && !named.some(word => fields.some(name => word.startsWith(`${name}:`))))
    output.note(
      `${options.words}: no word names a field, so all are looked up in "features"; a word of the field ${reading.text[0]} is written ${reading.text[0]}:fever`
    )
  return {...bare, words: named.filter(word => !isAnchor(word)).toSorted()}
}

/** The lexicon of the documents, or of --like; one without words for a list of words. */
async function lexiconOf(task: ReadingTask & {readonly options: Options}): Promise<Lexicon> {
  const {paths, options, command, output} = task
  if (paths.length > 0) {
    if (options.like !== undefined) throw usageError('--like has anchors and words already; leave the documents out')
    const {lexicon} = await withDocuments(task, async ({counts}) => counts)
    noteSkipped(lexicon, output)
    return lexicon
  }
  const {source} = await resolveAnchors(options)
  if (source.kind === 'lexicon') {
    refuseReadingOptions(command, ['skipBadAnchors'], '--like settles how documents are read')
    return source.lexicon
  }
  if (source.kind !== 'given' || options.words === undefined)
    throw usageError('there is nothing to learn words from; give documents, --words FILE or --like FILE')
  const reading = textOptionsOf(options)
  checkTextOptions(reading)
  return {anchors: source.anchors, words: [], phrases: [], reading, filter: undefined, skipped: []}
}

/** The words of a list, one per line, each once; they are named as in models (`text:fever`, `sex:f`). */
function wordList(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  return [...new Set(lines.map(line => line.trim()).filter(line => line !== ''))]
}

function report(protocol: Protocol, {output: file, words}: Options, output: Output): void {
  const {lexicon, release} = protocol
  const {name, fingerprint} = protocolMark(protocol)
  const [concepts, wordCount] = [lexicon.anchors.length, lexicon.words.length]
  output.json({file, name, fingerprint, concepts, words: wordCount, ...release})
  if (words === undefined)
    output.note(`its ${counted(wordCount, 'word')} come from documents and go to every site; check them first`)
  const small = release && release.minCell > 1 ? `cells below ${release.minCell} withheld` : 'no cell withheld'
  const tables = release && `tables of at most ${release.maxOrder} anchors and words, ${small}`
  output.print(
    [
      `protocol "${printableLine(name)}", fingerprint ${fingerprint}`,
      `${counted(concepts, 'concept')}, ${counted(wordCount, 'word')}; ${tables ?? 'whole counts'}`,
      `wrote ${file}; every site counts with: adfa count DOCS --protocol ${file} ${release ? '--site NAME -o NAME.tables' : '-o NAME.counts'}`
    ].join('\n')
  )
}
