import type {Inference, InferenceOptions, Posterior} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'

/**
 * One thing that speaks for a concept (log-odds above 0) or against it. `otherwise` is the probability of the concept if
 * just this were the other way round and the document were read again.
 */
export type Contribution =
  /** How common the concept is, before anything is read. */
  | {readonly kind: 'prior'; readonly probability: number; readonly logOdds: number}
  /**
   * Another concept that is known. Noisy-or: by what the network makes of it; its words are part of the words' own
   * figures. Log-odds: in place of its anchor.
   */
  | {
      readonly kind: 'known'
      readonly concept: string
      readonly present: boolean
      readonly logOdds: number
      readonly otherwise: number
    }
  /** The concept's own anchor. */
  | {readonly kind: 'anchor'; readonly fired: boolean; readonly logOdds: number; readonly otherwise: number}
  /**
   * Noisy-or: a word that the concept can cause: how much more often it occurs (or is missing) with the concept than
   * without, all other concepts as common as usual. Infinite for a word that occurs and that nothing else can cause.
   * Log-odds: a word that occurs, by its weight, or the share of it that is left where the concept's anchor fired.
   */
  | {
      readonly kind: 'word'
      readonly word: string
      readonly present: boolean
      readonly logOdds: number
      readonly otherwise: number
    }
  /**
   * Noisy-or: another concept: what the document says of it, and what that says of this one, by the network and by words that both
   * can cause.
   */
  | {
      readonly kind: 'concept'
      readonly concept: string
      readonly probability: number
      /** The network ties the two directly. */
      readonly linked: boolean
      /** Words of the document that both can cause, the strongest first, three at most. */
      readonly sharedWords: readonly string[]
      readonly logOdds: number
      /** The probability if the other concept were known to be absent (or present, where it is probably absent). */
      readonly otherwise: number
    }
  /** Log-odds: the anchor of another concept, which is not known. */
  | {
      readonly kind: 'other-anchor'
      readonly concept: string
      readonly fired: boolean
      readonly logOdds: number
      readonly otherwise: number
    }
  /**
   * Log-odds: what makes up for that which words and anchors of other concepts say on average, in documents where the
   * concept's anchor does the same as in this one.
   */
  | {readonly kind: 'balance'; readonly logOdds: number}
  /** What is too small to be named, together. */
  | {
      readonly kind: 'rest'
      readonly of: 'absent-words' | 'known-tags' | 'concepts' | 'silent-anchors'
      readonly count: number
      readonly logOdds: number
    }

/** What is to be explained, and all that the parts of an explanation are made from. */
export interface Reading {
  readonly model: Model
  readonly evidence: Evidence
  /** The concept. */
  readonly i: number
  /** 1 present, 0 absent, -1 unknown. */
  readonly tags: Int8Array
  readonly checked: InferenceOptions
  readonly inference: Inference
  readonly posterior: Posterior
  readonly absentLimit: number
  readonly conceptLimit: number
}

/** What an explanation is made of. */
export interface Parts {
  readonly contributions: readonly Contribution[]
  readonly logOdds: number
  readonly otherWords: number
}

/** The probability of the concept if the document, or what is known of it, were different. */
export function readAgain(
  {inference, evidence, tags, i}: Reading,
  {known = tags, ...changed}: Partial<Evidence> & {readonly known?: Int8Array}
): number {
  return inference.posterior({...evidence, ...changed}, known).probabilities[i]
}

/** An ascending list with one number more, or without it. */
export function toggled(list: readonly number[], number: number): number[] {
  const rest = list.filter(other => other !== number)
  return rest.length < list.length ? rest : [...rest, number].sort((a, b) => a - b)
}

export function wordName({lexicon}: Model, j: number): string {
  return lexicon.words[j] ?? `word ${j}`
}

export function totalOf(contributions: readonly Contribution[]): number {
  return contributions.reduce((total, {logOdds}) => total + logOdds, 0)
}
