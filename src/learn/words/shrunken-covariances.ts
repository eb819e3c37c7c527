import {clamp} from '../../base/numeric/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {anchorPairs} from './anchor-pairs.ts'

/**
 * No cell of a pair's table falls below this share of what independence gives: one rare pair must not rule out another.
 */
const CELL_FLOOR = 0.05

/** Cov(Y_i, Y_k) at `i*m + k`, shrunken and kept inside the table of the pair; 0 on the diagonal. */
export function shrunkenCovariances(counts: Counts, rates: NoiseRates): Float64Array {
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const p = rates.prevalence
  const {together, shares: a, gains} = anchorPairs(counts, rates)
  const covariances = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const both = together[i * m + k] / N
      const scale = gains[i] * gains[k]
      const delta = scale * (both - a[i] * a[k])
      const error2 = (scale * scale * productVariance(a[i], a[k], both)) / N
      const shrunken = delta === 0 ? 0 : delta * Math.max(0, 1 - error2 / (delta * delta))
      covariances[i * m + k] = covariances[k * m + i] = insideTable(p[i], p[k], shrunken)
    }
  return covariances
}

/**
 * The variance of (A_i - a_i)(A_k - a_k); never below that of independent anchors, as a pair that was seen too rarely
 * would otherwise seem to be sure.
 */
function productVariance(ai: number, ak: number, both: number): number {
  const covariance = both - ai * ak
  const square = (xi: number, xk: number) => (xi - ai) ** 2 * (xk - ak) ** 2
  const second =
    both * square(1, 1) + (ai - both) * square(1, 0) + (ak - both) * square(0, 1) + (1 - ai - ak + both) * square(0, 0)
  return Math.max(ai * (1 - ai) * ak * (1 - ak), second - covariance * covariance)
}

/** The covariance nearest to `delta` that keeps the table of a pair above its floor. */
export function insideTable(pi: number, pk: number, delta: number): number {
  const room = 1 - CELL_FLOOR
  const least = -room * Math.min(pi * pk, (1 - pi) * (1 - pk))
  const most = room * Math.min(pi * (1 - pk), (1 - pi) * pk)
  return clamp(delta, least, most)
}
