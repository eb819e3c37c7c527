import type {Command} from 'commander'
import {counted, printableLine} from '../../base/text/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import {
  type ConceptForms,
  type ConceptSuggestions,
  findForms,
  knownRates,
  type Suggestion,
  suggestAnchors,
  suggestDefaults
} from '../../use/advice/index.ts'
import {type Addition, applyForms, checkApply} from './apply-forms.ts'
import {addInputOptions, eachText, outputOf, positiveNumber} from './common-options.ts'
import {noteSkipped} from './count/count.ts'
import {addCommand} from './declare.ts'
import {type InputOptions, readInput} from './read-input.ts'

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
  // An anchors file cannot name a concept that begins with "$".
  const usable = some.filter(({concept, words}) => !concept.startsWith('$') && words.length > 0)
  if (usable.length > 0) parts.push(howToTake(usable, counts))
  if (some.some(({forms}) => forms.length > 0)) parts.push('To add the other forms to the anchors file, use --apply.')
  return parts.join('\n\n')
}

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

/** The entry of the anchors file with the best word of all. */
function howToTake(found: readonly ConceptSuggestions[], {lexicon}: Counts): string {
  const best = found.reduce((a, b) => (first(b).score > first(a).score ? b : a))
  const anchors = lexicon.anchors.filter(({concept}) => concept === best.concept)
  const [{rates}] = anchors
  const taken = anchors.map(anchor => ({...anchor, any: [...anchor.any, first(best).word]}))
  const entry = JSON.stringify(anchorsToJson(taken)).slice(1, -1)
  const again = rates === undefined ? '' : ' This changes its rates: estimate them again.'
  return (
    `To use a word, add it to the anchor of its concept in anchors.json, such as\n  ${entry}\n` +
    `and learn again (adfa run, or adfa fit).${again} To exclude a word, add it to "not": it then vetoes the anchor and is not suggested again.`
  )
}

function first({words: [word]}: ConceptSuggestions): Suggestion {
  return word
}
