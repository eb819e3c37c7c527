import {badOption} from '../../base/checks/index.ts'
import {type VocabularyOptions, vocabularyDefaults} from './learn-lexicon.ts'
import {textDefaults} from './lexicon.ts'
import type {NumberField, RowFields} from './row-fields.ts'

/** Which columns hold the id and the tags of a file, and what separates tags. */
export interface KeyColumns {
  readonly id?: string
  readonly tags?: string
  readonly tagSeparator?: string
}

/** Which fields are read, and as what, under the names of the command line and of `read` in adfa.json. */
export interface NamedFields extends KeyColumns {
  readonly text: readonly string[]
  readonly category?: readonly string[]
  /** Parsed, or as {@link parseNumberField} reads them. */
  readonly number?: readonly (NumberField | string)[]
  /** Names; `meds:;` also gives the separator of the items in a cell of a table. */
  readonly list?: readonly string[]
  readonly votes?: readonly string[]
  readonly separator?: string
  readonly keepCase?: boolean
}

/** Fields, and how words are chosen from them. */
export interface NamedReading extends NamedFields {
  readonly vocabulary?: number
  readonly maxShare?: number
  readonly negation?: boolean
  readonly negationScope?: number
}

export const numberFieldRule = 'a field and its bins: age:10 (a width) or age:18,40,65 (edges)'

/** `age:10`: bins of equal width; `age:18,40,65`: bins with given edges; a single edge is `age:65+`. */
export function parseNumberField(text: string): NumberField {
  const [, field, numbers, plus] = /^([^:]+):([^:]+?)(\+?)$/.exec(text) ?? []
  const bounds = numbers?.split(',').map(Number)
  if (bounds === undefined || bounds.some(Number.isNaN) || /,\s*(?:,|$)/.test(numbers))
    throw badOption('reading', 'number', numberFieldRule, text)
  const name = field.trim()
  return bounds.length === 1 && plus === '' ? {field: name, width: bounds[0]} : {field: name, edges: bounds}
}

/** The name of a list, which its own separator may follow. */
export function listName(entry: string): string {
  const colon = entry.indexOf(':')
  return colon > 0 && colon < entry.length - 1 ? entry.slice(0, colon) : entry
}

/**
 * The columns of ids and tags, and the separator of tags, where they are named. They describe a file, so they may differ from
 * those of a model or of counts.
 */
export function keyColumns({id, tags, tagSeparator}: KeyColumns): Partial<RowFields> {
  return {
    ...(id !== undefined && {idField: id.trim()}),
    ...(tags !== undefined && {tagsField: tags.trim()}),
    ...(tagSeparator !== undefined && {tagSeparator})
  }
}

export function fieldsFromNames(names: NamedFields): Required<RowFields> {
  const {text, category = [], number = [], list = [], votes = []} = names
  const {keepCase, separator = textDefaults.separator} = names
  const numbers = number.map(field => (typeof field === 'string' ? parseNumberField(field) : field))
  const lists = list.map(listName)
  const listSeparators = list.filter((entry, at) => entry !== lists[at])
  const values = {categories: category, numbers, lists, votes, separator, listSeparators}
  const {idField, tagsField, tagSeparator} = {...textDefaults, ...keyColumns(names)}
  return {fields: text, ...values, lowerCase: keepCase !== true, idField, tagsField, tagSeparator}
}

/** The options of the vocabulary for a reading under these names; what it does not name is as usual. */
export function vocabularyFromNames(names: NamedReading): Partial<VocabularyOptions> {
  const {vocabulary, maxShare, negationScope} = {...vocabularyDefaults, ...names}
  return {
    ...fieldsFromNames(names),
    vocabulary,
    maxShare,
    negation: names.negation === true,
    negationScope
  }
}
