import {grouped} from '../../base/text/index.ts'
import {type Lexicon, NEGATED_PREFIX} from '../../read/data/index.ts'
import {countingDefaults} from '../../read/engines/index.ts'
import type {WorkOptions} from './common-options.ts'
import type {Output} from './output.ts'

/** Notes when a field had more distinct words than were tracked, and when no word of the vocabulary is negated. */
export function noteVocabulary(lexicon: Lexicon, {distinctWords}: WorkOptions, output: Output): void {
  const {vocabularyError, reading, words} = lexicon
  const isNegated = (word: string) => reading.text.some(field => word.startsWith(`${field}:${NEGATED_PREFIX}`))
  if (reading.negation && words.length > 0 && !words.some(isNegated))
    output.note('no word of the vocabulary is negated; negation is read in English, German, French and Spanish')
  if (vocabularyError === undefined) return
  const held = grouped(distinctWords ?? countingDefaults.distinctWords)
  output.note(
    `the vocabulary is approximate: a field has more than ${held} different words, so words were chosen by counts that may be ` +
      `too small by up to ${grouped(vocabularyError)} documents; the counts written are exact; raise --distinct-words for an exact choice`
  )
}
