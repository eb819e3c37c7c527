import {type Rng, randomIndex} from '../numeric/index.ts'
import {type BinaryQuadratic, coefficientScale, quadraticValue, symmetricWeights} from './binary-quadratic.ts'

export interface SearchOptions {
  /** How many random points to start from. */
  readonly starts: number
  readonly rng: Rng
  /** The most distinct local minima to return. */
  readonly keep: number
  /** Points to start from before the random ones, row after row. */
  readonly points?: Uint8Array
}

/** Distinct local minima, best first. */
export interface LocalMinima {
  readonly count: number
  readonly values: Float64Array
  /** `count` rows of 0s and 1s. */
  readonly rows: Uint8Array
}

/** Changes of value below this share of the coefficients are rounding errors, not descent. */
const ROUNDING = 1e-13
/** Tabu steps from each start, for each variable. */
const STEPS_PER_VARIABLE = 2

/**
 * Finds local minima of a quadratic function under flips of one variable, by tabu search from many starts: a heuristic, whose
 * best value is an upper bound of the minimum and proves nothing.
 *
 * Steepest descent from each start; then steps that flip the variable that lowers the value most, or raises it least, and
 * forbid it for a while unless that reaches a new best; then descent again. Cost: O(m) per step, about 50 us per start for m = 50.
 */
export function searchMinima(
  q: BinaryQuadratic,
  {starts, rng, keep, points = new Uint8Array(0)}: SearchOptions
): LocalMinima {
  const m = q.size
  const walk = new TabuWalk(q, keep)
  for (let at = 0; at < points.length; at += m) walk.from(points.subarray(at, at + m), 0)
  const y = new Uint8Array(m)
  for (let start = 0; start < starts; start++) {
    // The share of ones varies between starts: good points have few ones for some functions, many for others.
    const share = rng.next()
    for (let i = 0; i < m; i++) y[i] = rng.next() < share ? 1 : 0
    walk.from(y, randomIndex(rng, 8))
  }
  return walk.finish()
}

class TabuWalk {
  readonly #q: BinaryQuadratic
  readonly #W: Float64Array
  readonly #y: Uint8Array
  /** The change of value if a variable flips. */
  readonly #gain: Float64Array
  readonly #freeAt: Int32Array
  readonly #keeper: MinimaKeeper
  readonly #rounding: number
  #value = 0
  #best = 0
  #lowest = 0

  constructor(q: BinaryQuadratic, keep: number) {
    this.#q = q
    this.#W = symmetricWeights(q)
    this.#y = new Uint8Array(q.size)
    this.#gain = new Float64Array(q.size)
    this.#freeAt = new Int32Array(q.size)
    this.#rounding = ROUNDING * coefficientScale(q)
    this.#keeper = new MinimaKeeper(keep, 100 * this.#rounding)
  }

  /** `jitter` varies how long a flipped variable stays forbidden, so that walks do not enter the same cycles. */
  from(start: Uint8Array, jitter: number): void {
    const tenure = 3 + jitter + (this.#q.size >> 4)
    this.#y.set(start)
    this.#freeAt.fill(0)
    this.#value = quadraticValue(this.#q, start)
    this.#best = Number.POSITIVE_INFINITY
    this.#fillGains()
    this.#descend()
    for (let step = 1; step <= STEPS_PER_VARIABLE * this.#q.size; step++) {
      const i = this.#bestAllowed(step)
      if (step > 1 && this.#lowest >= -this.#rounding) this.#offer()
      if (i < 0) continue
      this.#freeAt[i] = step + tenure
      this.#flip(i)
    }
    this.#descend()
  }

  finish(): LocalMinima {
    return this.#keeper.finish(this.#q)
  }

  #fillGains(): void {
    const m = this.#q.size
    const [y, gain, W] = [this.#y, this.#gain, this.#W]
    gain.set(this.#q.linear)
    for (let i = 0; i < m; i++) if (y[i] === 1) for (let k = 0, at = i * m; k < m; k++, at++) gain[k] += W[at]
    for (let i = 0; i < m; i++) if (y[i] === 1) gain[i] = -gain[i]
  }

  #descend(): void {
    const gain = this.#gain
    for (;;) {
      let lowest = -this.#rounding
      let at = -1
      for (let i = 0; i < gain.length; i++) {
        if (gain[i] < lowest) {
          lowest = gain[i]
          at = i
        }
      }
      if (at < 0) break
      this.#flip(at)
    }
    this.#offer()
  }

  #offer(): void {
    this.#keeper.offer(this.#value, this.#y)
    if (this.#value < this.#best) this.#best = this.#value
  }

  /** Returns the best flip that is not forbidden, -1 when all are; also records the best flip of all. */
  #bestAllowed(step: number): number {
    const gain = this.#gain
    const freeAt = this.#freeAt
    const wanted = this.#best - this.#value - this.#rounding
    let lowest = Number.POSITIVE_INFINITY
    let allowed = Number.POSITIVE_INFINITY
    let at = -1
    for (let i = 0; i < gain.length; i++) {
      const change = gain[i]
      if (change < lowest) lowest = change
      if (change < allowed && (freeAt[i] <= step || change < wanted)) {
        allowed = change
        at = i
      }
    }
    this.#lowest = lowest
    return at
  }

  #flip(i: number): void {
    const m = this.#q.size
    const [y, gain, W] = [this.#y, this.#gain, this.#W]
    const change = gain[i]
    this.#value += change
    y[i] ^= 1
    const sign = 2 * y[i] - 1
    for (let k = 0, at = i * m; k < m; k++, at++) gain[k] += y[k] === 1 ? -sign * W[at] : sign * W[at]
    gain[i] = -change
  }
}

/** Keeps the best distinct points, sorted by value. Values closer than `tolerance` may belong to the same point. */
class MinimaKeeper {
  readonly #keep: number
  readonly #tolerance: number
  readonly #found: {readonly value: number; readonly y: Uint8Array}[] = []

  constructor(keep: number, tolerance: number) {
    this.#keep = keep
    this.#tolerance = tolerance
  }

  offer(value: number, y: Uint8Array): void {
    const found = this.#found
    if (found.length === this.#keep && value >= found[this.#keep - 1].value) return
    if (found.some(other => Math.abs(other.value - value) <= this.#tolerance && equalRows(other.y, y))) return
    const place = found.findIndex(other => other.value >= value)
    found.splice(place < 0 ? found.length : place, 0, {value, y: y.slice()})
    if (found.length > this.#keep) found.pop()
  }

  finish(q: BinaryQuadratic): LocalMinima {
    const exact = this.#found.map(({y}) => ({y, value: quadraticValue(q, y)})).sort((a, b) => a.value - b.value)
    const rows = new Uint8Array(exact.length * q.size)
    exact.forEach(({y}, at) => {
      rows.set(y, at * q.size)
    })
    return {count: exact.length, values: Float64Array.from(exact, ({value}) => value), rows}
  }
}

function equalRows(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
