import {dot} from '../../base/numeric/index.ts'
import type {CorrectionLimits} from './conditional-gradient.ts'
import {type Mixture, zeroOfSlope} from './mixture.ts'

/** Newton steps, at most. */
const STEP_LIMIT = 100
/** Curvature is the difference of two gradients this share of the way to a point apart. */
const PROBE = 1e-8
/** The line search stops when the slope is this share of the first one. */
const SLOPE_SHARE = 1e-4

/**
 * The fully corrective step of the supplement: moves to the minimum of the objective over all mixtures of the points seen.
 *
 * Method: Newton in the weights. The quadratic model is minimised over the simplex of those n points that have weight or would
 * lower the objective, followed by a line search. Cost: n gradients and n^2 products of points per step, few steps.
 */
export function correctFully(mixture: Mixture, {gap, interrupted}: CorrectionLimits): void {
  const {points, x, gradient} = mixture
  const products = new Float64Array(points.size)
  const d = new Float64Array(x.length)
  for (let step = 0; step < STEP_LIMIT && !interrupted(); step++) {
    points.products(gradient, products)
    const mean = dot(gradient, x)
    if (mean - products.reduce((least, product) => Math.min(least, product)) <= gap) return
    const chosen = [...products.keys()].filter(n => mixture.weights[n] > 0 || products[n] < mean)
    const weights = Float64Array.from(chosen, n => mixture.weights[n])
    const slopes = Float64Array.from(chosen, n => products[n] - mean)
    const curvature = curvatureAmong(chosen, mixture, interrupted)
    if (curvature === undefined) return
    const target = minimizeOnSimplex(slopes, curvature, weights, gap / 10)
    const change = new Float64Array(points.size)
    chosen.forEach((n, at) => {
      change[n] = target[at] - weights[at]
    })
    points.combine(change, d)
    const length = zeroOfSlope(mixture.slopeAlong(d), 1, SLOPE_SHARE)
    if (length === 0) return
    mixture.setWeights(mixture.weights.map((weight, n) => Math.max(0, weight + length * change[n])))
  }
}

/** Second derivatives of the objective at x between every two chosen points, row-major; undefined when interrupted. */
function curvatureAmong(
  chosen: readonly number[],
  mixture: Mixture,
  interrupted: () => boolean
): Float64Array | undefined {
  const {points, x, gradient} = mixture
  const size = chosen.length
  const curvature = new Float64Array(size * size)
  const bent = new Float64Array(x.length)
  const products = new Float64Array(points.size)
  for (let row = 0; row < size; row++) {
    if (interrupted()) return undefined
    mixture.gradientTowards(chosen[row], PROBE, bent)
    for (let c = 0; c < bent.length; c++) bent[c] = (bent[c] - gradient[c]) / PROBE
    points.products(bent, products)
    const mean = dot(bent, x)
    for (let column = 0; column < size; column++) {
      const half = (products[chosen[column]] - mean) / 2
      curvature[row * size + column] += half
      curvature[column * size + row] += half
    }
  }
  return curvature
}

/**
 * Minimises <slopes, w - w0> + (w - w0)' H (w - w0) / 2 over the simplex, from w0 in it; H is symmetric, row-major.
 * Stops within `gap` of the minimum, or after 100 steps per point, which on an ill-conditioned H may be sooner.
 *
 * Method: sequential minimal optimisation: move the best amount of weight from the point of the greatest slope to the one of
 * the least. Cost: one row of H per step.
 */
export function minimizeOnSimplex(slopes: Float64Array, H: Float64Array, w0: Float64Array, gap: number): Float64Array {
  const size = slopes.length
  const w = w0.slice()
  const slope = slopes.slice()
  for (let steps = 0; steps < 100 * size; steps++) {
    let low = 0
    let high = -1
    let mean = 0
    for (let n = 0; n < size; n++) {
      mean += w[n] * slope[n]
      if (slope[n] < slope[low]) low = n
      if (w[n] > 0 && (high < 0 || slope[n] > slope[high])) high = n
    }
    if (mean - slope[low] <= gap || high === low) break
    const curvature = H[low * size + low] + H[high * size + high] - 2 * H[low * size + high]
    const free = curvature > 0 ? (slope[high] - slope[low]) / curvature : Number.POSITIVE_INFINITY
    const step = Math.min(w[high], free)
    w[high] = step === w[high] ? 0 : w[high] - step
    w[low] += step
    for (let n = 0; n < size; n++) slope[n] += step * (H[low * size + n] - H[high * size + n])
  }
  return w
}
