import {choleskyFactor, choleskySolve} from '../../base/numeric/index.ts'
import type {MomentProblem} from './problem.ts'

/** Eight numbers fill a cache line. */
const TILE = 8

/**
 * The second-order model at a point of D(a, R mu), the divergence of Eq. 4 without shrinkage, plus a sum over the cells of mu of
 * a weight times the squared change of the cell, in coordinates (p, q): the matrix of a Newton step.
 *
 * P(A_i, A_k on) = e_i e_k + d_i e_k p_i + e_i d_k p_k + d_i d_k q_ik with d = t - e, so a pair i < k has a 3x3 block in
 * (p_i, p_k, q_ik), and q_ik occurs in no other: eliminating every q from its block leaves an m x m system for p.
 * Layout: `pp` m x m, lower triangle, entries (p, p); `iq`, `kq`, `qq` one number per pair, row-major: entries (p_i, q_ik),
 * (p_k, q_ik) and (q_ik, q_ik).
 * Cost: O(m^2) to assemble and to multiply, m^3/3 to factor, O(m^2) to solve.
 */
export class Curvature {
  /** The gradient of D at the point of the last update. */
  readonly slope: Float64Array
  readonly #problem: MomentProblem
  readonly #m: number
  readonly pp: Float64Array
  readonly iq: Float64Array
  readonly kq: Float64Array
  readonly qq: Float64Array
  readonly #S: Float64Array

  constructor(problem: MomentProblem) {
    const m = problem.layout.conceptCount
    const pairs = problem.layout.pairCount
    this.#problem = problem
    this.#m = m
    this.slope = new Float64Array(m + pairs)
    this.pp = new Float64Array(m * m)
    this.iq = new Float64Array(pairs)
    this.kq = new Float64Array(pairs)
    this.qq = new Float64Array(pairs)
    this.#S = new Float64Array(m * m)
  }

  /** Builds the model at `x`, with `weights` on the cells of mu. */
  update(x: Float64Array, weights: Float64Array): void {
    this.pp.fill(0)
    this.slope.fill(0)
    this.#updateSingles(x, weights)
    const {rates, observed: a, divergence} = this.#problem
    const m = this.#m
    const {pp, iq, kq, qq, slope} = this
    for (let i = 0, pair = 0, cell = 2 * m; i < m; i++) {
      const ei = rates[i].falsePositive
      const di = rates[i].truePositive - ei
      for (let k = i + 1; k < m; k++, pair++, cell += 4) {
        const ek = rates[k].falsePositive
        const dk = rates[k].truePositive - ek
        const pi = x[i]
        const pk = x[k]
        // P(A_i, A_k), then slope and curvature of D in each of its four cells.
        const r3 = ei * ek + di * ek * pi + ei * dk * pk + di * dk * x[m + pair]
        const r2 = ei + di * pi - r3
        const r1 = ek + dk * pk - r3
        const r0 = 1 - r1 - r2 - r3
        let g0 = 2 * (r0 - a[cell])
        let g1 = 2 * (r1 - a[cell + 1])
        let g2 = 2 * (r2 - a[cell + 2])
        let g3 = 2 * (r3 - a[cell + 3])
        let c0 = 2
        let c1 = 2
        let c2 = 2
        let c3 = 2
        if (divergence === 'kl') {
          g0 = a[cell] === 0 ? 0 : -a[cell] / r0
          g1 = a[cell + 1] === 0 ? 0 : -a[cell + 1] / r1
          g2 = a[cell + 2] === 0 ? 0 : -a[cell + 2] / r2
          g3 = a[cell + 3] === 0 ? 0 : -a[cell + 3] / r3
          c0 = a[cell] === 0 ? 0 : -g0 / r0
          c1 = a[cell + 1] === 0 ? 0 : -g1 / r1
          c2 = a[cell + 2] === 0 ? 0 : -g2 / r2
          c3 = a[cell + 3] === 0 ? 0 : -g3 / r3
        }
        // From (P(A_i), P(A_k), P(A_i, A_k)) to (p_i, p_k, q_ik).
        const u = di * ek
        const v = ei * dk
        const w = di * dk
        const gBoth = g0 - g1 - g2 + g3
        slope[i] += di * (g2 - g0) + u * gBoth
        slope[k] += dk * (g1 - g0) + v * gBoth
        slope[m + pair] = w * gBoth
        const cBoth = c0 + c1 + c2 + c3
        const w0 = weights[cell]
        const w1 = weights[cell + 1]
        const w2 = weights[cell + 2]
        pp[i * m + i] += di * (di - 2 * u) * (c0 + c2) + u * u * cBoth + w0 + w2
        pp[k * m + k] += dk * (dk - 2 * v) * (c0 + c1) + v * v * cBoth + w0 + w1
        pp[k * m + i] = di * dk * c0 - di * v * (c0 + c2) - dk * u * (c0 + c1) + u * v * cBoth + w0
        iq[pair] = w * (u * cBoth - di * (c0 + c2)) - w0 - w2
        kq[pair] = w * (v * cBoth - dk * (c0 + c1)) - w0 - w1
        qq[pair] = w * w * cBoth + w0 + w1 + w2 + weights[cell + 3]
      }
    }
  }

  #updateSingles(x: Float64Array, weights: Float64Array): void {
    const {rates, observed: a, divergence} = this.#problem
    const m = this.#m
    for (let i = 0; i < m; i++) {
      const {truePositive: t, falsePositive: e} = rates[i]
      const on = e + (t - e) * x[i]
      const off = 1 - on
      const a0 = a[2 * i]
      const a1 = a[2 * i + 1]
      const isKl = divergence === 'kl'
      const g0 = isKl ? (a0 === 0 ? 0 : -a0 / off) : 2 * (off - a0)
      const g1 = isKl ? (a1 === 0 ? 0 : -a1 / on) : 2 * (on - a1)
      const c0 = isKl ? (a0 === 0 ? 0 : -g0 / off) : 2
      const c1 = isKl ? (a1 === 0 ? 0 : -g1 / on) : 2
      this.slope[i] = (t - e) * (g1 - g0)
      this.pp[i * m + i] = (t - e) * (t - e) * (c0 + c1) + weights[2 * i] + weights[2 * i + 1]
    }
  }

  /** Prepares `solve`; returns false when rounding leaves the matrix not positive definite. */
  factor(): boolean {
    const m = this.#m
    const {pp, iq, kq, qq} = this
    const S = this.#S
    S.set(pp)
    // Few rows i at a time: their entries in row k of S share a cache line.
    for (let first = 0; first < m; first += TILE)
      for (let k = first + 1; k < m; k++)
        for (let i = first; i < Math.min(k, first + TILE); i++) {
          const pair = i * m - (i * (i + 3)) / 2 + k - 1
          const h = qq[pair]
          const ih = iq[pair] / h
          S[i * m + i] -= ih * iq[pair]
          S[k * m + i] -= ih * kq[pair]
          S[k * m + k] -= (kq[pair] * kq[pair]) / h
        }
    return choleskyFactor(S, m)
  }

  /** Writes matrix^-1 b. */
  solve(b: Float64Array, out: Float64Array): void {
    const m = this.#m
    const {iq, kq, qq} = this
    out.set(b)
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++) {
        const share = b[m + pair] / qq[pair]
        out[i] -= iq[pair] * share
        out[k] -= kq[pair] * share
      }
    choleskySolve(this.#S, m, out)
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++)
        out[m + pair] = (b[m + pair] - iq[pair] * out[i] - kq[pair] * out[k]) / qq[pair]
  }

  /** Writes matrix v. */
  multiply(v: Float64Array, out: Float64Array): void {
    const m = this.#m
    const {pp, iq, kq, qq} = this
    for (let i = 0; i < m; i++) {
      let sum = pp[i * m + i] * v[i]
      for (let k = 0; k < i; k++) {
        sum += pp[i * m + k] * v[k]
        out[k] += pp[i * m + k] * v[i]
      }
      out[i] = sum
    }
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++) {
        const q = v[m + pair]
        out[i] += iq[pair] * q
        out[k] += kq[pair] * q
        out[m + pair] = iq[pair] * v[i] + kq[pair] * v[k] + qq[pair] * q
      }
  }
}
