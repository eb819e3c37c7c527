import {grouped} from '../../base/text/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import {countingDefaults} from '../../read/engines/index.ts'
import type {WorkOptions} from './common-options.ts'
import type {Output} from './output.ts'

/** Notes when a field had more distinct words than were tracked. */
export function noteVocabulary({vocabularyError}: Lexicon, {distinctWords}: WorkOptions, output: Output): void {
  if (vocabularyError === undefined) return
  const held = grouped(distinctWords ?? countingDefaults.distinctWords)
  output.note(
    `the vocabulary is approximate: a field has more than ${held} different words, so words were chosen by counts that may be ` +
      `too small by up to ${grouped(vocabularyError)} documents; the counts written are exact; raise --distinct-words for an exact choice`
  )
}
