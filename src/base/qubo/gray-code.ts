import {AdfaError} from '../checks/index.ts'

/** 2^30 points take about five seconds. */
export const ENUMERATION_LIMIT = 30

/** Sums are made anew whenever one of the variables from this one on changes, so that rounding cannot build up. */
const REFRESH_FROM = 10

export interface BinaryMinimum {
  readonly y: Uint8Array
  readonly value: number
}

/** A function of binary variables, 0 where all of them are, that knows how it changes along a Gray code. */
export interface GrayFunction {
  readonly size: number
  value(y: Uint8Array): number
  /** By how much the value rises when a variable becomes 1, at the times when a Gray code flips it. */
  readonly changes: Float64Array
  /** Make the changes anew for the point y. */
  refresh(y: Uint8Array): void
  /** Bring them up to date after variable k has changed by `sign`. */
  flipped(k: number, sign: number, y: Uint8Array): void
}

/** The smallest value of all 2^m points; the first of equals wins. */
export function enumerateAll(f: GrayFunction): BinaryMinimum {
  const {changes} = f
  const y = new Uint8Array(f.size)
  const best = new Uint8Array(f.size)
  f.refresh(y)
  let value = 0
  let bestValue = 0
  const count = 2 ** f.size
  for (let step = 1; step < count; step++) {
    const k = 31 - Math.clz32(step & -step)
    const sign = 1 - 2 * y[k]
    y[k] ^= 1
    if (k < REFRESH_FROM) {
      value += sign * changes[k]
      f.flipped(k, sign, y)
    } else {
      value = f.value(y)
      f.refresh(y)
    }
    if (value < bestValue) {
      bestValue = value
      best.set(y)
    }
  }
  return {y: best, value: f.value(best)}
}

export function checkEnumerable(m: number): void {
  if (m > ENUMERATION_LIMIT) {
    throw new AdfaError(
      'bad-option',
      `enumeration of ${m} binary variables; at most ${ENUMERATION_LIMIT} can be enumerated; use branch and bound or a search`
    )
  }
}
