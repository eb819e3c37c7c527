import {clamp} from '../../base/numeric/index.ts'
import {clipFailure, FAILURE_FLOOR} from './loadings.ts'

const LEAK_CEILING = 1 - 1e-6

/** Clip in place, and count. */
export function clipFailures(failure: Float64Array) {
  let failuresAboveOne = 0
  let failuresBelowFloor = 0
  let failuresUndefined = 0
  for (let at = 0; at < failure.length; at++) {
    if (Number.isNaN(failure[at])) failuresUndefined++
    else if (failure[at] > 1) failuresAboveOne++
    else if (failure[at] < FAILURE_FLOOR) failuresBelowFloor++
    failure[at] = clipFailure(failure[at])
  }
  return {failuresAboveOne, failuresBelowFloor, failuresUndefined}
}

/** l = 1 - P-hat(x0) / P_{-l}(x0), kept above `leakFloor` times the word's frequency. */
export function leaksOf(frequency: Float64Array, absence: Float64Array, leakFloor: number) {
  let leaksAtFloor = 0
  const leak = absence.map((share, j) => {
    const free = 1 - (1 - frequency[j]) / share
    const floor = leakFloor * frequency[j]
    if (free < floor) leaksAtFloor++
    return clamp(free, floor, LEAK_CEILING)
  })
  return {leak, leaksAtFloor}
}
