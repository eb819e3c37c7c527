import {clamp} from '../../base/numeric/index.ts'
import {coordinateCount} from '../polytopes/index.ts'
import type {MomentProblem} from './moment-objective.ts'

/** How far prevalences are moved to one half, so that rare concepts leave room too. */
const TO_HALF = 0.1

/**
 * Coordinates well inside the marginal polytope, and so inside of every relaxation: independent concepts, with the prevalences
 * that the anchors imply, moved a little to one half.
 */
export function insidePoint({layout, rates, observed}: MomentProblem): Float64Array {
  const p = rates.map(({truePositive: t, falsePositive: e}, i) => {
    const prevalence = clamp((observed[2 * i + 1] - e) / (t - e), 0, 1)
    return prevalence + TO_HALF * (0.5 - prevalence)
  })
  return independentCoordinates(p, coordinateCount(layout))
}

/** The first `count` coordinates of independent concepts with prevalences p. */
export function independentCoordinates(p: ArrayLike<number>, count: number): Float64Array {
  const m = p.length
  const x = new Float64Array(count)
  x.set(p)
  let at = m
  for (let i = 0; i < m && at < count; i++) for (let k = i + 1; k < m; k++) x[at++] = p[i] * p[k]
  for (let i = 0; i < m && at < count; i++)
    for (let k = i + 1; k < m; k++) for (let l = k + 1; l < m; l++) x[at++] = p[i] * p[k] * p[l]
  return x
}
