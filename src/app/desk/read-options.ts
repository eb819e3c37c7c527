import {
  checkVocabularyOptions,
  type VocabularyOptions,
  vocabularyDefaults,
  vocabularyFromNames
} from '../../read/data/index.ts'
import type {Reading} from './project.ts'

/** How documents are read, as the library takes it: all options of a lexicon, checked. */
export function readOptionsOf(reading: Reading): VocabularyOptions {
  const given = Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined)) as Reading &
    object
  const options = {...vocabularyDefaults, ...vocabularyFromNames(given), skipBadAnchors: true}
  checkVocabularyOptions('reading', options)
  return options
}
