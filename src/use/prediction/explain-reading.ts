import type {Inference, InferenceOptions, Posterior} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Contribution} from './explain-contribution.ts'

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
