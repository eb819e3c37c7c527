/** The rates that a fit uses: which estimators for which concept, and which concepts it refuses. */
import {AdfaError} from '../../base/checks/index.ts'
import {clamp, exp, log, NORMAL_90} from '../../base/numeric/index.ts'
import {printableLine} from '../../base/text/index.ts'
import {type Counts, dropConcepts, labelledDocuments} from '../../read/counts/index.ts'
import type {SkippedAnchor} from '../../read/data/index.ts'
import {type ClassShares, classShares, voteGroups} from '../votes/index.ts'
import {
  type AnchorEstimate,
  type AnchorEstimates,
  hasEnoughLabels,
  type NoiseEstimator,
  type NoiseEvidence,
  noiseTable
} from './estimators.ts'
import {labelFreeRates, typicalShares} from './guess.ts'
import {anchoredCounts} from './pooled.ts'
import {
  type EstimatedRates,
  exactly,
  impliedRates,
  LEAST_PRECISION,
  type NoiseRates,
  PREVALENCE_FLOOR,
  type RateRefusal,
  rateRefusals,
  ratesAt,
  type Shares,
  usableRates,
  widened
} from './rates.ts'

/**
 * Where the rates come from: the anchors file; labelled documents, each concept by itself (Section 3.3, setting 4); two or
 * more members of one anchor (setting 1); words that predict the anchor (settings 2 and 3); or all that the data allows.
 */
export type NoiseMethod = 'given' | 'labels' | 'pair' | 'positive-only' | 'irreducible' | 'auto'

/**
 * The basis of prevalence and precision. 'constant': not measured, a constant for anchors of this kind (`typicalShares`).
 * 'balance': not measured either, the most probable shares of classes that exclude each other (`classShares`).
 */
export type RateBasis = 'given' | 'labels' | 'constant' | 'balance'

/**
 * The rates of one anchor with the estimators used. With the basis 'constant', P(A|Y) are the points to predict with,
 * which prevalence and precision do not imply.
 */
export interface SourcedRates extends EstimatedRates {
  readonly basis: RateBasis
  /** The estimators used, by weight. */
  readonly sources: readonly (NoiseEstimator | 'balance')[]
  /**
   * An estimate without labels that puts the precision below 45%; unset where there is none. Right in three of four cases,
   * but it finds one weak anchor in nine: a reason to look, no more.
   */
  readonly lowPrecision?: {readonly method: NoiseEstimator; readonly value: number}
  /** Why labels would refuse a concept that is kept as a class of a group of votes; unset where they would not. */
  readonly weak?: string
  /** Root mean square distance of the sources in their own errors: about 1 if all is well, 0 for one source. */
  readonly disagreement: number
}

export interface NoiseCertificate {
  readonly method: NoiseMethod
  /** The number of labelled documents that were used; 0 when labels were not used. */
  readonly labelledCount: number
  /** Concepts whose prevalence was clipped: the frequency of their anchor does not fit its rates. */
  readonly clippedPrevalence: readonly string[]
  /** Concepts whose anchor is rarer with them than without, by given rates; unset where there is none. */
  readonly rarerWithConcept?: readonly string[]
  readonly concepts: readonly SourcedRates[]
}

/** The rates of all anchors with their certificate. */
export interface EstimatedNoise extends NoiseRates {
  readonly certificate: NoiseCertificate
}

/** The verdict on every concept: the rates that a fit uses, or why it refuses the concept. */
export interface NoiseVerdict {
  readonly rates: readonly SourcedRates[]
  readonly refused: readonly SkippedAnchor[]
}

/** The rates of all anchors; one error names every concept without. */
export function estimateNoise(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): EstimatedNoise {
  const {rates, refused} = judgeOnce(counts, method, evidence)
  if (refused.length > 0)
    throw new AdfaError(
      'bad-rates',
      `could not estimate the rates of ${refused.length} of ${counts.lexicon.anchors.length} anchors:` +
        refused.map(({concept, reason}) => `\n  concept "${concept}": ${printableLine(reason)}`).join('')
    )
  return packRates(counts, method, rates)
}

/** What `fit` and `adfa doctor` both go by. Repeats without the refused concepts, as estimates may depend on them. */
export function judgeNoise(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): NoiseVerdict {
  const verdict = judgeOnce(counts, method, evidence)
  const {rates, refused} = verdict
  if (refused.length === 0 || rates.length === 0) return verdict
  const rest = judgeNoise(dropConcepts(counts, refused), method, evidence)
  return {rates: rest.rates, refused: [...refused, ...rest.refused]}
}

/** The rates of the concepts that have any; the others move to `lexicon.skipped`. */
export function usableNoise(
  counts: Counts,
  method: NoiseMethod,
  evidence?: NoiseEvidence
): {readonly counts: Counts; readonly noise: EstimatedNoise} {
  const {rates, refused} = judgeNoise(counts, method, evidence)
  const kept = refused.length === 0 ? counts : dropConcepts(counts, refused)
  return {counts: kept, noise: packRates(kept, method, rates)}
}

/**
 * What counts alone say, within milliseconds: the rates that {@link judgeNoise} gives people to read. Undefined where that needs
 * more: members in pairs, words, or groups of classes.
 */
export function countedNoise(counts: Counts, method: NoiseMethod): NoiseVerdict | undefined {
  if (counts.lexicon.anchors.some(({exclusive}) => exclusive !== undefined)) return undefined
  if (method === 'given' || method === 'labels') return judgeNoise(counts, method)
  return method === 'auto' ? judgeOnce(counts, method, {}, ['given', 'pooled']) : undefined
}

/** Packs the rates that were found for these counts, also those from the certificate of a model. */
export function packRates(counts: Counts, method: NoiseMethod, concepts: readonly SourcedRates[]): EstimatedNoise {
  const {anchors} = counts.lexicon
  const frequency = anchoredCounts(counts).map(count => count / counts.documentCount)
  const implied = concepts.map(({truePositive: t, falsePositive: e}, i) => (frequency[i] - e) / (t - e))
  const prevalence = Float64Array.from(implied, p => clamp(p, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR))
  for (const {concepts: own} of voteGroups(anchors)) {
    if (own.some(i => concepts[i].basis === 'given')) continue
    const total = own.reduce((sum, i) => sum + concepts[i].prevalence.value, 0)
    for (const i of own) prevalence[i] = concepts[i].prevalence.value / total
  }
  const namesOf = (isNamed: (i: number) => boolean) => anchors.filter((_, i) => isNamed(i)).map(({concept}) => concept)
  const rarer = namesOf(i => concepts[i].truePositive < concepts[i].falsePositive)
  const usesLabels = method === 'labels' || concepts.some(({sources}) => sources.includes('pooled'))
  return {
    truePositive: Float64Array.from(concepts, ({truePositive}) => truePositive),
    falsePositive: Float64Array.from(concepts, ({falsePositive}) => falsePositive),
    prevalence,
    certificate: {
      method,
      labelledCount: usesLabels ? labelledDocuments(counts) : 0,
      clippedPrevalence: namesOf(i => implied[i] < PREVALENCE_FLOOR || implied[i] > 1 - PREVALENCE_FLOOR),
      ...(rarer.length > 0 && {rarerWithConcept: rarer}),
      concepts
    }
  }
}

type Judged = SourcedRates | SkippedAnchor

const isFault = (judged: Judged): judged is SkippedAnchor => 'reason' in judged

function judgeOnce(
  counts: Counts,
  method: NoiseMethod,
  evidence: NoiseEvidence,
  estimators = method === 'auto' ? autoEstimators(counts) : [method]
): NoiseVerdict {
  const table = noiseTable(counts, evidence, estimators)
  const isCombined = counts.lexicon.anchors.map(({rates}) => method === 'auto' && rates === undefined)
  const classes = isCombined.includes(true) ? classShares(counts) : []
  const judged = table.map((row, i) =>
    isCombined[i]
      ? acceptedRates(row, withClassShares(row, combineEstimates(row), classes[i]))
      : soleEstimate(row, method === 'auto' ? 'given' : method)
  )
  return {rates: judged.flatMap(one => (isFault(one) ? [] : [one])), refused: judged.filter(isFault)}
}

/** The estimators that `auto` combines: labels reveal where irreducible rates and guesses are wrong. */
function autoEstimators({lexicon, ...counts}: Counts): readonly NoiseEstimator[] {
  if (lexicon.anchors.every(({rates}) => rates !== undefined)) return ['given']
  return hasEnoughLabels({...counts, lexicon}) ? ['given', 'pooled', 'pair'] : ['given', 'pair', 'irreducible', 'guess']
}

/** One estimator alone. Without an estimate of the precision, the anchor never fires falsely. */
function soleEstimate(row: AnchorEstimates, method: NoiseEstimator): Judged {
  const {concept} = row
  const found = row.estimates.find(estimate => estimate.method === method)
  if (found === undefined) {
    const reason = row.unavailable.find(estimate => estimate.method === method)?.reason ?? ''
    const isComplete = method === 'given' || method === 'labels'
    return {concept, reason: isComplete ? reason : `${reason}; choose another \`noise\` method, or remove the concept`}
  }
  const {prevalence, precision, rates} = found
  if (rates !== undefined && precision !== undefined) {
    const {truePositive, falsePositive} = rates
    const basis = method === 'given' ? 'given' : 'labels'
    return {concept, prevalence, precision, basis, sources: [method], truePositive, falsePositive, disagreement: 0}
  }
  const points = {prevalence: prevalence.value, precision: precision?.value ?? 1}
  return acceptedRates(row, labelFreeEstimate(row, [found], points))
}

function acceptedRates({concept, firing}: AnchorEstimates, combined: CombinedRates | undefined): Judged {
  if (combined === undefined)
    return {
      concept,
      reason: `its anchor fires in ${firing > 0 ? 'every' : 'no'} document; choose another word, or remove the concept`
    }
  const {refusals, ...rates} = combined
  return refusals.length > 0 ? {concept, reason: refusals.map(({reason}) => reason).join('; ')} : rates
}

/** The rates of one anchor by all estimators together. */
export interface CombinedRates extends SourcedRates {
  /** Why the labels refuse the concept; empty when it may be used. */
  readonly refusals: readonly RateRefusal[]
}

/**
 * Errors in log P(Y=1) on real text that no number of documents removes: dependent members, words that do not determine
 * the concept; about as measured in research/figures/noise-rates.md. Labels have none: their documents are drawn at random.
 * Positive-only is not used: it is always too high, by up to a factor of 10.
 */
const ASSUMPTION_ERROR: Readonly<Partial<Record<NoiseEstimator, number>>> = {
  pooled: 0,
  pair: 0.5,
  irreducible: 1,
  guess: 0
}

/** Keeps the weight finite where every document is labelled and the interval is a point. */
const LEAST_ERROR = 1e-3

/**
 * The mean of log P(Y=1), weighted by one over squared errors (sampling and assumption). The interval widens where sources
 * disagree more than their errors explain. Without labels people read a constant, and nothing is refused. Undefined without
 * labels for an anchor that fires in no document, or in all.
 */
export function combineEstimates(row: AnchorEstimates): CombinedRates | undefined {
  const {concept, firing, estimates} = row
  const labelled = estimates.find(({method}) => method === 'pooled')
  const sources = estimates
    .flatMap(estimate => {
      const {method, prevalence} = estimate
      const assumption = ASSUMPTION_ERROR[method]
      const isLesser = labelled !== undefined && (method === 'irreducible' || method === 'guess')
      if (assumption === undefined || isLesser) return []
      const chance = Math.max(log(prevalence.high / prevalence.low) / (2 * NORMAL_90), LEAST_ERROR)
      return [{...estimate, weight: 1 / (chance ** 2 + assumption ** 2)}]
    })
    .sort((a, b) => b.weight - a.weight)
  const total = sources.reduce((sum, {weight}) => sum + weight, 0)
  const mean = sources.reduce((sum, {weight, prevalence}) => sum + weight * log(prevalence.value), 0) / total
  if (labelled?.precision === undefined) {
    const precision = sources.find(({method}) => method === 'guess')?.precision?.value
    const points = {...(sources.length > 0 && {prevalence: exp(mean)}), ...(precision && {precision})}
    return labelFreeEstimate(row, sources, points)
  }
  const squares = sources.reduce((sum, {weight, prevalence}) => sum + weight * (log(prevalence.value) - mean) ** 2, 0)
  const disagreement = sources.length > 1 ? Math.sqrt(squares / (sources.length - 1)) : 0
  const margin = (NORMAL_90 * Math.max(1, disagreement)) / Math.sqrt(total)
  const prevalence = {value: exp(mean), low: exp(mean - margin), high: Math.min(exp(mean + margin), 1)}
  const shares = {prevalence, precision: labelled.precision}
  const rates = usableRates(firing, shares) ?? ratesAt(firing, shares, 0)
  const methods = sources.map(({method}) => method)
  const refusals = rateRefusals(firing, shares)
  return {concept, ...rates, basis: 'labels', sources: methods, disagreement, refusals}
}

/**
 * The constant for people, and rates to predict with by estimates that use no label; undefined for an anchor that fires in
 * no document, or in all.
 */
function labelFreeEstimate(
  {concept, firing}: AnchorEstimates,
  sources: readonly AnchorEstimate[],
  points: Partial<Shares<number>>
): CombinedRates | undefined {
  if (!(firing > 0 && firing < 1)) return undefined
  const [low] = sources.flatMap(({method, precision}) =>
    precision !== undefined && precision.value < LEAST_PRECISION ? [{method, value: precision.value}] : []
  )
  return {
    concept,
    ...typicalShares(firing),
    ...labelFreeRates(firing, points),
    basis: 'constant',
    sources: sources.map(({method}) => method),
    ...(low && {lowPrecision: low}),
    disagreement: 0,
    refusals: []
  }
}

/**
 * Rates of a class by its shares. Labels do not refuse it, since its group needs all classes. That an estimate without labels is
 * low says nothing here: on youtube and trec, none of five such classes has a precision below 45%, and the one that has is not among them.
 */
function withClassShares(
  {firing}: AnchorEstimates,
  combined: CombinedRates | undefined,
  shares: ClassShares | undefined
): CombinedRates | undefined {
  if (combined === undefined || shares === undefined) return combined
  const {prevalence, precision} = shares
  const {refusals, lowPrecision: _, ...rates} = combined
  const kept = {
    ...rates,
    ...impliedRates(firing, prevalence, precision),
    ...(refusals.length > 0 && {weak: refusals[0].reason}),
    refusals: []
  }
  // Without labels there is no interval that is known to cover.
  return rates.basis === 'constant'
    ? {
        ...kept,
        prevalence: exactly(prevalence),
        precision: exactly(precision),
        basis: 'balance',
        sources: ['balance'],
        disagreement: 0
      }
    : {...kept, prevalence: widened(rates.prevalence, prevalence), precision: widened(rates.precision, precision)}
}
