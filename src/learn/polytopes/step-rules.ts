import {unreachable} from '../../base/checks/index.ts'
import {dot} from '../../base/numeric/index.ts'

/** A convex function of a vector, with its gradient; infinite outside of its domain. */
export interface ConvexObjective {
  value(x: Float64Array): number
  gradient(x: Float64Array, gradient: Float64Array): void
}

/** Where a step may go: from x along d, no further than `limit`. */
export interface Segment {
  readonly x: Float64Array
  readonly d: Float64Array
  readonly limit: number
  /** The objective at x. */
  readonly f: number
  /** Its slope at x along d. */
  readonly slope: number
}

/**
 * `open-loop`: 2 / (t + 2), whatever the objective says. `line-search`: to the minimum on the segment. `backtracking`: to the
 * minimum of a parabola whose curvature is doubled until it lies above the objective (Pedregosa et al. 2020).
 */
export type StepRuleName = 'open-loop' | 'line-search' | 'backtracking'

/** How far to go in step t = 0, 1, ...; 0 when it finds no way down, and never to a point where the objective is infinite. */
export type StepRule = (segment: Segment, t: number) => number

/** A line search stops when the slope is this share of the one it began with. */
const SLOPE_SHARE = 1e-4
const TRIALS = 60

export function stepRuleNamed(name: StepRuleName, objective: ConvexObjective, size: number): StepRule {
  const trial = new Float64Array(size)
  const choose = formula(name, objective, trial)
  return (segment, t) => {
    let gamma = choose(segment, t)
    for (let halvings = 0; gamma > 0; halvings++) {
      if (Number.isFinite(objective.value(along(segment, gamma, trial)))) return gamma
      gamma = halvings < TRIALS ? gamma / 2 : 0
    }
    return 0
  }
}

function formula(name: StepRuleName, objective: ConvexObjective, trial: Float64Array): StepRule {
  switch (name) {
    case 'open-loop':
      // t is counted from 1 here: a whole step at the start would land on a vertex.
      return ({limit}, t) => Math.min(limit, 2 / (t + 3))
    case 'line-search':
      return segment => lineSearch(segment, objective, trial)
    case 'backtracking':
      return backtracking(objective, trial)
    default:
      return unreachable(name)
  }
}

/** Where the slope along the segment is 0, by false position kept honest by bisection; a step with a slope <= 0 if it can. */
function lineSearch(segment: Segment, objective: ConvexObjective, trial: Float64Array): number {
  const {limit, slope} = segment
  if (!(slope < 0)) return 0
  const gradient = new Float64Array(trial.length)
  const slopeAt = (gamma: number) => {
    if (!Number.isFinite(objective.value(along(segment, gamma, trial)))) return Number.POSITIVE_INFINITY
    objective.gradient(trial, gradient)
    const slope = dot(gradient, segment.d)
    return Number.isNaN(slope) ? Number.POSITIVE_INFINITY : slope
  }
  let low = 0
  let high = limit
  let lowSlope = slope
  let highSlope = slopeAt(limit)
  if (highSlope <= 0) return limit
  let bisect = highSlope === Number.POSITIVE_INFINITY
  for (let trials = 0; trials < TRIALS; trials++) {
    const width = high - low
    const gamma = bisect ? low + width / 2 : low + (width * lowSlope) / (lowSlope - highSlope)
    if (!(gamma > low && gamma < high)) break
    const here = slopeAt(gamma)
    if (Math.abs(here) <= -SLOPE_SHARE * slope) return gamma
    if (here < 0) {
      low = gamma
      lowSlope = here
    } else {
      high = gamma
      highSlope = here
    }
    bisect = highSlope === Number.POSITIVE_INFINITY || high - low > width / 2
  }
  return low
}

function backtracking(objective: ConvexObjective, trial: Float64Array): StepRule {
  let curvature = 1
  return segment => {
    const {d, limit, f, slope} = segment
    if (!(slope < 0)) return 0
    const square = dot(d, d)
    const rounding = 1e-15 * (1 + Math.abs(f))
    curvature /= 2
    for (let trials = 0; trials < TRIALS; trials++, curvature *= 2) {
      const gamma = Math.min(limit, -slope / (curvature * square))
      const model = f + gamma * slope + (gamma * gamma * curvature * square) / 2
      if (objective.value(along(segment, gamma, trial)) <= model + rounding) return gamma
    }
    return 0
  }
}

function along({x, d}: Segment, gamma: number, trial: Float64Array): Float64Array {
  for (let c = 0; c < x.length; c++) trial[c] = x[c] + gamma * d[c]
  return trial
}
