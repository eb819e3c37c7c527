import {AdfaError} from '../numeric/index.ts'
import type {Anchors} from './anchors.ts'

/** How text becomes words. */
export interface TextOptions {
  /** Text fields to tokenise; a word from one is named `field:token`. */
  readonly fields: readonly string[]
  /** Words kept for each field (and for `features`), the commonest first. */
  readonly vocabulary: number
  /** Words in more than this share of all documents are dropped. */
  readonly maxShare: number
  readonly lowerCase: boolean
  /** Whether a word that the text negates ("no fever") is another word, `neg:fever`, and fires no anchor. */
  readonly negation: boolean
}

export const textDefaults: TextOptions = {
  fields: ['title', 'text'],
  vocabulary: 1000,
  maxShare: 0.5,
  lowerCase: true,
  negation: false
}

/** Refuse values that make no sense. */
export function checkTextOptions({fields, vocabulary, maxShare, negation}: TextOptions): void {
  const refuse = (name: string, rule: string, got: unknown) =>
    new AdfaError('bad-option', `${name} is ${rule}; got ${got}`)
  if (fields.some(field => field === '' || field.includes(':')))
    throw refuse('text', 'a list of field names without colons', JSON.stringify(fields))
  if (!Number.isInteger(vocabulary) || vocabulary < 1) throw refuse('vocabulary', 'a whole number above 0', vocabulary)
  if (!(maxShare > 0 && maxShare <= 1)) throw refuse('max-share', 'a share in (0, 1]', maxShare)
  if (typeof negation !== 'boolean') throw refuse('negation', 'true or false', JSON.stringify(negation))
}

/** The options as files keep them: negation is named only where it is read, so that older files mean the same. */
export function textToJson({negation, ...text}: TextOptions): Partial<TextOptions> {
  return negation ? {...text, negation} : text
}

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
}

export interface SkippedAnchor {
  readonly concept: string
  readonly reason: string
}
