import {AdfaError} from '../../base/checks/index.ts'
import {
  checkVocabularyOptions,
  type NumberField,
  type VocabularyOptions,
  vocabularyDefaults
} from '../../read/data/index.ts'
import type {Reading} from './project.ts'

/** How documents are read, as the library takes it: all options of a lexicon, checked. */
export function readOptionsOf(reading: Reading): VocabularyOptions {
  const {text, category = [], number = [], list = [], votes = [], id, tags, keepCase = false} = reading
  const {separator, tagSeparator, vocabulary, maxShare, bigrams, negation, negationScope} = reading
  const given = {separator, tagSeparator, vocabulary, maxShare, bigrams, negation, negationScope}
  const options = {
    ...vocabularyDefaults,
    ...(Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined)
    ) as Partial<VocabularyOptions>),
    fields: text,
    categories: category,
    numbers: number.map(parseNumberField),
    lists: list,
    votes,
    lowerCase: !keepCase,
    idField: (id ?? vocabularyDefaults.idField).trim(),
    tagsField: (tags ?? vocabularyDefaults.tagsField).trim(),
    skipBadAnchors: true
  }
  checkVocabularyOptions('reading', options)
  return options
}

// Stand-in for `parseNumberField` of read/data, with the rules of --number; to be replaced by it.
function parseNumberField(text: string): NumberField {
  const [, field, numbers, plus] = /^([^:]+):([^:]+?)(\+?)$/.exec(text) ?? []
  const bounds = numbers?.split(',').map(Number)
  if (bounds === undefined || bounds.some(Number.isNaN) || /,\s*(?:,|$)/.test(numbers))
    throw new AdfaError(
      'bad-option',
      `reading: a number is a field and its bins: age:10 (a width) or age:18,40,65 (edges); got ${JSON.stringify(text)}`
    )
  const name = field.trim()
  return bounds.length === 1 && plus === '' ? {field: name, width: bounds[0]} : {field: name, edges: bounds}
}
