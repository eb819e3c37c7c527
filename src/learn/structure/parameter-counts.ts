/**
 * The number of free parameters that BIC charges for the table of some concepts. A family is charged for its own table minus
 * its parents' table, which is the same for equivalent graphs.
 *
 * BIC charges ln(N) / 2 per parameter because chance alone raises N times the information by 1/2. In tables recovered from
 * noisy anchors chance gains more, and plain BIC accepts meaningless parents. The two other counts are twice the average
 * gain by chance; without noise both equal the plain one.
 */

import {unreachable} from '../../base/checks/index.ts'
import type {ConceptTables} from '../../base/network/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import {applyFactors, observingFactors} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'

/** For concepts in ascending order; 0 for none. */
export type ParameterCount = (concepts: readonly number[]) => number

/**
 * The score of a family: BIC, or BIC with a penalty that accounts for the noise of the anchors, from their rates alone
 * (`noise-aware`) or from the variance of every table (`variance-aware`).
 */
export type StructureScore = 'bic' | 'noise-aware' | 'variance-aware'

/** The count of a score; `rates` are the anchors of all concepts. */
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
 * From the anchors' rates alone, concepts taken as independent: one parameter for every set of them, times the variance
 * that the noise of each adds, prod (1 + V_i) - 1. It hardly uses the tables, so errors in them cannot distort it.
 */
export function noiseParameters(rates: readonly Rates[], prevalence: ArrayLike<number>): ParameterCount {
  const inflation = rates.map((own, i) => varianceInflation(own, prevalence[i]))
  return concepts => concepts.reduce((product, i) => product * (1 + inflation[i]), 1) - 1
}

/**
 * From the sampling variance of each table itself: sum over cells of S_cc / mu_c, with N times the covariance of the
 * recovered table S = R^-1 (diag(a) - a a') R^-T, a = R mu. A cell that may be empty is only known to within its standard
 * error, so mu_c is taken to be at least that.
 */
export function tableParameters(table: ConceptTables, rates: readonly Rates[], sampleCount: number): ParameterCount {
  const known = new Map<string, number>()
  return concepts => {
    if (concepts.length === 0) return 0
    const name = concepts.join()
    const own = concepts.map(i => rates[i])
    const count = known.get(name) ?? variancesOf(table(concepts), own, sampleCount)
    known.set(name, count)
    return count
  }
}

function variancesOf(mu: ArrayLike<number>, rates: readonly Rates[], sampleCount: number): number {
  // The diagonal of R^-1 diag(a) R^-T: the squares of R^-1, applied to a = R mu.
  const second = Float64Array.from(mu)
  applyFactors(observingFactors(rates), second)
  const squares = rates.flatMap(({truePositive: t, falsePositive: e}) =>
    [t, 1 - t, e, 1 - e].map(entry => (entry / (t - e)) ** 2)
  )
  applyFactors(Float64Array.from(squares), second)
  return second.reduce((sum, square, cell) => {
    const variance = Math.max(0, square - mu[cell] ** 2)
    return variance === 0 ? sum : sum + variance / Math.max(mu[cell], Math.sqrt(variance / sampleCount))
  }, 0)
}

/** Rarer concepts count as this rare; otherwise their variance would be 0. */
const PREVALENCE_FLOOR = 1e-4

/**
 * By how much the noise of its anchor multiplies the variance of a recovered concept: V = var(A) / ((t - e)^2 var(Y)), 1
 * for an observed concept. Undoing the noise of several independent concepts multiplies their V: the covariance of Y_i and
 * Y_k is that of the anchors divided by both (t - e).
 */
export function varianceInflation({truePositive, falsePositive}: Rates, prevalence: number): number {
  const p = clamp(prevalence, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  const gain = truePositive - falsePositive
  const fired = falsePositive + gain * p
  return (fired * (1 - fired)) / (gain * gain * p * (1 - p))
}
