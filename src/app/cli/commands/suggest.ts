import type {Command} from 'commander'
import {counted} from '../../../base/text/index.ts'
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
import {namesOf, positiveNumber} from '../../project/index.ts'
import {eachText, inputOptions, outputOf} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {type InputOptions, noteSkipped, readInput} from '../read-input.ts'

interface SuggestCommandOptions extends InputOptions {
  readonly for?: readonly string[]
  readonly top: number
  readonly names: boolean
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

Candidates are the counted words, except those in an anchor or in its "not"; a higher --vocabulary gives more. With given rates
or labelled documents (--labels, --label-share), adfa estimates how many documents with a word have the concept; without
them, it compares the words with each other.

Examples:
  adfa suggest notes.jsonl --anchors anchors.json
  adfa suggest notes.counts --for pneumonia,asthma --top 5
  adfa suggest notes.jsonl --anchors anchors.json --labels labels.jsonl --json`.action(runSuggest)
}

async function runSuggest(paths: string[], options: SuggestCommandOptions, command: Command): Promise<void> {
  const output = outputOf(options, command)
  const reading = {...options, skipBadAnchors: true as const, draws: true}
  const {counts, documents} = await readInput({paths, options: reading, command, output})
  const {lexicon} = counts
  noteSkipped(lexicon, output)
  output.progress('looking for words')
  const isConcept = (name: string) => lexicon.anchors.some(({concept}) => concept === name)
  // A name may contain a comma.
  const concepts = options.for?.flatMap(text => (isConcept(text) ? [text] : namesOf(text))) ?? []
  const found = suggestMembers(counts, documents?.sample, {perConcept: options.top, concepts, useNames: options.names})
  output.done()
  output.json({documents: counts.documentCount, words: lexicon.words.length, concepts: found.map(foundJson)})
  // A word that is a form is not shown again.
  const some = found
    .filter(({words, forms}) => words.length + forms.length > 0)
    .map(each => ({...each, words: each.words.filter(word => !isForm(each, word))}))
  const none = found.filter(({words, forms}) => words.length + forms.length === 0).map(({concept}) => concept)
  const considered = counted(lexicon.words.length, 'word')
  const notes = [
    none.length > 0 &&
      `No word is good enough for ${none.join(', ')}; ${considered} were considered; a higher --vocabulary gives more.`,
    some.length > 0 && TO_TAKE
  ].filter(note => note !== false)
  output.print(blocksText([...suggestionBlocks(some), ...notes.map(note => paragraph(note))]))
}

const TO_TAKE = `To use a word, add it to the anchor of its concept in anchors.json and learn again (adfa run, or adfa fit). Rates in the file no longer
hold then: estimate them again. To exclude a word, add it to "not": it then vetoes the anchor and is not suggested again.`

/** Without rates, precision and coverage are upper bounds: nobody measured them. */
function foundJson({rates, words, forms, ...found}: ConceptSuggestions & ConceptForms): object {
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
