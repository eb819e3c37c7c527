import {clamp, exp, log} from '../../base/numeric/index.ts'

/** Odds stay within these bounds, where they are certain either way: no product overflows and none becomes 0. */
export const ODDS_TOP = 1e280
export const ODDS_BOTTOM = 1e-280

/** Multiply odds and keep them in their bounds; true if they were cut off. */
export function multiply(odds: Float64Array, i: number, ratio: number): boolean {
  const next = odds[i] * ratio
  const inside = next > ODDS_BOTTOM && next < ODDS_TOP
  odds[i] = inside ? next : clamp(next, ODDS_BOTTOM, ODDS_TOP)
  return !inside
}

/**
 * A message between the old and the new one: `damping` is the share of the old logarithm that is kept. A small step is
 * taken along the straight line, which is the same to first order and needs no logarithm; the fixed points stay as they are.
 */
export function damped(old: number, next: number, damping: number): number {
  const ratio = next / old
  if (ratio > 0.5 && ratio < 2) return old + (1 - damping) * (next - old)
  return old * exp((1 - damping) * log(ratio))
}
