import {exp, log, NORMAL_90} from '../../base/numeric/index.ts'
import {labelFreeRates, usualShares} from './label-free-rates.ts'
import type {AnchorEstimate, AnchorEstimates, NoiseEstimator} from './noise-table.ts'
import {type EstimatedRates, LEAST_PRECISION, type RateRefusal, rateRefusals, ratesAt, usableRates} from './rates.ts'

/**
 * What the prevalence and precision of an anchor rest on. 'constant': not measured, a constant for anchors of this kind
 * (`usualShares`). 'balance': not measured either, the likeliest shares of classes that exclude each other (`classShares`).
 */
export type RateBasis = 'given' | 'labels' | 'constant' | 'balance'

/**
 * The rates of one anchor with the estimators they rest on. With the basis 'constant', P(A|Y) are the points to predict with,
 * which prevalence and precision do not imply.
 */
export interface SourcedRates extends EstimatedRates {
  readonly basis: RateBasis
  /** The estimators used, by weight. */
  readonly sources: readonly (NoiseEstimator | 'labels' | 'balance')[]
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
  refined: 0,
  pooled: 0,
  pair: 0.5,
  irreducible: 1,
  guess: 0
}

/** Keeps the weight finite where every document is labelled and the interval is a point. */
const LEAST_ERROR = 1e-3

/**
 * The mean of log P(Y=1), weighted by one over squared errors (sampling and assumption). The interval widens where sources
 * disagree more than their errors explain. Irreducible rates and guesses are used only without labels: they are wrong
 * where an anchor fires for much else, which labels reveal. Without labels people read a constant, and nothing is refused. Undefined without labels for an anchor that fires in no document, or in all.
 */
export function combineEstimates(row: AnchorEstimates): CombinedRates | undefined {
  const {concept, firing, estimates} = row
  const sources = independentSources(estimates).sort((a, b) => b.weight - a.weight)
  const methods = sources.map(({method}) => method)
  const total = sources.reduce((sum, {weight}) => sum + weight, 0)
  const mean = sources.reduce((sum, {weight, prevalence}) => sum + weight * log(prevalence.value), 0) / total
  const labelled = sources.find(({method}) => method === 'refined' || method === 'pooled')
  if (labelled?.precision === undefined) {
    const precision = sources.find(({method}) => method === 'guess')?.precision?.value
    return withoutLabels(row, {
      sources,
      ...(sources.length > 0 && {prevalence: exp(mean)}),
      ...(precision && {precision})
    })
  }
  const squares = sources.reduce((sum, {weight, prevalence}) => sum + weight * (log(prevalence.value) - mean) ** 2, 0)
  const disagreement = sources.length > 1 ? Math.sqrt(squares / (sources.length - 1)) : 0
  const margin = (NORMAL_90 * Math.max(1, disagreement)) / Math.sqrt(total)
  const prevalence = {value: exp(mean), low: exp(mean - margin), high: Math.min(exp(mean + margin), 1)}
  const shares = {prevalence, precision: labelled.precision}
  const rates = usableRates(firing, shares) ?? ratesAt(firing, shares, 0)
  const refusals = rateRefusals(firing, shares)
  return {concept, ...rates, basis: 'labels', sources: methods, disagreement, refusals}
}

/** Estimates that use no label, and the shares to predict with; undefined shares are the usual ones. */
interface Points {
  readonly sources: readonly AnchorEstimate[]
  readonly prevalence?: number
  readonly precision?: number
}

/** The constant for people, and points to predict with; undefined for an anchor that fires in no document, or in all. */
export function withoutLabels({concept, firing}: AnchorEstimates, points: Points): CombinedRates | undefined {
  if (!(firing > 0 && firing < 1)) return undefined
  const {sources, ...shares} = points
  const [low] = sources.flatMap(({method, precision}) =>
    precision !== undefined && precision.value < LEAST_PRECISION ? [{method, value: precision.value}] : []
  )
  return {
    concept,
    ...usualShares(firing),
    ...labelFreeRates(firing, shares),
    basis: 'constant',
    sources: sources.map(({method}) => method),
    ...(low && {lowPrecision: low}),
    disagreement: 0,
    refusals: []
  }
}

/** The better of the two from labels, or without labels irreducible rates and the guess; each with its weight. */
function independentSources(estimates: readonly AnchorEstimate[]): (AnchorEstimate & {readonly weight: number})[] {
  const has = (name: NoiseEstimator) => estimates.some(({method}) => method === name)
  const isLabelled = has('refined') || has('pooled')
  return estimates.flatMap(estimate => {
    const {method, prevalence} = estimate
    const assumption = ASSUMPTION_ERROR[method]
    const isLesser =
      (method === 'pooled' && has('refined')) || (isLabelled && (method === 'irreducible' || method === 'guess'))
    if (assumption === undefined || isLesser) return []
    const chance = Math.max(log(prevalence.high / prevalence.low) / (2 * NORMAL_90), LEAST_ERROR)
    return [{...estimate, weight: 1 / (chance ** 2 + assumption ** 2)}]
  })
}
