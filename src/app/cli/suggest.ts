import type {Command} from 'commander'
import {counted, printableLine} from '../../base/text/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import {
  type ConceptSuggestions,
  knownRates,
  type Suggestion,
  suggestAnchors,
  suggestDefaults
} from '../../use/advice/index.ts'
import {addInputOptions, outputOf, positiveNumber} from './common-options.ts'
import {noteSkipped} from './count/count.ts'
import {type InputOptions, readInput} from './read-input.ts'

interface SuggestCommandOptions extends InputOptions {
  readonly for?: readonly string[]
  readonly top: number
  readonly names: boolean
}

export function addSuggestCommand(program: Command): void {
  const command = program
    .command('suggest')
    .summary('suggest words to add to each anchor')
    .description(
      'Suggest words for the anchor of each concept, best first: frequent in documents with the concept, rare in others. Changes nothing.'
    )
    .argument('<input...>', 'document files, or one counts file')
    .option('--for <names>', 'only for these concepts, separated by commas; may be repeated', collect)
    .option('--top <n>', 'number of words per concept', positiveNumber, suggestDefaults.perConcept)
    .option('--no-names', 'ignore how similar a word is to the name of the concept')
  addInputOptions(command)
    .addHelpText(
      'after',
      `
Candidates are the counted words, except those in an anchor or in its "not"; a higher --vocabulary gives more. With given rates
or labelled documents (--labels, --label-share), adfa estimates how many documents with a word have the concept; without
them, it compares the words with each other.

Examples:
  adfa suggest notes.jsonl --anchors anchors.json
  adfa suggest notes.counts --for pneumonia,asthma --top 5
  adfa suggest notes.jsonl --anchors anchors.json --labels labels.jsonl --json`
    )
    .action(async (paths: string[], options: SuggestCommandOptions, command: Command) => {
      const output = outputOf(options, command)
      const reading = {...options, skipBadAnchors: true as const}
      const {counts} = await readInput({paths, options: reading, command, output})
      noteSkipped(counts.lexicon, output)
      output.progress('looking for words')
      const found = suggestAnchors(counts, {
        rates: knownRates(counts),
        perConcept: options.top,
        concepts: askedFor(options.for ?? [], counts),
        useNames: options.names
      })
      output.json({documents: counts.documentCount, words: counts.lexicon.words.length, concepts: found})
      output.print(describeSuggestions(found, counts))
    })
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** The concepts named; a name may contain a comma. */
function askedFor(texts: readonly string[], {lexicon}: Counts): string[] {
  const isConcept = (name: string) => lexicon.anchors.some(({concept}) => concept === name)
  return texts.flatMap(text => (isConcept(text) ? [text] : text.split(',').map(name => name.trim())))
}

function describeSuggestions(found: readonly ConceptSuggestions[], counts: Counts): string {
  const some = found.filter(({words}) => words.length > 0)
  const none = found.filter(({words}) => words.length === 0)
  const parts = some.map(describeConcept)
  if (none.length > 0)
    parts.push(
      `No word is good enough for ${none.map(({concept}) => concept).join(', ')}; ` +
        `${counted(counts.lexicon.words.length, 'word')} were considered; a higher --vocabulary gives more.`
    )
  // An anchors file cannot name a concept that begins with "$".
  const usable = some.filter(({concept}) => !concept.startsWith('$'))
  if (usable.length > 0) parts.push(howToTake(usable, counts))
  return parts.join('\n\n')
}

function describeConcept({concept, anchor, words}: ConceptSuggestions): string {
  const width = Math.max(...words.map(({word}) => printableLine(word).length))
  const lines = words.flatMap(({word, reason, warnings}) => [
    `  ${printableLine(word).padEnd(width)}  ${printableLine(reason)}`,
    ...warnings.map(warning => `  ${' '.repeat(width)}    but ${printableLine(warning)}`)
  ])
  return [`${concept}  (anchor: ${anchor.map(printableLine).join(', ')})`, ...lines].join('\n')
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
    `and count again.${again} To exclude a word, add it to "not": it then vetoes the anchor and is not suggested again.`
  )
}

function first({words: [word]}: ConceptSuggestions): Suggestion {
  return word
}
