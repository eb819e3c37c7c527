import type {Model} from '../../learn/model/index.ts'
import {isMeasured, type SourcedRates} from '../../learn/noise/index.ts'
import {exclusiveGroups} from '../../read/data/index.ts'

/**
 * A concept whose rates nobody measured is a tag where its anchor fires, or at this probability. Without labels no lower
 * threshold is safe: in research/results/tag-rules.json the threshold of the model loses up to .13 of micro F1 against the anchors,
 * 0.95 loses .011 and this one .005.
 */
const SURE = 0.97
/** A person's answer has the probability 0 or 1; above 0, every fired anchor is a tag. */
const ABOVE_NO = 1e-12

/** The least probabilities at which concepts are tags, by concept, where the anchor fires and where it does not. */
export interface TagRule {
  readonly fired: readonly number[]
  readonly silent: readonly number[]
  /** The same for the second list: likely, although the anchor does not fire; infinite for concepts that have none. */
  readonly likely: readonly number[]
}

/**
 * Tells for each concept whether its rates were measured: given, or estimated from labels. If not, its prevalence and its
 * probabilities are scores, not shares. A model without such a certificate was composed from its rates, so they were given.
 */
export function measuredConcepts({concepts, certificate}: Pick<Model, 'concepts' | 'certificate'>): boolean[] {
  const {noise} = certificate as {noise?: {concepts?: unknown}}
  const rates: readonly Partial<SourcedRates>[] = Array.isArray(noise?.concepts) ? noise.concepts : []
  const bases = new Map(rates.map(own => [own?.concept, own?.basis]))
  return concepts.map(({name}) => isMeasured(bases.get(name) ?? 'given'))
}

/** The names of the concepts whose prevalence and probabilities are scores. */
export function unmeasuredConcepts(model: Pick<Model, 'concepts' | 'certificate'>): Set<string> {
  const measured = measuredConcepts(model)
  return new Set(model.concepts.filter((_, i) => !measured[i]).map(({name}) => name))
}

/** The rule of a model. */
export function tagRule(model: Pick<Model, 'concepts' | 'certificate' | 'wordModel' | 'lexicon'>): TagRule {
  const own = model.wordModel.threshold ?? 0.5
  const classes = new Set(exclusiveGroups(model.lexicon.anchors).flatMap(({concepts}) => concepts))
  const isEven = measuredConcepts(model).map((is, i) => is || classes.has(i))
  return {
    fired: isEven.map(is => (is ? own : ABOVE_NO)),
    silent: isEven.map(is => (is ? own : Math.max(own, SURE))),
    likely: isEven.map(is => (is ? Number.POSITIVE_INFINITY : own))
  }
}

/** The rule of one threshold for all concepts. */
export function evenRule(concepts: number, threshold: number): TagRule {
  const all = (value: number) => new Array<number>(concepts).fill(value)
  return {fired: all(threshold), silent: all(threshold), likely: all(Number.POSITIVE_INFINITY)}
}

/** The threshold of a rule that has just one. */
export function soleThreshold({fired, silent}: TagRule): {readonly threshold?: number} {
  const [threshold] = silent
  return [...fired, ...silent].every(one => one === threshold) ? {threshold} : {}
}

/** A rule as data: one threshold, or that of measured concepts, if any, beside the rule of the others. */
export function ruleFacts(rule: TagRule | undefined): object {
  if (rule === undefined) return {}
  const {fired, silent, likely} = rule
  const {threshold} = soleThreshold(rule)
  if (threshold !== undefined) return {threshold}
  const scored = silent.findIndex((least, i) => fired[i] < least)
  const measured = silent.find((least, i) => fired[i] === least)
  const unmeasured = {anchorFires: true, score: silent[scored], likely: likely[scored]}
  return {tagRule: {...(measured !== undefined && {measured: {threshold: measured}}), unmeasured}}
}

/** Tells whether a concept is a tag of a document with this probability. */
export function isTag({fired, silent}: TagRule, i: number, probability: number, isFired: boolean): boolean {
  return probability >= (isFired ? fired : silent)[i]
}

/**
 * The tags of a document in which the anchors of `anchored` fire, most probable first. Of an exclusive group its most probable
 * class is a tag, or none.
 */
export function tagsFrom(
  {concepts, lexicon}: Model,
  probabilities: ArrayLike<number>,
  anchored: readonly number[],
  rule: TagRule
): string[] {
  const chosen = new Map<number, boolean>()
  for (const group of exclusiveGroups(lexicon.anchors)) {
    const none = group.atMostOne ? 1 - group.concepts.reduce((sum, i) => sum + probabilities[i], 0) : 0
    const best = group.concepts.reduce((a, b) => (probabilities[b] > probabilities[a] ? b : a))
    for (const i of group.concepts) chosen.set(i, i === best && probabilities[i] >= none)
  }
  const isChosen = (i: number) => chosen.get(i) ?? isTag(rule, i, probabilities[i], anchored.includes(i))
  return byProbability(probabilities, isChosen).map(i => concepts[i].name)
}

/** The second list: concepts that are likely although their anchors do not fire, and that are not tags, most probable first. */
export function likelyFrom(
  {concepts}: Pick<Model, 'concepts'>,
  probabilities: ArrayLike<number>,
  anchored: readonly number[],
  rule: TagRule
): string[] {
  const isLikely = (i: number) =>
    !anchored.includes(i) && probabilities[i] >= rule.likely[i] && probabilities[i] < rule.silent[i]
  return byProbability(probabilities, isLikely).map(i => concepts[i].name)
}

/** The concepts that count, most probable first; equals in the order of the model. */
export function byProbability(probabilities: ArrayLike<number>, counts: (i: number) => boolean = () => true): number[] {
  const chosen: number[] = []
  for (let i = 0; i < probabilities.length; i++) if (counts(i)) chosen.push(i)
  return chosen.sort((a, b) => probabilities[b] - probabilities[a])
}
