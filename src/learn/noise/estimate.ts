/** The rates that a fit uses: every estimator of Section 3.3, the choice between them, and the concepts that a fit refuses. */
import {AdfaError} from '../../base/checks/index.ts'
import {clamp, exp, log} from '../../base/numeric/index.ts'
import {counted, percent, printableLine} from '../../base/text/index.ts'
import {type Counts, dropConcepts, labelledDocuments} from '../../read/counts/index.ts'
import type {SkippedAnchor} from '../../read/data/index.ts'
import {isotonicRegression} from '../classifier/index.ts'
import {type ClassShares, classShares, voteGroups} from '../votes/index.ts'
import {guessRates, labelFreeRates, otherAnchors, typicalShares} from './guess.ts'
import {FEWEST_LABELLED, hasEnoughLabels, labelRates, pooledRates} from './labels.ts'
import {
  anchoredCounts,
  type EstimatedRates,
  exactly,
  impliedRates,
  type NoiseRates,
  nearestUsable,
  PREVALENCE_FLOOR,
  packedRates,
  type RateInterval,
  type Rates,
  type Shares,
  widened
} from './rates.ts'
import {type AnchorScores, irreducibleRates, positiveOnlyRate} from './scores.ts'
import {twoAnchorRates} from './two-anchors.ts'

/**
 * From the most to the least reliable on real text: the anchors file; labelled documents, pooled over concepts or each
 * concept by itself (Section 3.3, setting 4); two or more members of one anchor (setting 1); words that predict the anchor
 * (settings 3 and 2); and a guess, which has no statistical guarantee.
 */
export const noiseEstimators = ['given', 'pooled', 'labels', 'pair', 'irreducible', 'positive-only', 'guess'] as const

export type NoiseEstimator = (typeof noiseEstimators)[number]

/** Where a fit takes its rates from: one estimator, or the best that the data allows. */
export type NoiseMethod = Exclude<NoiseEstimator, 'pooled' | 'guess'> | 'auto'

/** Evidence beside the counts. */
export interface NoiseEvidence {
  /** Scores of a sample of the documents; `positive-only` and `irreducible` need them. */
  readonly scores?: AnchorScores | undefined
}

/** The estimate of one anchor by one estimator, with 90% intervals, of width 0 without labels. */
export interface AnchorEstimate {
  readonly method: NoiseEstimator
  readonly prevalence: RateInterval
  /** Not every estimator has it. */
  readonly precision: RateInterval | undefined
  /** P(A|Y), where the estimator has them by other means than prevalence, precision and P(A). */
  readonly rates?: Rates
}

export interface AnchorEstimates {
  readonly concept: string
  /** Documents where its anchor fires. */
  readonly anchoredCount: number
  /** P(A). */
  readonly firing: number
  readonly estimates: readonly AnchorEstimate[]
  readonly unavailable: readonly {readonly method: NoiseEstimator; readonly reason: string}[]
}

/** The estimate for each anchor by every estimator that applies, or why there is none. */
export function noiseTable(
  counts: Counts,
  evidence: NoiseEvidence = {},
  methods: readonly NoiseEstimator[] = noiseEstimators
): readonly AnchorEstimates[] {
  const fired = anchoredCounts(counts)
  const firing = fired.map(count => count / counts.documentCount)
  const chosen = methods.map(method => ({method, estimate: ESTIMATORS[method]({counts, evidence, fired, firing})}))
  return counts.lexicon.anchors.map(({concept}, i) => {
    const estimates: AnchorEstimate[] = []
    const unavailable: {method: NoiseEstimator; reason: string}[] = []
    for (const {method, estimate} of chosen) {
      const found = refusalAsReason(() => estimate(i))
      if (typeof found === 'string') unavailable.push({method, reason: found})
      else estimates.push({method, ...found})
    }
    return {concept, anchoredCount: fired[i], firing: firing[i], estimates, unavailable}
  })
}

interface Context {
  readonly counts: Counts
  readonly evidence: NoiseEvidence
  readonly fired: readonly number[]
  readonly firing: readonly number[]
}

/** An estimate of one anchor, or why there is none. */
type Outcome = Omit<AnchorEstimate, 'method'> | string
type Estimator = (concept: number) => Outcome

/** Each estimator does the work for all concepts first, and returns the function for one. */
const ESTIMATORS: Readonly<Record<NoiseEstimator, (context: Context) => Estimator>> = {
  given: context => i => givenRates(context, i),
  labels: context => i => labelRates(context.counts, i),
  pooled: ({counts, fired}) => {
    const count = labelledDocuments(counts)
    if (count === 0) return () => 'no document is labelled'
    if (!hasEnoughLabels(counts))
      return () =>
        `only ${counted(count, 'document')} ${count === 1 ? 'is' : 'are'} labelled; label at least ${FEWEST_LABELLED}`
    const sample = {documentCount: counts.documentCount, anchoredCounts: fired, labelled: counts.labelled}
    const found = refusalAsReason(() => pooledRates(sample))
    if (typeof found === 'string') return () => found
    return i => ({prevalence: found.concepts[i].prevalence, precision: found.concepts[i].precision})
  },
  pair: context => i => {
    const found = twoAnchorRates(context.counts, i)
    if (typeof found === 'string') return found
    if (found.certificate.impossiblePairs > 0)
      return 'two of its members depend on each other otherwise than through the concept'
    return pointShares(context.firing[i], found)
  },
  irreducible: context => i => {
    const found = anchorProbabilities(context, i)
    return typeof found === 'string' ? found : pointShares(context.firing[i], irreducibleRates(found.probabilities))
  },
  'positive-only': context => i => {
    const found = anchorProbabilities(context, i)
    if (typeof found === 'string') return found
    const truePositive = positiveOnlyRate(found.probabilities, found.fired)
    return {prevalence: exactly(Math.min(context.firing[i] / truePositive, 1)), precision: undefined}
  },
  guess: ({counts, firing}) => {
    const guessed = guessRates(firing, otherAnchors(counts))
    return i => (firing[i] > 0 ? guessed[i] : 'its anchor fires in no document')
  }
}

/**
 * Prevalence and precision of an anchor by its rates and P(A). They have no interval: on real text none that was tried without
 * labels held the truth in more than half of the cases.
 */
function pointShares(firing: number, {prevalence, falsePositive}: Rates & Pick<Shares<number>, 'prevalence'>) {
  return {
    prevalence: exactly(clamp(prevalence, PREVALENCE_FLOOR, 1)),
    precision: exactly(clamp(1 - (falsePositive * (1 - prevalence)) / firing, 0, 1))
  }
}

function givenRates({counts, firing}: Context, i: number): Outcome {
  const {rates} = counts.lexicon.anchors[i]
  if (rates === undefined)
    return "no rates given; add truePositive and falsePositive (or prevalence and precision) to its anchor, or use `noise` 'auto'"
  if (rates.kind === 'rates') {
    const {truePositive: t, falsePositive: e} = rates
    const p = clamp((firing[i] - e) / (t - e), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
    return {prevalence: exactly(p), precision: exactly((t * p) / (t * p + e * (1 - p))), rates}
  }
  const {prevalence, precision} = rates
  // Bayes' rule on the anchor's own frequency: P(A|Y) from P(Y) and P(Y|A).
  const t = (precision * firing[i]) / prevalence
  const e = ((1 - precision) * firing[i]) / (1 - prevalence)
  if (!(t < 1 && e < 1))
    return (
      `prevalence ${prevalence} and precision ${precision} do not fit an anchor in ${percent(firing[i])} of the ` +
      `documents (P(A|Y=1) would be ${t.toFixed(3)}, P(A|Y=0) ${e.toFixed(3)}); ${t < 1 ? 'lower' : 'raise'} the prevalence`
    )
  const own = {truePositive: t, falsePositive: e}
  return {prevalence: exactly(prevalence), precision: exactly(precision), rates: own}
}

/** P(A=1|x) of every scored document, and where the anchor fires. */
function anchorProbabilities({counts, evidence}: Context, i: number) {
  if (evidence.scores === undefined) return 'it needs documents, not just counts'
  const scores = evidence.scores.concepts.get(counts.lexicon.anchors[i].concept)
  if (scores === undefined) return 'its anchor fires in too few documents to learn from'
  return {fired: scores.fired, probabilities: isotonicRegression(scores.logOdds, scores.fired)}
}

/** The message of an estimator that refuses this anchor; other errors pass through. */
function refusalAsReason<Found>(estimate: () => Found): Found | string {
  try {
    return estimate()
  } catch (error) {
    if (error instanceof AdfaError && error.code === 'bad-rates') return error.message
    throw error
  }
}

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
  readonly sources: readonly (NoiseEstimator | 'balance')[]
  /** Why labels refuse the concept; unset where they do not. A class of a group of votes is kept all the same. */
  readonly weak?: string
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

/** Estimates the rates of all anchors; throws one error that names every concept without usable rates. */
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

/**
 * Returns the rates that `fit` and `adfa doctor` use. Repeats without the refused concepts, as estimates may depend on
 * them.
 */
export function judgeNoise(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): NoiseVerdict {
  const verdict = judgeOnce(counts, method, evidence)
  const {rates, refused} = verdict
  if (refused.length === 0 || rates.length === 0) return verdict
  const rest = judgeNoise(dropConcepts(counts, refused), method, evidence)
  return {rates: rest.rates, refused: [...refused, ...rest.refused]}
}

/** Returns the rates of all concepts with usable rates, and moves the other concepts to `lexicon.skipped`. */
export function usableNoise(
  counts: Counts,
  method: NoiseMethod,
  evidence?: NoiseEvidence
): {readonly counts: Counts; readonly noise: EstimatedNoise} {
  const {rates, refused} = judgeNoise(counts, method, evidence)
  const kept = refused.length === 0 ? counts : dropConcepts(counts, refused)
  return {counts: kept, noise: packRates(kept, method, rates)}
}

/** The verdict where counts alone give it within milliseconds: not by members, words or groups of classes. */
export function countedNoise(counts: Counts, method: NoiseMethod): NoiseVerdict | undefined {
  const isCounted = method === 'given' || method === 'labels' || method === 'auto'
  const hasGroups = counts.lexicon.anchors.some(({exclusive}) => exclusive !== undefined)
  return isCounted && !hasGroups ? judgeNoise(counts, method) : undefined
}

/** Packs the rates that were found for these counts, also those from the certificate of a model. */
export function packRates(counts: Counts, method: NoiseMethod, concepts: readonly SourcedRates[]): EstimatedNoise {
  const {anchors} = counts.lexicon
  const rates = packedRates(
    anchoredCounts(counts).map(count => count / counts.documentCount),
    concepts
  )
  const isClipped = rates.prevalence.map(p => Number(p === PREVALENCE_FLOOR || p === 1 - PREVALENCE_FLOOR))
  for (const {concepts: own} of voteGroups(anchors)) {
    if (own.some(i => concepts[i].basis === 'given')) continue
    const total = own.reduce((sum, i) => sum + concepts[i].prevalence.value, 0)
    for (const i of own) rates.prevalence[i] = concepts[i].prevalence.value / total
  }
  const namesOf = (isNamed: (i: number) => boolean) => anchors.filter((_, i) => isNamed(i)).map(({concept}) => concept)
  const rarer = namesOf(i => concepts[i].truePositive < concepts[i].falsePositive)
  const usesLabels = method === 'labels' || concepts.some(({sources}) => sources.includes('pooled'))
  return {
    ...rates,
    certificate: {
      method,
      labelledCount: usesLabels ? labelledDocuments(counts) : 0,
      clippedPrevalence: namesOf(i => isClipped[i] === 1),
      ...(rarer.length > 0 && {rarerWithConcept: rarer}),
      concepts
    }
  }
}

function judgeOnce(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence): NoiseVerdict {
  const {anchors} = counts.lexicon
  const isAuto = anchors.map(({rates}) => method === 'auto' && rates === undefined)
  const estimators: readonly NoiseEstimator[] = method === 'auto' ? autoEstimators(counts) : [method]
  const classes = isAuto.includes(true) ? classShares(counts) : []
  const judged = noiseTable(counts, evidence, estimators).map((row, i): SourcedRates | SkippedAnchor => {
    const found = isAuto[i] ? autoRates(row, classes[i]) : soleRates(row, method === 'auto' ? 'given' : method)
    if (typeof found === 'string') return {concept: row.concept, reason: found}
    return found.weak === undefined || classes[i] ? found : {concept: row.concept, reason: found.weak}
  })
  return {
    rates: judged.flatMap(one => ('reason' in one ? [] : [one])),
    refused: judged.flatMap(one => ('reason' in one ? [one] : []))
  }
}

/** The estimators that `auto` reads. Where documents are labelled, those without labels add nothing. */
function autoEstimators(counts: Counts): readonly NoiseEstimator[] {
  if (counts.lexicon.anchors.every(({rates}) => rates !== undefined)) return ['given']
  return hasEnoughLabels(counts) ? ['given', 'pooled'] : ['given', 'irreducible', 'guess']
}

/** The rates by one estimator, or why there are none. Without an estimate of the precision, the anchor never fires falsely. */
function soleRates(row: AnchorEstimates, method: NoiseEstimator): SourcedRates | string {
  const found = row.estimates.find(estimate => estimate.method === method)
  if (found === undefined) {
    const reason = row.unavailable.find(estimate => estimate.method === method)?.reason ?? ''
    const isComplete = method === 'given' || method === 'labels'
    return isComplete ? reason : `${reason}; choose another \`noise\` method, or remove the concept`
  }
  const {prevalence, precision, rates} = found
  if (rates === undefined || precision === undefined)
    return unlabelledRates(row, {prevalence: prevalence.value, precision: precision?.value ?? 1}, [method])
  const {truePositive, falsePositive} = rates
  const basis = method === 'given' ? 'given' : 'labels'
  return {concept: row.concept, prevalence, precision, truePositive, falsePositive, basis, sources: [method]}
}

/**
 * The weight of `irreducible` beside the guess, by one over their squared errors of log P(Y=1) on real text. The other
 * estimators without labels are not used: `positive-only` is always too high, by up to a factor of 10, and `pair` is off by a
 * factor of 12 on the five anchors of eight corpora that have it.
 */
const IRREDUCIBLE_WEIGHT = 0.2

function meanPrevalence(guess: number, irreducible = guess): number {
  return exp((1 - IRREDUCIBLE_WEIGHT) * log(guess) + IRREDUCIBLE_WEIGHT * log(irreducible))
}

/**
 * The rates of `auto` for an anchor without given ones: by labels where there are enough, else by the guess and the words.
 * Shares of a class replace prevalence and precision. A string says why there are none.
 */
export function autoRates(row: AnchorEstimates, shares?: ClassShares | undefined): SourcedRates | string {
  const [labelled, guess, irreducible] = (['pooled', 'guess', 'irreducible'] as const).map(method =>
    row.estimates.find(estimate => estimate.method === method)
  )
  let found: SourcedRates | string
  if (labelled?.precision !== undefined) {
    const known = {prevalence: labelled.prevalence, precision: labelled.precision}
    const {rates, refusal} = nearestUsable(row.firing, known)
    const weak = refusal && {weak: refusal.reason}
    found = {concept: row.concept, ...rates, basis: 'labels', sources: ['pooled'], ...weak}
  } else {
    const prevalence = guess && meanPrevalence(guess.prevalence.value, irreducible?.prevalence.value)
    const points = {...(prevalence && {prevalence}), ...(guess?.precision && {precision: guess.precision.value})}
    const sources = [guess, irreducible].flatMap(estimate => (estimate ? [estimate.method] : []))
    found = unlabelledRates(row, points, sources)
  }
  return typeof found === 'string' || shares === undefined ? found : withClassShares(row, found, shares)
}

/** The constant for people, and rates to predict with by estimates that use no label. */
function unlabelledRates(
  {concept, firing}: AnchorEstimates,
  points: Partial<Shares<number>>,
  sources: readonly NoiseEstimator[]
): SourcedRates | string {
  if (!(firing > 0 && firing < 1))
    return `its anchor fires in ${firing > 0 ? 'every' : 'no'} document; choose another word, or remove the concept`
  return {concept, ...typicalShares(firing), ...labelFreeRates(firing, points), basis: 'constant', sources}
}

/** The rates of a class by its shares. Without labels there is no interval that is known to cover. */
function withClassShares({firing}: AnchorEstimates, rates: SourcedRates, shares: ClassShares): SourcedRates {
  const isConstant = rates.basis === 'constant'
  const around = (interval: RateInterval, value: number) => (isConstant ? exactly(value) : widened(interval, value))
  return {
    ...rates,
    ...impliedRates(firing, shares.prevalence, shares.precision),
    prevalence: around(rates.prevalence, shares.prevalence),
    precision: around(rates.precision, shares.precision),
    ...(isConstant && {basis: 'balance', sources: ['balance']})
  }
}
