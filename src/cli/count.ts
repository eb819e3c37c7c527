import type {Command} from 'commander'
import {type Counts, countsToBytes, type Lexicon} from '../index.ts'
import {withAtomicWriter} from '../node.ts'
import {addCommonOptions, addReadingOptions, outputOf} from './common-options.ts'
import type {Output} from './output.ts'
import {type InputOptions, withDocuments} from './read-input.ts'
import {counted} from './text.ts'

export function addCountCommand(program: Command): void {
  const command = program
    .command('count')
    .summary('count documents once; every later step takes the counts')
    .description('Group documents by which anchors fired and count words in each group: all that learning needs.')
    .argument('<docs...>', 'document files (JSON Lines, CSV, TSV, svmlight, Matrix Market; .gz and .zst too), or -')
    .requiredOption('-o, --output <file>', 'the counts file to write')
  addCommonOptions(addReadingOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  adfa count notes.jsonl.gz --anchors anchors.json -o notes.counts
  adfa count questions.jsonl --anchors-from-tags title --latents 50 --min-tags 2 --label-share 1 -o q.counts
  adfa count visits.csv --anchors anchors.json --text note --category sex --number age:18,40,65 --bigrams 300 -o v.counts
  adfa count more.jsonl --like notes.counts -o more.counts   # same words and anchors, so that the two can be merged`
    )
    .action(async (paths: string[], options: InputOptions & {readonly output: string}, command: Command) => {
      const output = outputOf(options)
      const counts = await withAtomicWriter(options.output, async writer => {
        const made = await withDocuments(paths, options, command, output, async ({counts}) => counts)
        await writer.write(countsToBytes(made))
        return made
      })
      output.json(countSummary(counts, options.output))
      noteSkipped(counts.lexicon, output)
      output.print(`${describeCounts(counts)}\nwrote ${options.output}`)
    })
}

/** Say which anchors and concepts were left out. */
export function noteSkipped({anchors, skipped}: Lexicon, output: Output): void {
  for (const {concept, reason} of skipped) {
    const isKept = anchors.some(anchor => anchor.concept === concept)
    output.note(`${isKept ? 'kept with fewer anchors' : 'left out'}: concept "${concept}": ${reason}`)
  }
}

function countSummary(counts: Counts, file: string): object {
  const {documentCount: documents, patternCount: patterns, lexicon} = counts
  const {anchors, words, skipped} = lexicon
  return {file, documents, latents: anchors.length, words: words.length, patterns, skippedAnchors: skipped}
}

export function describeCounts({documentCount, patternCount, lexicon}: Counts): string {
  return [
    counted(documentCount, 'document'),
    counted(lexicon.anchors.length, 'concept'),
    counted(lexicon.words.length, 'word'),
    counted(patternCount, 'anchor pattern')
  ].join(', ')
}
