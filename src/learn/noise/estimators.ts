/** The estimators of the rates of an anchor: one list, for `estimateNoise` and for the table of all that apply. */
import {AdfaError} from '../../base/checks/index.ts'
import {betaQuantile, clamp} from '../../base/numeric/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import {isotonicRegression} from '../classifier/index.ts'
import {anchorArea, guessRates, otherAnchors} from './guess.ts'
import {anchoredCounts, pooledRates} from './pooled.ts'
import {exactly, PREVALENCE_FLOOR, type RateInterval, type Rates, weakAnchor} from './rates.ts'
import {type AnchorScores, irreducibleShares, positiveOnlyPrevalence} from './scores.ts'
import {twoAnchorShares} from './two-anchors.ts'

/**
 * From the most to the least reliable on real text. `labels` (each concept by itself) and `pooled` use labelled documents;
 * `guess` has no statistical guarantee.
 */
export const noiseEstimators = ['given', 'pooled', 'labels', 'pair', 'irreducible', 'positive-only', 'guess'] as const

export type NoiseEstimator = (typeof noiseEstimators)[number]

/** Evidence beside the counts. */
export interface NoiseEvidence {
  /** Scores of a sample of the documents; `positive-only` and `irreducible` need them. */
  readonly scores?: AnchorScores | undefined
}

/** The estimate of one anchor by one estimator, with 90% intervals. */
export interface AnchorEstimate {
  readonly method: NoiseEstimator
  readonly prevalence: RateInterval
  /** Not every estimator has it. */
  readonly precision: RateInterval | undefined
  /** P(A|Y), where the estimator has them by other means than prevalence, precision and P(A). */
  readonly rates?: Rates
}

export interface NoAnchorEstimate {
  readonly method: NoiseEstimator
  readonly reason: string
}

export interface AnchorEstimates {
  readonly concept: string
  /** Documents where its anchor fires. */
  readonly anchoredCount: number
  /** P(A). */
  readonly firing: number
  readonly estimates: readonly AnchorEstimate[]
  readonly unavailable: readonly NoAnchorEstimate[]
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
    const outcomes = chosen.map(({method, estimate}) => ({method, outcome: refusalAsReason(() => estimate(i))}))
    return {
      concept,
      anchoredCount: fired[i],
      firing: firing[i],
      estimates: outcomes.flatMap(({method, outcome}) => (typeof outcome === 'string' ? [] : [{method, ...outcome}])),
      unavailable: outcomes.flatMap(({method, outcome}) =>
        typeof outcome === 'string' ? [{method, reason: outcome}] : []
      )
    }
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

/** Each does the work for all concepts first, and returns the function for one. */
const ESTIMATORS: Readonly<Record<NoiseEstimator, (context: Context) => Estimator>> = {
  given: context => i => givenRates(context, i),
  labels:
    ({counts}) =>
    i =>
      labelRates(counts, i),
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
  pair:
    ({counts, firing}) =>
    i =>
      twoAnchorShares(counts, i, firing[i]),
  irreducible: context => i => {
    const found = anchorProbabilities(context, i)
    return typeof found === 'string' ? found : irreducibleShares(found.probabilities, context.firing[i])
  },
  'positive-only': context => i => {
    const found = anchorProbabilities(context, i)
    if (typeof found === 'string') return found
    const {probabilities, fired} = found
    return {prevalence: positiveOnlyPrevalence(probabilities, fired, context.firing[i]), precision: undefined}
  },
  guess: ({counts, evidence, firing}) => {
    const others = otherAnchors(counts)
    const known = [...firing.keys()].filter(i => firing[i] > 0)
    const guessed = guessRates(
      known.map(i => {
        const scores = evidence.scores?.concepts.get(counts.lexicon.anchors[i].concept)
        return {firing: firing[i], area: scores && anchorArea(scores), others: others[i]}
      })
    )
    return i => (firing[i] > 0 ? guessed[known.indexOf(i)] : 'its anchor fires in no document')
  }
}

/** With one or a few labelled documents, rates without labels predict better. */
export const FEWEST_LABELLED = 30

export function hasEnoughLabels(counts: Counts): boolean {
  return labelledDocuments(counts) >= Math.max(1, Math.min(FEWEST_LABELLED, counts.documentCount))
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

/**
 * Empirical rates from labelled documents, as in the paper's experiments. Each count is raised by a half, so that no rate
 * is 0 or 1: a rate of 0 would make the divergence infinite at the first document that contradicts it.
 */
function labelRates({labelled, labelShare, tables}: Counts, i: number): Outcome {
  const cells = labelled.subarray(4 * i, 4 * i + 4)
  const [absent, falsely, missed, hit] = cells
  if (tables !== undefined && labelShare !== 0 && cells.every(cell => cell === 0))
    return 'its labelled documents were withheld for being too few; label more documents, or give its rates'
  if (labelShare === 0) return 'no labels were counted; count documents that have tags or labels with `labelShare` 1'
  if (missed + hit === 0)
    return 'no labelled document has it; label more documents, raise `labelShare` or give its rates'
  if (absent + falsely === 0) return 'every labelled document has it; label documents without it'
  const rates = {
    truePositive: (hit + 0.5) / (missed + hit + 1),
    falsePositive: (falsely + 0.5) / (absent + falsely + 1)
  }
  const [weak] = weakAnchor(rates)
  if (weak !== undefined) return weak.reason
  return {
    prevalence: jeffreysInterval(missed + hit, absent + falsely),
    precision: jeffreysInterval(hit, falsely),
    rates
  }
}

/** The share of `count` beside `others` with its 90% interval (Jeffreys). */
function jeffreysInterval(count: number, others: number): RateInterval {
  const [low, high] = [0.05, 0.95].map(quantile => betaQuantile(count + 0.5, others + 0.5, quantile))
  return {value: (count + 0.5) / (count + others + 1), low, high}
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
