/** A function of one variable at one place. */
export interface LinePoint {
  readonly value: number
  readonly slope: number
  readonly curvature: number
}

const TRIAL_LIMIT = 60

/** Rounding in a sum of many terms: a value higher by this share is not seen as higher. */
const VALUE_SLACK = 1e-11

/**
 * A step t > 0 along a convex function that falls at 0: the slope has shrunk to half or less and the value has not risen.
 * Tries t = 1, then Newton's steps on the slope, inside the bracket that the signs of the slopes give; outside of it, and
 * every third time in case Newton creeps, halves the bracket or doubles t. The slope decides and not the value alone, because near a minimum values differ by rounding only.
 * Undefined when rounding leaves nothing to gain.
 */
export function searchLine(
  start: Pick<LinePoint, 'value' | 'slope'>,
  at: (t: number) => LinePoint
): {t: number; value: number} | undefined {
  if (!(start.slope < 0)) return undefined
  const ceiling = start.value + VALUE_SLACK * Math.abs(start.value)
  let low = 0
  let high = Number.POSITIVE_INFINITY
  let t = 1
  for (let trial = 0; trial < TRIAL_LIMIT; trial++) {
    const {value, slope, curvature} = at(t)
    if (Math.abs(slope) <= -0.5 * start.slope && value <= ceiling) return {t, value}
    if (slope < 0) low = t
    else high = t
    const newton = t - slope / curvature
    const bracketed = high < Number.POSITIVE_INFINITY
    if (newton > low && newton < high && !(bracketed && trial % 3 === 2)) t = newton
    else t = bracketed ? (low + high) / 2 : 2 * t
  }
  return undefined
}
