import {dot} from '../../base/numeric/index.ts'

/** A convex function of a vector, with its gradient; infinite outside its domain. */
export interface ConvexObjective {
  value(x: Float64Array): number
  gradient(x: Float64Array, gradient: Float64Array): void
}

/** The points x + gamma d, gamma from 0 to `limit`, and the slope of the objective along d at x. */
export interface Segment {
  readonly x: Float64Array
  readonly d: Float64Array
  readonly limit: number
  readonly slope: number
}

/** A search stops when the slope is this share of the first one. */
const SLOPE_SHARE = 1e-4
const TRIALS = 60

/**
 * The step length gamma that minimises the objective on a segment: where the slope is 0, by false position safeguarded by
 * bisection, at a slope <= 0 if possible. 0 when no step lowers the objective; never a point where it is infinite.
 */
export function lineSearch(objective: ConvexObjective, size: number): (segment: Segment) => number {
  const trial = new Float64Array(size)
  const gradient = new Float64Array(size)
  const isFiniteAt = ({x, d}: Segment, gamma: number) => {
    for (let c = 0; c < x.length; c++) trial[c] = x[c] + gamma * d[c]
    return Number.isFinite(objective.value(trial))
  }
  const slopeAt = (segment: Segment, gamma: number) => {
    if (!isFiniteAt(segment, gamma)) return Number.POSITIVE_INFINITY
    objective.gradient(trial, gradient)
    const slope = dot(gradient, segment.d)
    return Number.isNaN(slope) ? Number.POSITIVE_INFINITY : slope
  }
  return segment => {
    let gamma = zeroOfSlope(segment, gamma => slopeAt(segment, gamma))
    for (let halvings = 0; gamma > 0; halvings++) {
      if (isFiniteAt(segment, gamma)) return gamma
      gamma = halvings < TRIALS ? gamma / 2 : 0
    }
    return 0
  }
}

function zeroOfSlope({limit, slope}: Segment, slopeAt: (gamma: number) => number): number {
  if (!(slope < 0)) return 0
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
