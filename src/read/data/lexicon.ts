import {AdfaError} from '../../base/checks/index.ts'
import type {Anchors} from './anchors.ts'
import {checkRowFields, type RowFields} from './row-fields.ts'

/** How rows become words. */
export interface TextOptions extends Required<RowFields> {
  /** Words kept for each field (and for `features`), the commonest first. */
  readonly vocabulary: number
  /** Words of text and `features` in more than this share of all documents are dropped. */
  readonly maxShare: number
  /** Whether a word that the text negates ("no fever") is another word, `neg:fever`, and fires no anchor. */
  readonly negation: boolean
}

export const textDefaults: TextOptions = {
  fields: ['title', 'text'],
  vocabulary: 1000,
  maxShare: 0.5,
  lowerCase: true,
  negation: false,
  categories: [],
  numbers: [],
  lists: []
}

/** Refuse values that make no sense. */
export function checkTextOptions(text: TextOptions): void {
  const {vocabulary, maxShare, negation} = text
  const refuse = (name: string, rule: string, got: unknown) =>
    new AdfaError('bad-option', `${name} is ${rule}; got ${got}`)
  checkRowFields(text)
  if (!Number.isInteger(vocabulary) || vocabulary < 1) throw refuse('vocabulary', 'a whole number above 0', vocabulary)
  if (!(maxShare > 0 && maxShare <= 1)) throw refuse('max-share', 'a share in (0, 1]', maxShare)
  if (typeof negation !== 'boolean') throw refuse('negation', 'true or false', JSON.stringify(negation))
}

/** The options alone, in their one order, without what else `options` has. */
export function pickTextOptions(options: TextOptions): TextOptions {
  const {fields, vocabulary, maxShare, lowerCase, negation, categories, numbers, lists} = options
  const bins = numbers.map(({field, width, edges}) => (edges === undefined ? {field, width} : {field, edges}))
  return {fields, vocabulary, maxShare, lowerCase, negation, categories, numbers: bins, lists}
}

/** The options as files keep them: what came later is named only where it is used, so that older files mean the same. */
export function textToJson(text: TextOptions): Partial<TextOptions> {
  const {negation, categories, numbers, lists, ...first} = pickTextOptions(text)
  const later = {categories, numbers, lists}
  const used = Object.entries(later).filter(([, list]) => list.length > 0)
  return {...first, ...(negation ? {negation} : {}), ...Object.fromEntries(used)}
}

/** The options of a file, with what it leaves unsaid. */
export function textFromJson(
  text: Omit<TextOptions, LaterOption> & Partial<Pick<TextOptions, LaterOption>>
): TextOptions {
  return pickTextOptions({negation: false, categories: [], numbers: [], lists: [], ...text})
}

type LaterOption = 'negation' | 'categories' | 'numbers' | 'lists'

/** The paper's document filter: only documents with at least `minTags` of `tags` are used. */
export interface TagFilter {
  readonly minTags: number
  readonly tags: readonly string[]
}

/** How documents become binary variables: everything needed to do the same to new documents. */
export interface Lexicon {
  /** One a concept; concept i of every later stage is anchor i. */
  readonly anchors: Anchors
  /** Words j of every later stage, in ascending order of their names. */
  readonly words: readonly string[]
  /** Names of several words, read as one token wherever their words stand together. */
  readonly phrases: readonly string[]
  readonly text: TextOptions
  readonly filter: TagFilter | undefined
  /** Anchors that the user let us leave out, with the reason. */
  readonly skipped: readonly SkippedAnchor[]
  /**
   * In a corpus of very many different words the vocabulary is chosen by approximate counts: a word that is missing
   * occurs in at most this many documents more than the rarest that was kept. Absent when the choice is exact.
   */
  readonly vocabularyError?: number
}

export interface SkippedAnchor {
  readonly concept: string
  readonly reason: string
}
