import {multiselect} from '@clack/prompts'
import type {Command} from 'commander'
import {type JsonSpan, jsonEntries, jsonValues} from '../../../base/checks/index.ts'
import {counted, printableLine} from '../../../base/text/index.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {parseAnchors} from '../../../read/data/index.ts'
import {checkWritable, readTextFile, writeAtomically} from '../../../read/files/index.ts'
import {
  type ConceptForms,
  type ConceptSuggestions,
  isForm,
  suggestDefaults,
  suggestMembers
} from '../../../use/advice/index.ts'
import {
  blocksText,
  formReason,
  occurrenceText,
  paragraph,
  suggestionBlocks,
  suggestionText,
  suggestionWarnings
} from '../../present/index.ts'
import {heldSpans, heldText, positiveNumber} from '../../project/index.ts'
import {answered, canAsk} from '../ask.ts'
import {eachText, inputOptions, outputOf, usageError} from '../common-options.ts'
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
  addCommand(program, {for: eachText, top: {read: positiveNumber, preset: suggestDefaults.perConcept}}, inputOptions)`
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
  adfa suggest notes.jsonl --anchors anchors.json --labels labels.jsonl --json`.action(runSuggest)
}

async function runSuggest(paths: string[], options: SuggestCommandOptions, command: Command): Promise<void> {
  const output = outputOf(options, command)
  await checkApply(options)
  const reading = {...options, skipBadAnchors: true as const, draws: true}
  const {counts, documents} = await readInput({paths, options: reading, command, output})
  noteSkipped(counts.lexicon, output)
  output.progress('looking for words')
  const found = suggestMembers(counts, documents?.sample, {
    perConcept: options.top,
    concepts: askedFor(options.for ?? [], counts),
    useNames: options.names
  })
  output.done()
  const applied = options.apply ? await applyForms(found, options) : undefined
  output.json({
    documents: counts.documentCount,
    words: counts.lexicon.words.length,
    concepts: found.map(foundJson),
    ...(applied && {applied})
  })
  output.print(applied ? appliedText(applied, found, counts, options.anchors) : suggestionsText(found, counts))
}

/** Without rates, precision and coverage are upper bounds: nobody measured them. */
function foundJson({rates, words, forms, ...found}: Found): object {
  return {
    ...found,
    hasRates: rates !== undefined,
    forms: forms.map(form => {
      return {...form, where: occurrenceText(form.documents, form.isSampled), reason: formReason(form)}
    }),
    words: words.map(word => {
      const {precision, coverage, ...known} = word
      const bounds = rates && {precision, coverage}
      return {...known, ...bounds, reason: suggestionText(word, rates), warnings: suggestionWarnings(word, rates)}
    })
  }
}

/** The concepts named; a name may contain a comma. */
function askedFor(texts: readonly string[], {lexicon}: Counts): string[] {
  const isConcept = (name: string) => lexicon.anchors.some(({concept}) => concept === name)
  return texts.flatMap(text => (isConcept(text) ? [text] : text.split(',').map(name => name.trim())))
}

/** Other forms, then words; a word that is a form is not shown again. */
function suggestionsText(found: readonly Found[], {lexicon}: Counts): string {
  const some = found
    .filter(({words, forms}) => words.length + forms.length > 0)
    .map(each => ({...each, words: each.words.filter(word => !isForm(each, word))}))
  const none = found.filter(({words, forms}) => words.length + forms.length === 0)
  const notes = [
    none.length > 0 &&
      `No word is good enough for ${none.map(({concept}) => concept).join(', ')}; ` +
        `${counted(lexicon.words.length, 'word')} were considered; a higher --vocabulary gives more.`,
    some.some(({words}) => words.length > 0) && TO_TAKE,
    some.some(({forms}) => forms.length > 0) && 'To add the other forms to the anchors file, use --apply.'
  ].filter(note => note !== false)
  return blocksText([...suggestionBlocks(some), ...notes.map(note => paragraph(note))])
}

const TO_TAKE = `To use a word, add it to the anchor of its concept in anchors.json and learn again (adfa run, or adfa fit). Rates in the file no longer
hold then: estimate them again. To exclude a word, add it to "not": it then vetoes the anchor and is not suggested again.`

function appliedText(
  applied: readonly Addition[],
  found: readonly Found[],
  {lexicon}: Counts,
  path: string | undefined
): string {
  if (found.every(({forms}) => forms.length === 0))
    return (
      `No other form of a word in an anchor was found; ${path} is unchanged. ` +
      'Other words, which adfa suggest lists without --apply, are added to the file by hand.'
    )
  if (applied.length === 0) return `No form was added; ${path} is unchanged.`
  const lines = applied.map(({concept, added}) => `\n  ${concept}: ${added.map(printableLine).join(', ')}`)
  const rated = lexicon.anchors.flatMap(({concept, rates}) =>
    rates !== undefined && applied.some(addition => addition.concept === concept) ? [concept] : []
  )
  const again =
    rated.length === 0 ? '' : `\nThe rates of ${rated.join(', ')} in the file no longer hold: estimate them again.`
  return `Added to ${path}:${lines.join('')}${again}`
}

/** Features to add to the anchor of a concept. */
interface Addition {
  readonly concept: string
  readonly added: readonly string[]
}

/** Refuses, before anything is read, what could not be asked or written. */
async function checkApply({apply, yes, anchors}: SuggestCommandOptions): Promise<void> {
  if (!apply && yes) throw usageError('--yes answers the questions of --apply; add --apply')
  if (!apply) return
  if (anchors === undefined || anchors === '-')
    throw usageError('--apply adds forms to an anchors file; name it with --anchors FILE')
  if (!yes && !canAsk({}))
    throw usageError('--apply asks which forms to add, and this is not a terminal; --yes adds all of them')
  await checkWritable(anchors)
}

/** Adds forms to the file: all, or those that are left when somebody is asked. Returns them. */
async function applyForms(
  found: readonly ConceptForms[],
  {yes, anchors = ''}: SuggestCommandOptions
): Promise<readonly Addition[]> {
  const additions: Addition[] = []
  for (const {concept, forms} of found) {
    const all = forms.map(({feature}) => feature)
    const added = yes || all.length === 0 ? all : await askForms(concept, forms)
    if (added.length > 0) additions.push({concept, added})
  }
  if (additions.length === 0) return []
  const after = addMembers(await readTextFile(anchors), additions)
  // A file changed meanwhile, or written in a way not foreseen here, is left as it is.
  parseAnchors(heldText(after, 'anchors'), anchors)
  await writeAtomically(anchors, after)
  return additions
}

async function askForms(concept: string, forms: ConceptForms['forms']): Promise<readonly string[]> {
  const options = forms.map(form => ({value: form.feature, label: shown(form.feature), hint: formReason(form)}))
  const added = await multiselect({
    message: `Forms to add to ${shown(concept)}`,
    options,
    initialValues: options.map(({value}) => value),
    required: false,
    output: process.stderr
  })
  return answered(added)
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
