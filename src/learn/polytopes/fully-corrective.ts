import {dot} from '../../base/numeric/index.ts'
import type {ActiveSet} from './active-set.ts'
import {type ConvexObjective, lineSearch} from './line-search.ts'

const STEP_LIMIT = 100
/** Curvature is the difference of two gradients this share of the way to an atom apart. */
const PROBE = 1e-8

export interface CorrectionLimits {
  /** Stop when no mixture of the atoms is better by more than this. */
  readonly gap: number
  readonly interrupted: () => boolean
}

/**
 * The fully corrective step of the supplement: moves x to the minimum of the objective over all mixtures of the atoms seen.
 *
 * Method: Newton in the weights. The quadratic model is minimised over the simplex of those n atoms that have weight or would
 * lower the objective, followed by a line search. Cost: n gradients and n^2 products of atoms per step, few steps.
 */
export function correctFully(
  objective: ConvexObjective,
  active: ActiveSet,
  x: Float64Array,
  {gap, interrupted}: CorrectionLimits
): void {
  const stepLength = lineSearch(objective, x.length)
  const g = new Float64Array(x.length)
  const d = new Float64Array(x.length)
  for (let t = 0; t < STEP_LIMIT && !interrupted(); t++) {
    objective.gradient(x, g)
    const products = active.products(g).slice()
    const mean = dot(g, x)
    if (mean - products.reduce((least, product) => Math.min(least, product)) <= gap) return
    const chosen = [...products.keys()].filter(n => active.weight(n) > 0 || products[n] < mean)
    const weights = Float64Array.from(chosen, n => active.weight(n))
    const slopes = Float64Array.from(chosen, n => products[n] - mean)
    const curvature = curvatureAmong(chosen, {objective, active, x, g, interrupted})
    if (curvature === undefined) return
    const target = minimizeOnSimplex(slopes, curvature, weights, gap / 10)
    const change = new Float64Array(active.count)
    let slope = 0
    chosen.forEach((n, at) => {
      change[n] = target[at] - weights[at]
      slope += change[n] * slopes[at]
    })
    active.mix(change, d)
    const gamma = stepLength({x, d, limit: 1, slope})
    if (gamma === 0) return
    active.setWeights(change.map((step, n) => Math.max(0, active.weight(n) + gamma * step)))
    active.point(x)
  }
}

interface CorrectionState {
  readonly objective: ConvexObjective
  readonly active: ActiveSet
  readonly x: Float64Array
  /** The gradient at x. */
  readonly g: Float64Array
  readonly interrupted: () => boolean
}

/** Second derivatives of the objective at x between every two chosen atoms, row-major; undefined when interrupted. */
function curvatureAmong(
  chosen: readonly number[],
  {objective, active, x, g, interrupted}: CorrectionState
): Float64Array | undefined {
  const size = chosen.length
  const curvature = new Float64Array(size * size)
  const probe = new Float64Array(x.length)
  const bent = new Float64Array(x.length)
  for (let row = 0; row < size; row++) {
    if (interrupted()) return undefined
    active.towards(chosen[row], x, PROBE, probe)
    objective.gradient(probe, bent)
    for (let c = 0; c < bent.length; c++) bent[c] = (bent[c] - g[c]) / PROBE
    const products = active.products(bent)
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
 * Stops within `gap` of the minimum, or after 100 steps per atom, which on an ill-conditioned H may be sooner.
 *
 * Method: sequential minimal optimisation: move the best amount of weight from the atom of the greatest slope to the one of
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
