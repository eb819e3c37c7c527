import type {Command} from 'commander'
import {type JsonSpan, jsonEntries, jsonValues} from '../../../base/checks/index.ts'
import {counted, printableLine} from '../../../base/text/index.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {parseAnchors} from '../../../read/data/index.ts'
import {checkWritable, readTextFile, writeAtomically} from '../../../read/files/index.ts'
import {
  type ConceptForms,
  type ConceptSuggestions,
  findForms,
  knownRates,
  type Suggestion,
  suggestAnchors,
  suggestDefaults
} from '../../../use/advice/index.ts'
import {heldSpans, heldText, positiveNumber} from '../../project/index.ts'
import {openAsker} from '../ask.ts'
import {addInputOptions, eachText, outputOf, usageError} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {shown} from '../output.ts'
import {type InputOptions, noteSkipped, readInput} from '../read-input.ts'

/** Words and other forms for the anchor of a concept. */
type Found = ConceptSuggestions & ConceptForms

interface SuggestCommandOptions extends InputOptions {
  readonly for?: readonly string[]
  readonly top: number
  readonly names: boolean
  readonly apply?: boolean
  readonly yes?: boolean
}

export function addSuggestCommand(program: Command): void {
  const command = addCommand(program, {for: eachText, top: {read: positiveNumber, preset: suggestDefaults.perConcept}})`
suggest: suggest words to add to each anchor
Suggest words for the anchor of each concept: other forms of its words (falls, falling for fall), then words that are frequent in documents with the
concept and rare in others, best first.
  <input...>     document files, or one counts file
  --for <names>  only for these concepts, separated by commas; may be repeated
  --top <n>      number of words per concept
  --no-names     ignore how similar a word is to the name of the concept
  --apply        add the other forms to the anchors file, after asking; the other words are only shown
  --yes          with --apply: add all forms without asking

Candidates are the counted words, except those in an anchor or in its "not"; a higher --vocabulary gives more. With given rates
or labelled documents (--labels, --label-share), adfa estimates how many documents with a word have the concept; without
them, it compares the words with each other.

Examples:
  adfa suggest notes.jsonl --anchors anchors.json
  adfa suggest notes.jsonl --anchors anchors.json --apply       # asks which forms to add
  adfa suggest notes.counts --for pneumonia,asthma --top 5
  adfa suggest notes.jsonl --anchors anchors.json --labels labels.jsonl --json`
  addInputOptions(command).action(async (paths: string[], options: SuggestCommandOptions, command: Command) => {
    const output = outputOf(options, command)
    await checkApply(options)
    const reading = {...options, skipBadAnchors: true as const, draws: true}
    const {counts, documents} = await readInput({paths, options: reading, command, output})
    noteSkipped(counts.lexicon, output)
    output.progress('looking for words')
    const forms = options.names ? findForms(counts, documents?.sample) : []
    const found = suggestAnchors(counts, {
      rates: knownRates(counts),
      perConcept: options.top,
      concepts: askedFor(options.for ?? [], counts),
      useNames: options.names
    }).map(suggestions => ({
      ...suggestions,
      forms: forms.find(({concept}) => concept === suggestions.concept)?.forms ?? []
    }))
    output.done()
    const applied = options.apply ? {applied: await applyForms(found, options)} : {}
    output.json({
      documents: counts.documentCount,
      words: counts.lexicon.words.length,
      concepts: found.map(withoutBounds),
      ...applied
    })
    output.print(
      applied.applied === undefined
        ? describeSuggestions(found, counts)
        : describeApplied(applied.applied, String(options.anchors), {found, counts})
    )
  })
}

/** Without rates, precision and coverage are upper bounds: nobody measured them. */
function withoutBounds({words, ...found}: Found) {
  return {...found, words: found.hasRates ? words : words.map(({precision: _, coverage: __, ...word}) => word)}
}

/** The concepts named; a name may contain a comma. */
function askedFor(texts: readonly string[], {lexicon}: Counts): string[] {
  const isConcept = (name: string) => lexicon.anchors.some(({concept}) => concept === name)
  return texts.flatMap(text => (isConcept(text) ? [text] : text.split(',').map(name => name.trim())))
}

function describeSuggestions(found: readonly Found[], counts: Counts): string {
  const some = found.filter(({words, forms}) => words.length + forms.length > 0)
  const none = found.filter(({words, forms}) => words.length + forms.length === 0)
  const parts = some.map(describeConcept)
  if (none.length > 0)
    parts.push(
      `No word is good enough for ${none.map(({concept}) => concept).join(', ')}; ` +
        `${counted(counts.lexicon.words.length, 'word')} were considered; a higher --vocabulary gives more.`
    )
  if (some.some(({words}) => words.length > 0)) parts.push(TO_TAKE)
  if (some.some(({forms}) => forms.length > 0)) parts.push('To add the other forms to the anchors file, use --apply.')
  return parts.join('\n\n')
}

const TO_TAKE = `To use a word, add it to the anchor of its concept in anchors.json and learn again (adfa run, or adfa fit). Rates in the file no longer
hold then: estimate them again. To exclude a word, add it to "not": it then vetoes the anchor and is not suggested again.`

/** Other forms, then words; a word that is a form is not shown again. */
function describeConcept({concept, anchor, words, forms}: Found): string {
  const isForm = ({word}: Suggestion) => forms.some(({feature}) => word === feature || word.endsWith(`:${feature}`))
  const others = words.filter(word => !isForm(word))
  const width = Math.max(
    ...[...forms.map(({feature}) => feature), ...others.map(({word}) => word)].map(name => printableLine(name).length)
  )
  return [
    `${concept}  (anchor: ${anchor.map(printableLine).join(', ')})`,
    ...forms.map(({feature, reason}) => `  ${printableLine(feature).padEnd(width)}  ${printableLine(reason)}`),
    ...others.flatMap(({word, reason, warnings}) => [
      `  ${printableLine(word).padEnd(width)}  ${printableLine(reason)}`,
      ...warnings.map(warning => `  ${' '.repeat(width)}    but ${printableLine(warning)}`)
    ])
  ].join('\n')
}

function describeApplied(
  applied: readonly Addition[],
  path: string,
  {found, counts: {lexicon}}: {readonly found: readonly Found[]; readonly counts: Counts}
): string {
  if (found.every(({forms}) => forms.length === 0))
    return (
      `No other form of a word in an anchor was found; ${path} is unchanged. ` +
      'Other words, which adfa suggest lists without --apply, are added to the file by hand.'
    )
  if (applied.length === 0) return `No form was added; ${path} is unchanged.`
  const lines = applied.map(({concept, added}) => `  ${concept}: ${added.map(printableLine).join(', ')}`)
  const rated = lexicon.anchors.filter(
    ({concept, rates}) => rates !== undefined && applied.some(addition => addition.concept === concept)
  )
  const again =
    rated.length === 0
      ? ''
      : `\nThe rates of ${rated.map(({concept}) => concept).join(', ')} in the file no longer hold: estimate them again.`
  return `Added to ${path}:\n${lines.join('\n')}${again}`
}

export interface ApplyOptions {
  readonly apply?: boolean
  readonly yes?: boolean
  readonly anchors?: string
}

/** Features to add to the anchor of a concept. */
export interface Addition {
  readonly concept: string
  readonly added: readonly string[]
}

/** Refuses, before anything is read, what could not be asked or written. */
export async function checkApply({apply, yes, anchors}: ApplyOptions): Promise<void> {
  if (!apply) {
    if (yes) throw usageError('--yes answers the questions of --apply; add --apply')
    return
  }
  if (anchors === undefined || anchors === '-')
    throw usageError('--apply adds forms to an anchors file; name it with --anchors FILE')
  if (!yes && !(process.stdin.isTTY && process.stderr.isTTY))
    throw usageError('--apply asks which forms to add, and this is not a terminal; --yes adds all of them')
  await checkWritable(anchors)
}

/** Asks in the terminal, unless --yes takes all, and writes the file; returns what was added. */
export async function applyForms(
  found: readonly ConceptForms[],
  {yes, anchors = ''}: ApplyOptions
): Promise<Addition[]> {
  const offered = found.filter(({forms}) => forms.length > 0)
  const taken = yes ? offered.map(({concept, forms}) => taking(concept, forms)) : await askAll(offered)
  const additions = taken.filter(({added}) => added.length > 0)
  if (additions.length === 0) return []
  const before = await readTextFile(anchors)
  const after = addMembers(before, additions)
  // A file changed meanwhile, or written in a way not foreseen here, is left as it is.
  parseAnchors(heldText(after, 'anchors'), anchors)
  await writeAtomically(anchors, after)
  return additions
}

function taking(concept: string, forms: ConceptForms['forms']): Addition {
  return {concept, added: forms.map(({feature}) => feature)}
}

async function askAll(offered: readonly ConceptForms[]): Promise<Addition[]> {
  const asker = openAsker({})
  try {
    const taken: Addition[] = []
    for (const {concept, forms} of offered) {
      const width = Math.max(...forms.map(({feature}) => feature.length))
      const lines = forms.map(({feature, reason}, at) => `  ${at + 1}  ${feature.padEnd(width)}  ${reason}`)
      process.stderr.write(`${shown([`\n${concept}`, ...lines].join('\n'))}\n`)
      let kept: ConceptForms['forms'] | undefined
      while (kept === undefined)
        kept = chosen(
          (await asker?.ask('Enter adds them; numbers leave those out (2 3), n leaves out all:')) ?? '',
          forms
        )
      taken.push(taking(concept, kept))
    }
    return taken
  } finally {
    asker?.close()
  }
}

/** What an answer leaves of a list; undefined for an answer that is not understood. */
export function chosen<T>(answer: string, list: readonly T[]): readonly T[] | undefined {
  const words = answer
    .trim()
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (words.length === 0 || words.join() === 'y' || words.join() === 'yes') return list
  if (words.join() === 'n' || words.join() === 'no') return []
  const numbers = words.map(word => (/^\d+$/.test(word) ? Number(word) : 0))
  if (numbers.some(number => number < 1 || number > list.length)) return undefined
  return list.filter((_, at) => !numbers.includes(at + 1))
}

/** The text of an anchors file, or of a project that holds its anchors, with features added; everything else in it stays as it is written. */
export function addMembers(text: string, additions: readonly Addition[]): string {
  const entries = jsonEntries(text, heldSpans(text).anchors?.start ?? text.indexOf('{'))
  const edits = additions.flatMap(({concept, added}) => {
    const entry = entries.findLast(({key}) => key === concept)
    if (entry === undefined || added.length === 0) return []
    const isObject = text[entry.start] === '{'
    const value = isObject ? jsonEntries(text, entry.start).findLast(({key}) => key === 'any') : entry
    return value === undefined ? [] : [insertion(text, value, added)]
  })
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((done, {start, end, by}) => done.slice(0, start) + by + done.slice(end), text)
}

/** One feature becomes an array, which goes on as it is laid out. */
function insertion(text: string, {start, end}: JsonSpan, added: readonly string[]): JsonSpan & {readonly by: string} {
  const names = added.map(name => JSON.stringify(name))
  if (text[start] !== '[') return {start, end, by: `[${[text.slice(start, end), ...names].join(', ')}]`}
  const last = jsonValues(text, start).at(-1)
  if (last === undefined) return {start, end, by: `[${names.join(', ')}]`}
  const [indent] = /\n[ \t]*$/.exec(text.slice(start, last.start)) ?? [' ']
  return {start: last.end, end: last.end, by: names.map(name => `,${indent}${name}`).join('')}
}
