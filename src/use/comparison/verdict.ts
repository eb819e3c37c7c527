/** Whether a figure of one model differs from that of another by more than chance. */

/** A number with its interval; without one where none is known. An exact number has an interval of width 0. */
export interface Figure {
  readonly value: number
  readonly low?: number
  readonly high?: number
}

/** `higher` and `lower`: from the first model to the second, by more than their intervals together allow for. */
export type Verdict = 'higher' | 'lower' | 'no clear change' | 'no interval' | 'no certificate'

/** A figure of the first model and of the second. */
export interface Change {
  readonly a: Figure
  readonly b: Figure
  readonly verdict: Verdict
}

/**
 * A change is clear where the interval of the difference excludes 0. Its ends are those of two independent estimates: squares of
 * the margins add up, each margin on its own side (Zou and Donner 2008). Models of the same documents err alike, so that the
 * interval is too wide then: a change that is called clear is clear, and a small one may be missed.
 */
export function verdictOf(a: Figure, b: Figure): Verdict {
  if (a.low === undefined || a.high === undefined || b.low === undefined || b.high === undefined) return 'no interval'
  const difference = b.value - a.value
  const low = difference - Math.hypot(b.value - b.low, a.high - a.value)
  const high = difference + Math.hypot(b.high - b.value, a.value - a.low)
  return low > 0 ? 'higher' : high < 0 ? 'lower' : 'no clear change'
}

export function isClear(verdict: Verdict): boolean {
  return verdict === 'higher' || verdict === 'lower'
}
