import {factorShifted, invertFactor, PIVOT_ROUNDING} from './shifted-cholesky.ts'
import type {TriangleCuts} from './triangle-cuts.ts'

/**
 * Numbers per vector. Theory needs sqrt(2n) to exclude false optima; fewer only cost tightness, and a constant lets the
 * unrolled inner loops keep everything in registers, which makes them three times faster.
 */
export const RANK = 8

/** Diagonal entries below this share of their mean are raised to it, so that variables without weight do no harm. */
const LEAST_DIAGONAL = 1e-11

/** With a smaller shift the inverse of the matrix is mostly rounding error. */
const STEADY_SHIFT = 1e-5

/** Beyond this shift the bound is useless. */
const LARGEST_SHIFT = 1e6

/**
 * A lower bound of `constant + sum_{a<b} J_ab x_a x_b` over signs x = +1 or -1: the semidefinite relaxation, `x_a x_b`
 * replaced by `v_a . v_b` with unit vectors v, tightened by triangle inequalities (Rendl, Rinaldi, Wiegele 2010).
 *
 * Vectors of low rank are moved one at a time to their best position, `v_a = -g_a / |g_a|` with `g_a = sum_b G_ab v_b` (the
 * mixing method, Wang and Kolter 2017), where `G = J - sum of multiplier x signs of the cuts`; multipliers follow the
 * violations. None of this needs to converge for the bound to hold: with `D = diag |g_a|`, for any multipliers >= 0 and any
 * t such that `G + (1 + t) D` is positive semidefinite, the value is at least
 * `constant - sum of multipliers - (1 + t)/2 sum |g_a|`. A Cholesky factorisation proves it.
 *
 * Layout: `vectors` n x RANK row-major. Cost: O(n^2) per sweep, O(n^3) per proof, about 15 and 50 us for n = 50.
 */
export class SpinRelaxation {
  readonly n: number
  readonly vectors: Float64Array
  readonly cuts: TriangleCuts
  readonly #G: Float64Array
  readonly #constant: number
  readonly #norms: Float64Array
  readonly #g: Float64Array
  readonly #L: Float64Array
  readonly #X: Float64Array
  readonly #degree: Int32Array
  #shift = 0.01
  #proven = Number.NEGATIVE_INFINITY
  /** The last proof without its shift, and the cost of a shift of 1. */
  #base = Number.NEGATIVE_INFINITY
  #half = 0

  /** Takes ownership of `J` (n x n, symmetric, zero diagonal), `vectors` and `cuts`, and changes them. */
  constructor(J: Float64Array, constant: number, vectors: Float64Array, cuts: TriangleCuts) {
    const n = Math.round(Math.sqrt(J.length))
    this.n = n
    this.vectors = vectors
    this.cuts = cuts
    this.#G = J
    this.#constant = constant
    this.#norms = new Float64Array(n)
    this.#g = new Float64Array(RANK)
    this.#L = new Float64Array(n * n)
    this.#X = new Float64Array(n * n)
    this.#degree = new Int32Array(n * n)
    for (let at = 0; at < cuts.count; at++) this.#subtractCut(at, cuts.multiplier[at])
    this.#measure()
  }

  /** v_a . v_b at a n + b, for a < b. */
  get products(): Float64Array {
    return this.#X
  }

  /** |g_a|: how much depends on each variable. */
  get norms(): Float64Array {
    return this.#norms
  }

  /** Drop idle cuts and add about `budget` violated ones. */
  renewCuts(budget: number): void {
    const {n, cuts} = this
    this.#multiply()
    cuts.dropIdle()
    cuts.separate(this.#X, n, budget)
    this.#degree.fill(0)
    for (let at = 0; at < cuts.count; at++) {
      this.#degree[cuts.a[at] * n + cuts.b[at]]++
      this.#degree[cuts.a[at] * n + cuts.c[at]]++
      this.#degree[cuts.b[at] * n + cuts.c[at]]++
    }
  }

  /** Move every vector once. */
  sweep(): void {
    const {n, vectors} = this
    const g = this.#g
    for (let a = 0; a < n; a++) {
      const size = this.#gradient(a)
      this.#norms[a] = size
      if (size === 0) continue
      const scale = -1 / size
      for (let d = 0, to = a * RANK; d < RANK; d++, to++) vectors[to] = g[d] * scale
    }
  }

  /**
   * Move every multiplier along the violation of its cut. A change of G_ab turns v_a by its share of |g_a|, so the step is
   * measured in those, divided among the cuts that share a product.
   */
  ascend(step: number): void {
    const {n, cuts} = this
    const norms = this.#norms
    const degree = this.#degree
    for (let at = 0; at < cuts.count; at++) {
      const a = cuts.a[at]
      const b = cuts.b[at]
      const c = cuts.c[at]
      const beta = cuts.beta[at]
      const gamma = cuts.gamma[at]
      const violation =
        -1 - beta * this.#product(a, b) - gamma * this.#product(a, c) - beta * gamma * this.#product(b, c)
      const shared = Math.max(degree[a * n + b], degree[a * n + c], degree[b * n + c])
      const slack = 1 / norms[a] + 1 / norms[b] + 1 / norms[c]
      const old = cuts.multiplier[at]
      const next = Math.max(0, old + (step * violation) / (shared * slack))
      if (!(next !== old && next < Number.POSITIVE_INFINITY)) continue
      cuts.multiplier[at] = next
      this.#subtractCut(at, next - old)
    }
  }

  /**
   * The bound that the present vectors and multipliers prove; `target` as soon as that much can be proven.
   * The smallest shift t is found to within a factor of two, starting from the last one.
   */
  prove(target: number): number {
    const {n, cuts} = this
    this.#measure()
    let mean = 0
    for (let a = 0; a < n; a++) mean += this.#norms[a] / n
    let half = 0
    for (let a = 0; a < n; a++) {
      this.#norms[a] = Math.max(this.#norms[a], LEAST_DIAGONAL * mean)
      half += this.#norms[a] / 2
    }
    let base = this.#constant - half
    for (let at = 0; at < cuts.count; at++) base -= cuts.multiplier[at]
    this.#base = base
    this.#half = half
    const enough = (base - target) / half
    // Without a diagonal there is a bound only where there are no weights either.
    if (half === 0) this.#proven = this.#G.some(weight => weight !== 0) ? Number.NEGATIVE_INFINITY : base
    else if (enough >= 0 && this.#isPositive(enough)) this.#proven = target
    else this.#proven = base - this.#smallestShift() * half
    return this.#proven
  }

  /**
   * Lower bounds when x_0 and x_a have opposite signs (at 2a) or equal ones (at 2a + 1); call it after a proof.
   * With `Z = G + (1 + t) D` the value is at least the proven bound plus `x' Z x / 2`, and the Schur complement of all other
   * signs in Z bounds how small that can be.
   */
  forcedBounds(): Float64Array {
    const {n} = this
    const t = Math.max(this.#shift, STEADY_SHIFT)
    const bounds = new Float64Array(2 * n).fill(this.#proven)
    if (!this.#isPositive(t)) return bounds
    bounds.fill(this.#base - t * this.#half)
    const inverse = this.#L
    invertFactor(inverse, n)
    const entry = (a: number, b: number) => {
      let sum = 0
      for (let d = b, at = b * n; d < n; d++, at += n) sum += inverse[at + a] * inverse[at + b]
      return sum
    }
    // The rounding error of the entries of the inverse, relative to the diagonal.
    const doubt = (PIVOT_ROUNDING * n) / t
    const p00 = entry(0, 0)
    for (let a = 1; a < n; a++) {
      const p0a = entry(0, a)
      const paa = entry(a, a)
      const sum = (1 - 2 * doubt) * (p00 + paa)
      const twice = 2 * (p00 * paa - p0a * p0a + 4 * doubt * p00 * paa)
      bounds[2 * a] += Math.max(0, sum + 2 * p0a) / twice
      bounds[2 * a + 1] += Math.max(0, sum - 2 * p0a) / twice
    }
    return bounds
  }

  #smallestShift(): number {
    let t = this.#shift
    if (this.#isPositive(t)) while (t > 1e-12 && this.#isPositive(t / 2)) t /= 2
    else while (t < LARGEST_SHIFT && !this.#isPositive(2 * t)) t *= 2
    // Either t is enough, or 2t is, or no shift is.
    if (!this.#isPositive(t)) t *= 2
    this.#shift = t
    return t < LARGEST_SHIFT ? t : Number.POSITIVE_INFINITY
  }

  /** Add `-change x signs` of one cut to G. */
  #subtractCut(at: number, change: number): void {
    const {n, cuts} = this
    const G = this.#G
    const a = cuts.a[at]
    const b = cuts.b[at]
    const c = cuts.c[at]
    const ab = change * cuts.beta[at]
    const ac = change * cuts.gamma[at]
    const bc = change * cuts.beta[at] * cuts.gamma[at]
    G[a * n + b] -= ab
    G[b * n + a] -= ab
    G[a * n + c] -= ac
    G[c * n + a] -= ac
    G[b * n + c] -= bc
    G[c * n + b] -= bc
  }

  #product(a: number, b: number): number {
    const v = this.vectors
    const x = RANK * a
    const y = RANK * b
    return (
      v[x] * v[y] +
      v[x + 1] * v[y + 1] +
      v[x + 2] * v[y + 2] +
      v[x + 3] * v[y + 3] +
      v[x + 4] * v[y + 4] +
      v[x + 5] * v[y + 5] +
      v[x + 6] * v[y + 6] +
      v[x + 7] * v[y + 7]
    )
  }

  #multiply(): void {
    for (let a = 0; a < this.n; a++) for (let b = a + 1; b < this.n; b++) this.#X[a * this.n + b] = this.#product(a, b)
  }

  /** g_a into `#g`; returns its length. Unrolled: the inner loop of every sweep. */
  #gradient(a: number): number {
    const {n, vectors} = this
    const G = this.#G
    const g = this.#g
    let g0 = 0
    let g1 = 0
    let g2 = 0
    let g3 = 0
    let g4 = 0
    let g5 = 0
    let g6 = 0
    let g7 = 0
    for (let at = 0, from = a * n; from < (a + 1) * n; at += RANK, from++) {
      const weight = G[from]
      g0 += weight * vectors[at]
      g1 += weight * vectors[at + 1]
      g2 += weight * vectors[at + 2]
      g3 += weight * vectors[at + 3]
      g4 += weight * vectors[at + 4]
      g5 += weight * vectors[at + 5]
      g6 += weight * vectors[at + 6]
      g7 += weight * vectors[at + 7]
    }
    g[0] = g0
    g[1] = g1
    g[2] = g2
    g[3] = g3
    g[4] = g4
    g[5] = g5
    g[6] = g6
    g[7] = g7
    return Math.sqrt(g0 * g0 + g1 * g1 + g2 * g2 + g3 * g3 + g4 * g4 + g5 * g5 + g6 * g6 + g7 * g7)
  }

  #measure(): void {
    for (let a = 0; a < this.n; a++) this.#norms[a] = this.#gradient(a)
  }

  #isPositive(t: number): boolean {
    return factorShifted(this.#G, this.#norms, t, this.#L)
  }
}
