/** Every estimator side by side: the estimate for each anchor, or why there is none. */

import {AdfaError} from '../../base/checks/index.ts'
import {clamp, NORMAL_90} from '../../base/numeric/index.ts'
import {counted} from '../../base/text/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import {calibrate, calibrated} from '../classifier/index.ts'
import type {AnchorScores, ConceptScores} from './anchor-scores.ts'
import {anchorArea, guessRates, otherAnchors} from './guess-rates.ts'
import {usualPrecision} from './label-free-rates.ts'
import {anchoredCounts, type LabelledSample} from './labelled-sample.ts'
import {type PooledRate, pooledRates} from './pooled-rates.ts'
import {exactly, PREVALENCE_FLOOR, type RateInterval} from './rates.ts'
import {refinedRates} from './refined-rates.ts'
import {irreducibleRates, positiveOnlyRate} from './score-rates.ts'
import {type RateEstimate, twoAnchorRates} from './two-anchor-rates.ts'

/**
 * From the most to the least reliable on real text. `pooled` and `refined` use labelled documents; `guess` has no
 * statistical guarantee.
 */
export const noiseEstimators = ['given', 'refined', 'pooled', 'pair', 'irreducible', 'positive-only', 'guess'] as const

export type NoiseEstimator = (typeof noiseEstimators)[number]

/** Evidence beside the counts. */
export interface NoiseEvidence {
  /** Scores of a sample of the documents; `positive-only`, `irreducible` and `refined` need them. */
  readonly scores?: AnchorScores | undefined
  /** The mean number of concepts per document, if known: it scales guesses. */
  readonly conceptsPerDocument?: number | undefined
}

/** The estimate of one anchor by one estimator, with 90% intervals. */
export interface AnchorEstimate {
  readonly method: NoiseEstimator
  readonly prevalence: RateInterval
  /** Not every estimator has it. */
  readonly precision: RateInterval | undefined
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

const NEVER_FIRES = 'its anchor fires in no document'
const NO_DOCUMENTS = 'it needs documents, not just counts'

type Outcome = Omit<AnchorEstimate, 'method'> | string
type Estimator = (concept: number) => Outcome

export function noiseTable(
  counts: Counts,
  evidence: NoiseEvidence = {},
  methods: readonly NoiseEstimator[] = noiseEstimators
): readonly AnchorEstimates[] {
  const {anchors} = counts.lexicon
  const fired = anchoredCounts(counts)
  const context = {counts, evidence, fired, firing: fired.map(count => count / counts.documentCount)}
  const chosen = methods.map(method => ({method, estimate: ESTIMATORS[method](context)}))
  return anchors.map(({concept}, i) => {
    const outcomes = chosen.map(({method, estimate}) => ({method, outcome: refusalAsReason(() => estimate(i))}))
    return {
      concept,
      anchoredCount: fired[i],
      firing: context.firing[i],
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

/** Each does the work for all concepts first, and returns the function for one. */
const ESTIMATORS: Readonly<Record<NoiseEstimator, (context: Context) => Estimator>> = {
  given:
    ({counts, firing}) =>
    i => {
      const {rates} = counts.lexicon.anchors[i]
      if (rates === undefined) return 'the anchors file has no rates for it'
      if (rates.kind === 'shares') return {prevalence: exactly(rates.prevalence), precision: exactly(rates.precision)}
      const {truePositive: t, falsePositive: e} = rates
      const prevalence = clamp((firing[i] - e) / (t - e), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
      return {prevalence: exactly(prevalence), precision: exactly(clamp((t * prevalence) / firing[i], 0, 1))}
    },
  pooled: context => fromLabels(context, () => pooledRates(labelledSample(context))),
  refined: context => {
    const {scores} = context.evidence
    if (scores === undefined) return () => NO_DOCUMENTS
    const names = context.counts.lexicon.anchors.map(({concept}) => concept)
    return fromLabels(context, () => refinedRates(labelledSample(context), names, scores))
  },
  pair: ({counts, firing}) => {
    return i => {
      const found = twoAnchorRates(counts, i)
      if (found.kind === 'unusable') return found.reason
      const {prevalence, united, certificate} = found
      if (certificate.impossiblePairs > 0)
        return 'two of its members depend on each other otherwise than through the concept'
      const precisionAt = (e: number) => clamp(1 - (e * (1 - prevalence.value)) / firing[i], 0, 1)
      const e = ninety(united.falsePositive)
      return {
        prevalence: ninety(prevalence),
        precision: {value: precisionAt(e.value), low: precisionAt(e.high), high: precisionAt(e.low)}
      }
    }
  },
  irreducible: context =>
    fromScores(context, (probabilities, {firing}) => {
      const {truePositive: t, falsePositive: e, prevalence} = irreducibleRates(probabilities)
      const at = (high: number, low: number) => clamp((firing - low) / (high - low), PREVALENCE_FLOOR, 1)
      const [low, high] = [at(t.high, e.value), at(t.low, e.value)]
      const precisionAt = (rate: number) => clamp(1 - (rate * (1 - prevalence)) / firing, 0, 1)
      return {
        prevalence: {value: clamp(prevalence, PREVALENCE_FLOOR, 1), low: Math.min(low, prevalence), high},
        precision: {value: precisionAt(e.value), low: precisionAt(e.high), high: precisionAt(e.low)}
      }
    }),
  'positive-only': context =>
    fromScores(context, (probabilities, {fired, firing}) => {
      const {truePositive: t, standardError} = positiveOnlyRate(probabilities, fired)
      const at = (rate: number) => Math.min(firing / rate, 1)
      const margin = NORMAL_90 * standardError
      return {
        prevalence: {value: at(t), low: at(t + margin), high: at(Math.max(t - margin, firing))},
        precision: undefined
      }
    }),
  guess: ({counts, evidence, firing}) => {
    const others = otherAnchors(counts)
    const known = [...firing.keys()].filter(i => firing[i] > 0)
    if (known.length === 0) return () => NEVER_FIRES
    const areaOf = (i: number) => {
      const scores = evidence.scores?.concepts.get(counts.lexicon.anchors[i].concept)
      return scores && anchorArea(scores)
    }
    const guessed = guessRates(
      known.map(i => ({firing: firing[i], area: areaOf(i), others: others[i]})),
      evidence.conceptsPerDocument
    )
    return i => {
      if (!(firing[i] > 0)) return NEVER_FIRES
      const at = known.indexOf(i)
      const {low, high} = guessed.effectiveTruePositive[at]
      return {
        prevalence: {value: guessed.prevalence[at], low: firing[i] / high, high: Math.min(firing[i] / low, 1)},
        precision: usualPrecision(guessed.precision[at])
      }
    }
  }
}

function ninety({value, standardError}: RateEstimate): RateInterval {
  const margin = NORMAL_90 * standardError
  return {value, low: clamp(value - margin, 0, 1), high: clamp(value + margin, 0, 1)}
}

function labelledSample({counts, fired}: Context): LabelledSample {
  return {documentCount: counts.documentCount, anchoredCounts: fired, labelled: counts.labelled}
}

/** With one or a few labelled documents, rates without labels predict better. */
export const FEWEST_LABELLED = 30

function fromLabels({counts}: Context, estimate: () => {readonly concepts: readonly PooledRate[]}): Estimator {
  const count = labelledDocuments(counts)
  if (count === 0) return () => 'no document is labelled'
  if (count < Math.min(FEWEST_LABELLED, counts.documentCount))
    return () =>
      `only ${counted(count, 'document')} ${count === 1 ? 'is' : 'are'} labelled; label at least ${FEWEST_LABELLED}`
  const found = refusalAsReason(estimate)
  if (typeof found === 'string') return () => found
  return i => ({prevalence: found.concepts[i].prevalence, precision: found.concepts[i].precision})
}

function fromScores(
  {counts, evidence, firing}: Context,
  estimate: (probabilities: Float64Array, concept: ConceptScores & {readonly firing: number}) => Outcome
): Estimator {
  return i => {
    if (evidence.scores === undefined) return NO_DOCUMENTS
    const scores = evidence.scores.concepts.get(counts.lexicon.anchors[i].concept)
    if (scores === undefined) return 'its anchor fires in too few documents to learn from'
    const calibration = calibrate(scores.logOdds, scores.fired)
    const probabilities = Float64Array.from(scores.logOdds, score => calibrated(calibration, score))
    return estimate(probabilities, {...scores, firing: firing[i]})
  }
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
