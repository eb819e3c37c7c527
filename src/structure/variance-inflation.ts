import type {VariableChannel} from '../moments/index.ts'
import {clamp} from '../numeric/index.ts'

/** Rarer concepts count as this rare: their variance would be 0. */
const PREVALENCE_FLOOR = 1e-4

/**
 * How many times larger the noise of its anchor makes the variance of what is recovered about a concept:
 * V = var(A) / ((t - e)^2 var(Y)), 1 for a concept that is seen itself. Undoing the channels of several independent
 * concepts, as recovery does, multiplies their V: covariance of Y_i and Y_k is that of the anchors divided by both (t - e).
 */
export function varianceInflation({truePositive, falsePositive}: VariableChannel, prevalence: number): number {
  const p = clamp(prevalence, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  const gain = truePositive - falsePositive
  const fired = falsePositive + gain * p
  return (fired * (1 - fired)) / (gain * gain * p * (1 - p))
}
