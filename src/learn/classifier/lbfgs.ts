import {dot} from '../../base/numeric/index.ts'

/** A step of L-BFGS, the change of the gradient over it, and their scalar product, which is above 0. */
export interface CurvaturePair {
  readonly step: Float64Array
  readonly change: Float64Array
  readonly product: number
}

/**
 * Returns -(approximate H^-1) gradient by the two-loop recursion of L-BFGS over the last steps, oldest first (Nocedal and
 * Wright, Algorithm 7.4). The recursion starts from `inverseDiagonal`, scaled to the last pair: word frequencies differ by
 * a factor of a thousand, which a multiple of the identity would ignore. Cost: four passes over the vector per pair.
 */
export function descentDirection(
  gradient: Float64Array,
  pairs: readonly CurvaturePair[],
  inverseDiagonal: Float64Array
): Float64Array {
  const out = gradient.slice()
  const alphas = new Float64Array(pairs.length)
  for (let k = pairs.length - 1; k >= 0; k--) {
    const {step, change, product} = pairs[k]
    alphas[k] = dot(step, out) / product
    addMultiple(out, change, -alphas[k])
  }
  const last = pairs.at(-1)
  const scale = last === undefined ? 1 : last.product / weightedSquare(last.change, inverseDiagonal)
  for (let e = 0; e < out.length; e++) out[e] *= scale * inverseDiagonal[e]
  for (const [k, {step, change, product}] of pairs.entries())
    addMultiple(out, step, alphas[k] - dot(change, out) / product)
  for (let e = 0; e < out.length; e++) out[e] = -out[e]
  return out
}

function weightedSquare(values: Float64Array, weights: Float64Array): number {
  return values.reduce((sum, value, e) => sum + value * value * weights[e], 0)
}

/** x += factor v */
export function addMultiple(x: Float64Array, v: Float64Array, factor: number): void {
  for (let e = 0; e < x.length; e++) x[e] += factor * v[e]
}

/** A function of one variable at one point. */
export interface LinePoint {
  readonly value: number
  readonly slope: number
  readonly curvature: number
}

const TRIAL_LIMIT = 60

/** Allowance for rounding in a sum of many terms: an increase by up to this share is not an increase. */
const VALUE_SLACK = 1e-11

/**
 * A step t > 0 along a convex function that falls at 0: the slope has shrunk to half or less and the value has not risen.
 * Tries t = 1, then Newton steps on the slope inside the bracket given by the signs of the slopes. Where Newton leaves the
 * bracket, and every third time in case it creeps, halves the bracket or doubles t. The slope decides, not the value
 * alone, because near a minimum values differ by rounding only. Undefined when rounding leaves nothing to gain.
 */
export function searchLine(
  start: Pick<LinePoint, 'value' | 'slope'>,
  at: (t: number) => LinePoint
): {t: number; value: number} | undefined {
  if (!(start.slope < 0)) return undefined
  const ceiling = start.value + VALUE_SLACK * Math.abs(start.value)
  let [low, high, t] = [0, Number.POSITIVE_INFINITY, 1]
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
