import {dot} from '../../base/numeric/index.ts'

/**
 * The memory of L-BFGS: the last `limit` steps s and changes of gradient y, which approximate H^-1 g by the two-loop
 * recursion (Nocedal and Wright, Algorithm 7.4). The recursion starts from `inverseDiagonal`, scaled to the last pair:
 * word frequencies differ by a factor of a thousand, which a multiple of the identity would ignore.
 * Cost: 4 `limit` passes over the vector for each product; nothing is allocated after construction.
 */
export class CurvaturePairs {
  readonly #inverseDiagonal: Float64Array
  readonly #steps: Float64Array[]
  readonly #changes: Float64Array[]
  readonly #products: Float64Array
  readonly #alphas: Float64Array
  #scale = 1
  #count = 0

  constructor(inverseDiagonal: Float64Array, limit: number) {
    const vectors = () => Array.from({length: limit}, () => new Float64Array(inverseDiagonal.length))
    this.#inverseDiagonal = inverseDiagonal
    this.#steps = vectors()
    this.#changes = vectors()
    this.#products = new Float64Array(limit)
    this.#alphas = new Float64Array(limit)
  }

  /** Remember a step and the gradients before and after it, in place of the oldest pair. */
  add(step: Float64Array, before: Float64Array, after: Float64Array): void {
    const slot = this.#count % this.#steps.length
    const s = this.#steps[slot]
    const y = this.#changes[slot]
    let scaled = 0
    for (let e = 0; e < s.length; e++) {
      s[e] = step[e]
      y[e] = after[e] - before[e]
      scaled += y[e] * y[e] * this.#inverseDiagonal[e]
    }
    this.#products[slot] = dot(s, y)
    this.#scale = this.#products[slot] / scaled
    this.#count++
  }

  /** out = -(approximate H^-1) gradient: a descent direction, as every pair has s'y > 0. */
  direction(gradient: Float64Array, out: Float64Array): void {
    const limit = this.#steps.length
    const oldest = Math.max(0, this.#count - limit)
    out.set(gradient)
    for (let pair = this.#count - 1; pair >= oldest; pair--) {
      const slot = pair % limit
      const alpha = dot(this.#steps[slot], out) / this.#products[slot]
      this.#alphas[slot] = alpha
      addMultiple(out, this.#changes[slot], -alpha)
    }
    for (let e = 0; e < out.length; e++) out[e] *= this.#scale * this.#inverseDiagonal[e]
    for (let pair = oldest; pair < this.#count; pair++) {
      const slot = pair % limit
      const beta = dot(this.#changes[slot], out) / this.#products[slot]
      addMultiple(out, this.#steps[slot], this.#alphas[slot] - beta)
    }
    for (let e = 0; e < out.length; e++) out[e] = -out[e]
  }
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
