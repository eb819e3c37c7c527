/**
 * How many free parameters the table of some concepts counts for in BIC. A family pays for those of its own table less those of
 * its parents' table; being a difference of one function of sets, this is the same for equivalent graphs.
 *
 * BIC grants a parameter ln(N) / 2 because chance alone raises N times the information by 1/2. In tables recovered through noisy
 * anchors chance is larger, as undoing the noise multiplies variance, and plain BIC takes parents that mean nothing. The two other
 * counts are what chance gains on average, times 2; without noise both are the plain one.
 */

import {unreachable} from '../../base/checks/index.ts'
import type {ConceptTables} from '../../base/network/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import {applyFactors, type Rates} from '../moments/index.ts'

/** Of rising concepts; 0 of none. */
export type ParameterCount = (concepts: readonly number[]) => number

/**
 * What makes a family worth having: the BIC score, or one whose penalty knows how noisy the anchors make the moments, from
 * their rates alone (`noise-aware`) or from the variance of every table (`variance-aware`).
 */
export type StructureScore = 'bic' | 'noise-aware' | 'variance-aware'

/** The count that a score pays for; `rates` are the anchors of all concepts. */
export function parameterCount(
  score: StructureScore,
  table: ConceptTables,
  rates: readonly Rates[],
  sampleCount: number
): ParameterCount {
  switch (score) {
    case 'bic':
      return plainParameters
    case 'noise-aware':
      return noiseParameters(
        rates,
        rates.map((_, i) => table([i])[1])
      )
    case 'variance-aware':
      return tableParameters(table, rates, sampleCount)
    default:
      return unreachable(score)
  }
}

/** Every cell but one. */
export function plainParameters(concepts: readonly number[]): number {
  return 2 ** concepts.length - 1
}

/**
 * From the anchors' rates alone, concepts taken as independent: one parameter for every set of them, multiplied by the variance
 * that the noise of each adds, prod (1 + V_i) - 1. So little is asked of the tables that nothing in them can bribe it.
 */
export function noiseParameters(rates: readonly Rates[], prevalence: ArrayLike<number>): ParameterCount {
  const inflation = rates.map((own, i) => varianceInflation(own, prevalence[i]))
  return concepts => concepts.reduce((product, i) => product * (1 + inflation[i]), 1) - 1
}

/**
 * From the sampling variance of each table as it is: sum over cells of S_cc / mu_c, with N times the covariance of the recovered
 * table S = R^-1 (diag(a) - a a') R^-T, a = R mu. A cell that may be empty is not known to within less than its standard error,
 * so mu_c is taken to be at least that.
 */
export function tableParameters(table: ConceptTables, rates: readonly Rates[], sampleCount: number): ParameterCount {
  const known = new Map<string, number>()
  return concepts => {
    if (concepts.length === 0) return 0
    const name = concepts.join()
    const count =
      known.get(name) ??
      variancesOf(
        table(concepts),
        concepts.map(i => rates[i]),
        sampleCount
      )
    known.set(name, count)
    return count
  }
}

function variancesOf(mu: ArrayLike<number>, rates: readonly Rates[], sampleCount: number): number {
  // The diagonal of R^-1 diag(a) R^-T: the squares of R^-1, applied to a = R mu.
  const second = Float64Array.from(mu)
  applyFactors(Float64Array.from(rates.flatMap(({truePositive: t, falsePositive: e}) => [1 - e, 1 - t, e, t])), second)
  const squares = rates.flatMap(({truePositive: t, falsePositive: e}) =>
    [t, 1 - t, e, 1 - e].map(entry => (entry / (t - e)) ** 2)
  )
  applyFactors(Float64Array.from(squares), second)
  return second.reduce((sum, square, cell) => {
    const variance = Math.max(0, square - mu[cell] ** 2)
    return variance === 0 ? sum : sum + variance / Math.max(mu[cell], Math.sqrt(variance / sampleCount))
  }, 0)
}

/** Rarer concepts count as this rare: their variance would be 0. */
const PREVALENCE_FLOOR = 1e-4

/**
 * How many times larger the noise of its anchor makes the variance of what is recovered about a concept:
 * V = var(A) / ((t - e)^2 var(Y)), 1 for a concept that is seen itself. Undoing the rates of several independent
 * concepts, as recovery does, multiplies their V: covariance of Y_i and Y_k is that of the anchors divided by both (t - e).
 */
export function varianceInflation({truePositive, falsePositive}: Rates, prevalence: number): number {
  const p = clamp(prevalence, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  const gain = truePositive - falsePositive
  const fired = falsePositive + gain * p
  return (fired * (1 - fired)) / (gain * gain * p * (1 - p))
}
