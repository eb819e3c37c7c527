import {dot} from '../../base/numeric/index.ts'
import type {ActiveSet} from './active-set.ts'
import {minimizeOnSimplex} from './simplex-quadratic.ts'
import {type ConvexObjective, stepRuleNamed} from './step-rules.ts'

const STEP_LIMIT = 100
/** Curvature is the difference of two gradients this share of the way to an atom apart. */
const PROBE = 1e-8

export interface CorrectionLimits {
  /** Stop when no mixture of the atoms is better by more than this. */
  readonly gap: number
  readonly interrupted: () => boolean
}

/**
 * The fully corrective step of the supplement: move x to the minimum of the objective over all mixtures of the atoms seen.
 *
 * Method: Newton in the weights. The quadratic model is minimised over the simplex of those n atoms that carry weight or would
 * lower the objective, then the line to its minimum is searched. Cost: n gradients and n^2 products of atoms a step, few steps.
 */
export function correctFully(
  objective: ConvexObjective,
  active: ActiveSet,
  x: Float64Array,
  {gap, interrupted}: CorrectionLimits
): void {
  const search = stepRuleNamed('line-search', objective, x.length)
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
    const curvature = curvatureAmong(objective, active, chosen, x, g, interrupted)
    if (curvature === undefined) return
    const target = minimizeOnSimplex(slopes, curvature, weights, gap / 10)
    const change = new Float64Array(active.count)
    let slope = 0
    chosen.forEach((n, at) => {
      change[n] = target[at] - weights[at]
      slope += change[n] * slopes[at]
    })
    active.mix(change, d)
    const gamma = search({x, d, limit: 1, f: objective.value(x), slope}, t)
    if (gamma === 0) return
    active.setWeights(change.map((step, n) => Math.max(0, active.weight(n) + gamma * step)))
    active.point(x)
  }
}

/** The second derivatives of the objective between every two of the chosen atoms, seen from x, row by row; nothing when interrupted. */
function curvatureAmong(
  objective: ConvexObjective,
  active: ActiveSet,
  chosen: readonly number[],
  x: Float64Array,
  g: Float64Array,
  interrupted: () => boolean
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
