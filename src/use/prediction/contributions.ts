import {networkEdges} from '../../base/network/index.ts'
import {log} from '../../base/numeric/index.ts'
import type {Inference, InferenceOptions, Posterior} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {classGroups} from '../../learn/votes/index.ts'
import type {Evidence} from '../../read/data/index.ts'

/**
 * One piece of evidence for a concept (log-odds above 0) or against it. `otherwise` is the probability of the concept if only this
 * were reversed and the document were read again.
 */
export type Contribution = {
  readonly logOdds: number
} /** How common the concept is: the prevalence, where it was measured. */ & (
  | {readonly kind: 'prior'; readonly probability?: number}
  /** The concept's own anchor. */
  | {readonly kind: 'anchor'; readonly fired: boolean; readonly otherwise?: number}
  /** Word weights: the members of its anchor that fire, and those that do not, compared with the average document where it fires. */
  | {readonly kind: 'members'; readonly fired: readonly string[]; readonly silent: readonly string[]}
  /** Classes with votes, in place of the anchor: a member of an anchor of its group that fires. */
  | {readonly kind: 'vote'; readonly feature: string; readonly otherwise?: number}
  /** Classes with votes: that nobody votes for it. */
  | {readonly kind: 'no-vote'}
  /** A label of another concept: its effect through the network. Noisy-or: its effect on words is part of their figures. */
  | {readonly kind: 'known'; readonly concept: string; readonly present: boolean; readonly otherwise?: number}
  /**
   * Noisy-or: a word that the concept can cause: how much more often it occurs (or is absent) with the concept than
   * without, all other concepts at their usual frequency. Infinite for a word that occurs and has no other cause.
   * Word weights: a word that occurs, by its weight, or its remaining share where the concept's anchor fired.
   */
  | {
      readonly kind: 'word'
      readonly word: string
      readonly present: boolean
      /** Word weights: the 90% interval of the log-odds, where it is known. */
      readonly low?: number
      readonly high?: number
      readonly otherwise?: number
    }
  /**
   * The evidence on another concept, and its effect on this one by the network; noisy-or: by shared words too. Reversed
   * means labelled absent, or present where it is probably absent.
   */
  | {
      readonly kind: 'concept'
      readonly concept: string
      readonly probability: number
      /** Whether its anchor fired; undefined if anchors are hidden. */
      readonly fired: boolean | undefined
      /** The network has an edge between the two. */
      readonly linked: boolean
      /** Noisy-or: words of the document that both can cause, the strongest first, at most three. */
      readonly sharedWords: readonly string[]
      readonly otherwise?: number
    }
  /** What it adds that these other concepts and this one exclude each other. */
  | {readonly kind: 'exclusive'; readonly others: readonly string[]}
  /**
   * Everything too small to be named, together. `concepts-jointly`: word weights and a directed network: the effect that
   * the other concepts have only together, beyond the sum of their own.
   */
  | {readonly kind: 'rest'; readonly of: RestKind; readonly count: number}
  /**
   * Word weights: offsets the average evidence from words and other concepts in documents where the concept's anchor is in
   * the same state as in this one.
   */
  | {readonly kind: 'balance'}
)

export type RestKind = 'absent-words' | 'known-tags' | 'concepts' | 'concepts-jointly'

export interface Reading {
  readonly model: Model
  readonly evidence: Evidence
  readonly i: number
  readonly labels: Int8Array
  readonly checked: InferenceOptions
  readonly inference: Inference
  readonly posterior: Posterior
}

/** The output of an explanation by one word model. */
export interface Parts {
  readonly contributions: readonly Contribution[]
  readonly otherWords: number
}

/** The probability of the concept if the document or its labels were different. */
export function readAgain(
  {inference, evidence, i, ...reading}: Reading,
  {labels = reading.labels, ...changed}: Partial<Evidence> & {readonly labels?: Int8Array}
): number {
  return inference.posterior({...evidence, ...changed}, labels).probabilities[i]
}

/** Whether the anchor of concept k fired; undefined if anchors are hidden. */
export function isFired({evidence, checked}: Reading, k: number): boolean | undefined {
  return checked.anchors === 'hidden' ? undefined : evidence.anchors.includes(k)
}

/** The labels with another one of concept k; those of concepts that it excludes are open then. */
function relabelled({model, labels}: Reading, k: number, label: number): Int8Array {
  const changed = labels.with(k, label)
  for (const {concepts} of classGroups(model))
    if (concepts.includes(k)) for (const other of concepts) if (other !== k) changed[other] = -1
  return changed
}

/** The concept's own anchor, by Bayes' rule. */
export function anchorPart(reading: Reading): Contribution[] {
  const {model, evidence, i} = reading
  const fired = isFired(reading, i)
  if (fired === undefined) return []
  const {truePositive: t, falsePositive: e} = model.concepts[i]
  const otherwise = readAgain(reading, {anchors: toggled(evidence.anchors, i)})
  return [{kind: 'anchor', fired, logOdds: log(fired ? t / e : (1 - t) / (1 - e)), otherwise}]
}

/** The evidence of a word on the concept, with its interval where that is known. */
export interface WordShare {
  readonly word: number
  readonly logOdds: number
  readonly range?: {readonly low: number; readonly high: number} | undefined
}

export function wordPart(reading: Reading, {word, logOdds, range}: WordShare): Contribution {
  const {model, evidence} = reading
  const otherwise = readAgain(reading, {words: toggled(evidence.words, word)})
  return {
    kind: 'word',
    word: wordName(model, word),
    present: evidence.words.includes(word),
    logOdds,
    ...range,
    otherwise
  }
}

export function wordName({lexicon}: Model, j: number): string {
  return lexicon.words[j] ?? `word ${j}`
}

/** The effect of the label of concept k. */
export function labelPart(reading: Reading, k: number, logOdds: number): Contribution {
  const {model, labels} = reading
  const otherwise = readAgain(reading, {labels: relabelled(reading, k, 1 - labels[k])})
  return {kind: 'known', concept: model.concepts[k].name, present: labels[k] === 1, logOdds, otherwise}
}

/** The effect of concept k, with the words that it shares with the concept. */
export function conceptPart(
  reading: Reading,
  k: number,
  logOdds: number,
  sharedWords: readonly string[] = []
): Contribution {
  const {model, i, posterior} = reading
  const probability = posterior.probabilities[k]
  return {
    kind: 'concept',
    concept: model.concepts[k].name,
    probability,
    fired: isFired(reading, k),
    linked: networkEdges(model.network).some(([a, b]) => (a === i && b === k) || (a === k && b === i)),
    sharedWords,
    logOdds,
    otherwise: readAgain(reading, {labels: relabelled(reading, k, probability < 0.5 ? 1 : 0)})
  }
}

/** What is not named, if anything. */
export function restPart(
  of: RestKind,
  {count, logOdds}: {readonly count: number; readonly logOdds: number}
): Contribution[] {
  return count > 0 ? [{kind: 'rest', of, count, logOdds}] : []
}

/** An ascending list with one number added, or removed if it is there. */
function toggled(list: readonly number[], number: number): number[] {
  const rest = list.filter(other => other !== number)
  return rest.length < list.length ? rest : [...rest, number].sort((a, b) => a - b)
}

export function totalOf(contributions: readonly {readonly logOdds: number}[]): number {
  return contributions.reduce((total, {logOdds}) => total + logOdds, 0)
}

/** How many labels, and other concepts, are named one by one; by noisy-or links the work doubles with each. */
export const NAMED_CONCEPTS = 8

/** Smaller log-odds, either way, are not named. */
const WORTH_NAMING = 0.02

/** At most `limit` parts by name, the strongest first; the others together. */
export function namedParts<T extends {readonly logOdds: number}>(
  of: RestKind,
  items: readonly T[],
  limit: number,
  partOf: (item: T) => Contribution
): Contribution[] {
  const sorted = items.toSorted(strongestFirst)
  const named = sorted.slice(0, limit).filter(({logOdds}) => Math.abs(logOdds) >= WORTH_NAMING)
  const rest = sorted.slice(named.length)
  return [...named.map(partOf), ...restPart(of, {count: rest.length, logOdds: totalOf(rest)})]
}

/** Ties keep their order. */
export function strongestFirst(a: {readonly logOdds: number}, b: {readonly logOdds: number}): number {
  return Math.abs(b.logOdds) - Math.abs(a.logOdds)
}
