import {sigmoid} from '../../base/numeric/index.ts'

const STEP_LIMIT = 60
/** Shifts beyond this make every probability 0 or 1. */
const FURTHEST = 60

/**
 * The shift c for which the weighted mean of sigmoid(logOdds + c) is `target`, with relative error `tolerance`, by
 * Newton's method inside a bracket, from `start`. Unique, as the mean increases with c; 0 when all weights are 0.
 */
export function matchMean(
  logOdds: Float64Array,
  weights: Float64Array,
  target: number,
  {start = 0, tolerance = 1e-9} = {}
): number {
  let total = 0
  for (let d = 0; d < weights.length; d++) total += weights[d]
  if (total === 0) return 0
  let low = -FURTHEST
  let high = FURTHEST
  let c = start
  for (let step = 0; step < STEP_LIMIT; step++) {
    let mean = 0
    let slope = 0
    for (let d = 0; d < logOdds.length; d++) {
      if (weights[d] === 0) continue
      const chance = sigmoid(logOdds[d] + c)
      mean += weights[d] * chance
      slope += weights[d] * chance * (1 - chance)
    }
    const excess = mean / total - target
    if (Math.abs(excess) <= tolerance * target) break
    if (excess > 0) high = c
    else low = c
    const newton = c - (excess * total) / slope
    c = newton > low && newton < high ? newton : (low + high) / 2
  }
  return c
}
