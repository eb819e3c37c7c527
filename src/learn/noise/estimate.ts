/** Estimates the rates that a fit uses by any estimator of Section 3.3, or chooses between them, and refuses unusable anchors. */
import {AdfaError} from '../../base/checks/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import {counted, percent, printableLine} from '../../base/text/index.ts'
import {type Counts, dropConcepts, labelledDocuments} from '../../read/counts/index.ts'
import type {SkippedAnchor} from '../../read/data/index.ts'
import {isotonicRegression} from '../classifier/index.ts'
import {type ClassShares, classShares, voteGroups} from '../votes/index.ts'
import {guessShares, labelFreeRates, otherAnchorRatios, possibleShares} from './guess.ts'
import {FEWEST_LABELLED, labelRates, pooledRates} from './labels.ts'
import {
  anchoredCounts,
  type EstimatedRates,
  impliedRates,
  impliedShares,
  type NoiseRates,
  nearestUsableRates,
  noiseRates,
  PREVALENCE_FLOOR,
  pointInterval,
  type RateInterval,
  type Rates,
  type Shares,
  withValue
} from './rates.ts'
import {type AnchorScores, irreducibleRates, positiveOnlyRate} from './scores.ts'
import {twoAnchorRates} from './two-anchors.ts'

/**
 * The estimators are ordered from the most to the least reliable on real text: the anchors file; labelled documents, pooled
 * over concepts or each concept by itself (Section 3.3, setting 4); two or more members of one anchor (setting 1); words that
 * predict the anchor (settings 3 and 2); and a guess, which has no statistical guarantee.
 */
export const noiseEstimators = ['given', 'pooled', 'labels', 'pair', 'irreducible', 'positive-only', 'guess'] as const

export type NoiseEstimator = (typeof noiseEstimators)[number]

/** The estimator that a fit takes its rates from; `auto` takes the most reliable one for each anchor. */
export type NoiseMethod = Exclude<NoiseEstimator, 'pooled' | 'guess'> | 'auto'

/** Data that some estimators need beside the counts. */
export interface NoiseEvidence {
  /** The scores of a sample of the documents, which `positive-only` and `irreducible` need. */
  readonly scores?: AnchorScores | undefined
}

/** The estimate of one anchor by one estimator, with 90% intervals. Without labels their width is 0. */
export interface AnchorEstimate {
  readonly method: NoiseEstimator
  readonly prevalence: RateInterval
  /** Unset for `positive-only`, which assumes a precision of 1. */
  readonly precision: RateInterval | undefined
  /** P(A|Y), if the estimator gives it. If not, it is derived from prevalence, precision and P(A) later. */
  readonly rates?: Rates
}

export interface AnchorEstimates {
  readonly concept: string
  /** The number of documents where its anchor fires. */
  readonly anchoredCount: number
  /** P(A=1), the share of all documents where it fires. */
  readonly firing: number
  readonly estimates: readonly AnchorEstimate[]
  readonly unavailable: readonly {readonly method: NoiseEstimator; readonly reason: string}[]
}

/** Estimates each anchor by all of `methods` that apply to it, and tells why the others do not apply. */
export function noiseTable(
  counts: Counts,
  evidence: NoiseEvidence = {},
  methods: readonly NoiseEstimator[] = noiseEstimators
): readonly AnchorEstimates[] {
  const anchored = anchoredCounts(counts)
  const firing = anchored.map(count => count / counts.documentCount)
  const chosen = methods.map(method => ({method, estimate: ESTIMATORS[method]({counts, evidence, anchored, firing})}))
  return counts.lexicon.anchors.map(({concept}, i) => {
    const estimates: AnchorEstimate[] = []
    const unavailable: {method: NoiseEstimator; reason: string}[] = []
    for (const {method, estimate} of chosen) {
      const found = estimate(i)
      if (typeof found === 'string') unavailable.push({method, reason: found})
      else estimates.push({method, ...found})
    }
    return {concept, anchoredCount: anchored[i], firing: firing[i], estimates, unavailable}
  })
}

interface Context {
  readonly counts: Counts
  readonly evidence: NoiseEvidence
  /** The number of documents where each anchor fires, and P(A=1) of each anchor. */
  readonly anchored: readonly number[]
  readonly firing: readonly number[]
}

/** The estimate of one anchor, or the reason why there is none. */
type Outcome = Omit<AnchorEstimate, 'method'> | string
type Estimator = (concept: number) => Outcome

/** Each estimator does the work that concepts share, and returns a function that estimates one concept. */
const ESTIMATORS: Readonly<Record<NoiseEstimator, (context: Context) => Estimator>> = {
  given: context => i => givenRates(context, i),
  labels: context => i => labelRates(context.counts, i),
  pooled: ({counts, anchored}) => {
    const {documentCount, labelled} = counts
    // Cells 2 and 3 of a concept count the labelled documents that have it.
    const labels = anchored.map((_, i) => labelled.subarray(4 * i, 4 * i + 4).reduce((sum, count) => sum + count, 0))
    const isNoneFound = anchored.every((_, i) => labelled[4 * i + 2] + labelled[4 * i + 3] === 0)
    const found = pooledRates({documentCount, anchoredCounts: anchored, labelled})
    return i => {
      if (labels[i] === 0) return 'no document is labelled for it'
      if (labels[i] < Math.min(FEWEST_LABELLED, documentCount))
        return `only ${counted(labels[i], 'document')} ${labels[i] === 1 ? 'is' : 'are'} labelled for it; label at least ${FEWEST_LABELLED}`
      if (isNoneFound) return `no labelled document has any of the ${anchored.length} concepts; label more documents`
      return {prevalence: found[i].prevalence, precision: found[i].precision}
    }
  },
  pair:
    ({counts, firing}) =>
    i => {
      const found = twoAnchorRates(counts, i)
      if (typeof found === 'string') return found
      if (found.certificate.impossiblePairs > 0)
        return 'two of its members depend on each other otherwise than through the concept'
      return pointShares(firing[i], found)
    },
  irreducible: context => i => {
    const scores = anchorProbabilities(context, i)
    if (typeof scores === 'string') return scores
    const found = irreducibleRates(scores.probabilities)
    return typeof found === 'string' ? found : pointShares(context.firing[i], found)
  },
  'positive-only': context => i => {
    const scores = anchorProbabilities(context, i)
    if (typeof scores === 'string') return scores
    const found = positiveOnlyRate(scores.probabilities, scores.fired)
    if (typeof found === 'string') return found
    return {prevalence: pointInterval(Math.min(context.firing[i] / found, 1)), precision: undefined}
  },
  guess: ({counts, firing}) => {
    const guessed = guessShares(firing, otherAnchorRatios(counts))
    return i => (firing[i] > 0 ? guessed[i] : 'its anchor fires in no document')
  }
}

/**
 * Returns prevalence and precision by rates that were estimated without labels, and by P(A). Their intervals have width 0: on
 * real text the intervals that were tried held the truth in 24% to 59% of the cases.
 */
function pointShares(firing: number, {prevalence, falsePositive}: Rates & Pick<Shares<number>, 'prevalence'>) {
  return {
    prevalence: pointInterval(clamp(prevalence, PREVALENCE_FLOOR, 1)),
    precision: pointInterval(clamp(1 - (falsePositive * (1 - prevalence)) / firing, 0, 1))
  }
}

/** Returns the rates that the anchors file gives. A string is the reason why they cannot be used. */
function givenRates({counts, firing}: Context, i: number): Outcome {
  const {rates} = counts.lexicon.anchors[i]
  if (rates === undefined)
    return "no rates given; add truePositive and falsePositive (or prevalence and precision) to its anchor, or use `noise` 'auto'"
  const {prevalence, precision} = rates.kind === 'rates' ? impliedShares(firing[i], rates) : rates
  const shares = {prevalence: pointInterval(prevalence), precision: pointInterval(precision)}
  if (rates.kind === 'rates') return {...shares, rates}
  // Bayes' rule gives t = P(A=1|Y=1) and e = P(A=1|Y=0) from P(A), P(Y) and P(Y|A).
  const t = (precision * firing[i]) / prevalence
  const e = ((1 - precision) * firing[i]) / (1 - prevalence)
  if (t < 1 && e < 1) return {...shares, rates: {truePositive: t, falsePositive: e}}
  return (
    `prevalence ${prevalence} and precision ${precision} do not fit an anchor in ${percent(firing[i])} of the ` +
    `documents (P(A|Y=1) would be ${t.toFixed(3)}, P(A|Y=0) ${e.toFixed(3)}); ${t < 1 ? 'lower' : 'raise'} the prevalence`
  )
}

/** Returns P(A=1|x) of every scored document x, and whether the anchor fires there, or the reason why there are no scores. */
function anchorProbabilities({counts, evidence}: Context, i: number) {
  if (evidence.scores === undefined) return 'it needs documents, not just counts'
  const scores = evidence.scores.get(counts.lexicon.anchors[i].concept)
  if (scores === undefined) return 'its anchor fires in too few documents to learn from'
  return {fired: scores.fired, probabilities: isotonicRegression(scores.logOdds, scores.fired)}
}

/**
 * The origin of prevalence and precision. Two of the values are not measured: 'constant' stands for an estimate without labels,
 * 'balance' for the most probable shares of classes that exclude each other (`classShares`).
 */
export type RateBasis = 'given' | 'labels' | 'constant' | 'balance'

/** Tells whether labels or the anchors file stand behind prevalence and precision; others are not for people to read. */
export function isMeasured(basis: RateBasis): boolean {
  return basis === 'given' || basis === 'labels'
}

/** The rates of one anchor with the estimators used. */
export interface SourcedRates extends EstimatedRates {
  readonly basis: RateBasis
  readonly sources: readonly (NoiseEstimator | 'balance')[]
  /** Why labels refuse the concept. A fit keeps it only if it is a class of an exclusive group, which needs all its classes. */
  readonly weak?: string
}

/** Returns rates whose intervals, where nobody measured them, are the ranges in which they may lie. */
export function possibleRates(rates: SourcedRates): SourcedRates {
  const {prevalence, precision, basis} = rates
  const shares = {prevalence: prevalence.value, precision: precision.value}
  return basis === 'constant' ? {...rates, ...possibleShares(shares)} : rates
}

export interface NoiseCertificate {
  readonly method: NoiseMethod
  /** The number of labelled documents that were used; 0 when labels were not used. */
  readonly labelledCount: number
  /** Concepts whose prevalence was clipped into [1e-4, 1 - 1e-4]: P(A) is not between P(A|Y=0) and P(A|Y=1). */
  readonly clippedPrevalence: readonly string[]
  /** Concepts whose anchor, by given rates, fires less often with the concept than without; unset if there are none. */
  readonly rarerWithConcept?: readonly string[]
  readonly concepts: readonly SourcedRates[]
}

export interface EstimatedNoise extends NoiseRates {
  readonly certificate: NoiseCertificate
}

/** Every concept is in one of the two lists: with the rates that a fit uses, or with the reason why it refuses the concept. */
export interface NoiseVerdict {
  readonly rates: readonly SourcedRates[]
  readonly refused: readonly SkippedAnchor[]
}

/** Estimates the rates of all anchors, or throws one error that names every concept without usable rates. */
export function estimateNoise(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): EstimatedNoise {
  const {rates, refused} = judgeNoise(counts, method, evidence)
  if (refused.length > 0)
    throw new AdfaError(
      'bad-rates',
      `could not estimate the rates of ${refused.length} of ${counts.lexicon.anchors.length} anchors:` +
        refused.map(({concept, reason}) => `\n  concept "${concept}": ${printableLine(reason)}`).join('')
    )
  return packRates(counts, method, rates)
}

/** Estimates the rates that `fit` and `adfa doctor` use, and again without refused concepts, since those affect the others. */
export function judgeNoise(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): NoiseVerdict {
  const isAuto = counts.lexicon.anchors.map(({rates}) => method === 'auto' && rates === undefined)
  const estimators = method === 'auto' ? (['given', 'pooled', 'guess'] as const) : [method]
  const classes = isAuto.includes(true) ? classShares(counts) : []
  const judged = noiseTable(counts, evidence, estimators).map((row, i): SourcedRates | SkippedAnchor => {
    const found = isAuto[i] ? autoRates(row, classes[i]) : soleRates(row, method === 'auto' ? 'given' : method)
    if (typeof found === 'string') return {concept: row.concept, reason: found}
    // A class of an exclusive group, for which `classes[i]` is set, is kept even if labels refuse it.
    return found.weak === undefined || classes[i] ? found : {concept: row.concept, reason: found.weak}
  })
  const rates = judged.flatMap(one => ('reason' in one ? [] : [one]))
  const refused = judged.flatMap(one => ('reason' in one ? [one] : []))
  if (refused.length === 0 || rates.length === 0) return {rates, refused}
  const rest = judgeNoise(dropConcepts(counts, refused), method, evidence)
  return {rates: rest.rates, refused: [...refused, ...rest.refused]}
}

/** Returns the rates of all usable concepts, and counts whose other concepts are moved to `lexicon.skipped`. */
export function usableNoise(counts: Counts, method: NoiseMethod, evidence?: NoiseEvidence) {
  const {rates, refused} = judgeNoise(counts, method, evidence)
  const kept = refused.length === 0 ? counts : dropConcepts(counts, refused)
  return {counts: kept, noise: packRates(kept, method, rates)}
}

/** Packs the rates of all concepts of these counts, as estimated or as kept in the certificate of a model. */
export function packRates(counts: Counts, method: NoiseMethod, concepts: readonly SourcedRates[]): EstimatedNoise {
  const {anchors} = counts.lexicon
  const anchored = anchoredCounts(counts)
  const implied = concepts.map((own, i) => ({...own, ...impliedShares(anchored[i] / counts.documentCount, own)}))
  const rates = noiseRates(implied)
  const namesOf = (isNamed: (i: number) => boolean) => anchors.filter((_, i) => isNamed(i)).map(({concept}) => concept)
  const clippedPrevalence = namesOf(i => [PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR].includes(rates.prevalence[i]))
  const rarer = namesOf(i => concepts[i].truePositive < concepts[i].falsePositive)
  // Exactly one class of a group holds, so estimated prevalences of its classes are scaled to add up to 1.
  for (const {concepts: own} of voteGroups(anchors)) {
    if (own.some(i => concepts[i].basis === 'given')) continue
    const total = own.reduce((sum, i) => sum + concepts[i].prevalence.value, 0)
    for (const i of own) rates.prevalence[i] = concepts[i].prevalence.value / total
  }
  const hasUsedLabels = method === 'labels' || concepts.some(({sources}) => sources.includes('pooled'))
  return {
    ...rates,
    certificate: {
      method,
      labelledCount: hasUsedLabels ? labelledDocuments(counts) : 0,
      clippedPrevalence,
      ...(rarer.length > 0 && {rarerWithConcept: rarer}),
      concepts
    }
  }
}

/** Returns the rates by one estimator, or the reason why there are none, followed by what to do. */
function soleRates(row: AnchorEstimates, method: NoiseEstimator): SourcedRates | string {
  const found = row.estimates.find(estimate => estimate.method === method)
  if (found === undefined) {
    const reason = row.unavailable.find(estimate => estimate.method === method)?.reason ?? ''
    const hasAdvice = method === 'given' || method === 'labels'
    return hasAdvice ? reason : `${reason}; choose another \`noise\` method, or remove the concept`
  }
  const {prevalence, precision, rates} = found
  if (rates === undefined || precision === undefined) return unlabelledRates(row, found)
  const {truePositive, falsePositive} = rates
  const basis = method === 'given' ? 'given' : 'labels'
  return {concept: row.concept, prevalence, precision, truePositive, falsePositive, basis, sources: [method]}
}

/**
 * Returns the rates that `auto` has for an anchor without given rates, or the reason why there are none: by labels if there are
 * enough, otherwise by the guess. For a class of an exclusive group, `shares` replace prevalence and precision. Estimators of
 * Section 3.3 without labels are not used: on real text the prevalence is too high by up to a factor of 10 by `positive-only`,
 * and off by a factor of 12 by `pair`, which applies to five anchors of eight corpora. Giving `irreducible` a weight of 1/5
 * beside the guess raises last-tag accuracy and average precision by less than .003.
 */
export function autoRates(row: AnchorEstimates, shares?: ClassShares | undefined): SourcedRates | string {
  const [labelled, guess] = (['pooled', 'guess'] as const).map(method =>
    row.estimates.find(estimate => estimate.method === method)
  )
  let found = unlabelledRates(row, guess)
  if (labelled?.precision !== undefined) {
    const known = {prevalence: labelled.prevalence, precision: labelled.precision}
    const {rates, refusal} = nearestUsableRates(row.firing, known)
    const weak = refusal && {weak: refusal.reason}
    found = {concept: row.concept, ...rates, basis: 'labels', sources: ['pooled'], ...weak}
  }
  return typeof found === 'string' || shares === undefined ? found : withClassShares(row, found, shares)
}

/** Returns the rates to predict with by `found`, an estimate without labels, or a reason why there are none. */
function unlabelledRates({concept, firing}: AnchorEstimates, found: AnchorEstimate | undefined): SourcedRates | string {
  if (found === undefined || firing === 1)
    return `its anchor fires in ${firing > 0 ? 'every' : 'no'} document; choose another word, or remove the concept`
  const estimated = {prevalence: found.prevalence.value, precision: found.precision?.value ?? 1}
  const rates = labelFreeRates(firing, estimated)
  const {prevalence, precision} = impliedShares(firing, rates)
  const shares = {prevalence: pointInterval(prevalence), precision: pointInterval(precision)}
  return {concept, ...shares, ...rates, basis: 'constant', sources: [found.method]}
}

/** Returns `rates` with the given shares of a class. Without labels no interval is known to hold them, so its width is 0. */
function withClassShares({firing}: AnchorEstimates, rates: SourcedRates, shares: ClassShares): SourcedRates {
  const isConstant = rates.basis === 'constant'
  const intervalOf = (interval: RateInterval, value: number) =>
    isConstant ? pointInterval(value) : withValue(interval, value)
  return {
    ...rates,
    ...impliedRates(firing, shares),
    prevalence: intervalOf(rates.prevalence, shares.prevalence),
    precision: intervalOf(rates.precision, shares.precision),
    ...(isConstant && {basis: 'balance', sources: ['balance']})
  }
}
