import {
  checkVocabularyOptions,
  textOptionsOf,
  type VocabularyOptions,
  vocabularyDefaults
} from '../../read/data/index.ts'
import type {Reading} from './project.ts'

/** How documents are read, as the library takes it: all options of a lexicon, checked. */
export function readOptionsOf(reading: Reading): VocabularyOptions {
  const options = {...vocabularyDefaults, ...textOptionsOf(reading), skipBadAnchors: true}
  checkVocabularyOptions('reading', options)
  return options
}
