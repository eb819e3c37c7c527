import {checkOptions, type Rules, trueOrFalse, whole} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import type {Anchors} from './anchors.ts'
import {checkRowFields, type RowFields} from './row-fields.ts'

/** How rows become words. */
export interface TextOptions extends Required<RowFields> {
  /** Words kept per field (and for `features`), the most frequent first. */
  readonly vocabulary: number
  /** Words of text and `features` in more than this share of the documents are dropped. */
  readonly maxShare: number
  /** Whether a negated word ("no fever") becomes a word of its own, `neg:fever`, which does not fire anchors. */
  readonly negation: boolean
  /** With `negation`: how many words a negation reaches, counted anew from each item of a list. */
  readonly negationScope: number
}

export const textDefaults: TextOptions = {
  fields: ['title', 'text'],
  vocabulary: 3000,
  maxShare: 0.5,
  lowerCase: true,
  negation: false,
  negationScope: 10,
  categories: [],
  numbers: [],
  lists: [],
  votes: [],
  separator: '|',
  listSeparators: [],
  idField: 'id',
  tagsField: 'tags',
  tagSeparator: ''
}

const rules: Rules<TextOptions> = {
  vocabulary: whole(1),
  maxShare: [value => typeof value === 'number' && value > 0 && value <= 1, 'a share above 0, at most 1'],
  negation: trueOrFalse,
  negationScope: whole(1)
}

/** Refuse invalid options. */
export function checkTextOptions(text: TextOptions): void {
  checkRowFields(text)
  checkOptions('reading', textDefaults, rules, pickTextOptions(text))
}

/** Only the text options of `options`, in a fixed order. */
export function pickTextOptions(options: TextOptions): TextOptions {
  const {fields, vocabulary, maxShare, lowerCase, negation, negationScope} = options
  const {categories, numbers, lists, votes, separator, listSeparators, idField, tagsField, tagSeparator} = options
  const bins = numbers.map(({field, width, edges}) => (edges === undefined ? {field, width} : {field, edges}))
  const words = {fields, vocabulary, maxShare, lowerCase, negation, negationScope}
  const separators = {separator, listSeparators, idField, tagsField, tagSeparator}
  return {...words, categories, numbers: bins, lists, votes, ...separators}
}

/** The options as files store them. Later additions are written only where used, so older files keep their meaning. */
export function textToJson(text: TextOptions): Partial<TextOptions> {
  const {negation, negationScope, categories, numbers, lists, votes, listSeparators, ...rest} = pickTextOptions(text)
  const {separator, idField, tagsField, tagSeparator, ...first} = rest
  const used = Object.entries({categories, numbers, lists, votes, listSeparators}).filter(([, list]) => list.length > 0)
  const changed = Object.entries({separator, idField, tagsField, tagSeparator}).filter(
    ([name, value]) => value !== textDefaults[name as keyof TextOptions]
  )
  return {
    ...first,
    ...(negation ? {negation} : {}),
    ...(negation && negationScope !== textDefaults.negationScope ? {negationScope} : {}),
    ...Object.fromEntries([...used, ...changed])
  }
}

/**
 * The lexicon without what only describes a file: the names of its columns for ids and tags, and what separates tags. The
 * documents mean the same whatever these are.
 */
export function lexiconMeaning({text, ...rest}: Lexicon): object {
  const {idField: _, tagsField: __, tagSeparator: ___, listSeparators: ____, ...meaning} = text
  return {...rest, text: meaning}
}

/** The paper's document filter: only documents with at least `minTags` of `tags` are used. */
export interface TagFilter {
  readonly minTags: number
  readonly tags: readonly string[]
}

/** How documents become binary variables: everything needed to read new documents in the same way. */
export interface Lexicon {
  /** One per concept; concept i of every later stage is anchor i. */
  readonly anchors: Anchors
  /** Words j of every later stage, ascending by name. */
  readonly words: readonly string[]
  /** Names of several words, read as one token where these occur in sequence. */
  readonly phrases: readonly string[]
  readonly text: TextOptions
  readonly filter: TagFilter | undefined
  /** Anchors left out, with the reason. */
  readonly skipped: readonly SkippedAnchor[]
  /**
   * With very many distinct words the vocabulary is chosen by approximate counts: an omitted word occurs in at most
   * this many documents more than the rarest kept one. Absent when the choice is exact.
   */
  readonly vocabularyError?: number
}

export interface SkippedAnchor {
  readonly concept: string
  readonly reason: string
}

/** The lexicon as counts and releases store it, in a fixed order, so that equal ones are equal bytes. */
export function lexiconToJson({anchors, words, phrases, text, filter, skipped, vocabularyError}: Lexicon): object {
  return {anchors, words, phrases, text: textToJson(text), filter, skipped, vocabularyError}
}

/** One indented line per skipped anchor, for error messages. */
export function skippedLines(skipped: readonly SkippedAnchor[]): string {
  return skipped
    .map(({concept, reason}) => `\n  concept "${printableLine(concept)}": ${printableLine(reason)}`)
    .join('')
}
