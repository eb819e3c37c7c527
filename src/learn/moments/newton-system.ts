import {choleskyFactor, choleskySolve} from '../../base/numeric/index.ts'
import {type CutRow, rowProduct} from './cuts.ts'
import type {MomentProblem} from './problem.ts'

/**
 * The matrix of a Newton step on Eq. 4 in coordinates (p, q). Its quadratic form is the sum, over the cells of the anchor tables
 * R mu, the cells of mu and the slacks of cuts, of a weight times the squared change of the cell or slack.
 *
 * P(A_i = A_k = 1) = e_i e_k + d_i e_k p_i + e_i d_k p_k + d_i d_k q_ik with d = t - e, so a pair i < k has a 3x3 block in
 * (p_i, p_k, q_ik), and q_ik is in no other block. Eliminating every q leaves an m x m system for p. Cuts are added by the
 * formula of Woodbury.
 * Layout: `pp` is the lower triangle of the m x m entries (p, p), row-major; `iq`, `kq` and `qq` have an entry for each pair,
 * (p_i, q_ik), (p_k, q_ik) and (q_ik, q_ik).
 * Cost: O(m^2) to assemble, multiply and solve, m^3/3 to factor; each cut adds a solve, and all of them cuts^3/3.
 */
export class NewtonSystem {
  readonly #pp: Float64Array
  readonly #qq: Float64Array
  readonly #iq: Float64Array
  readonly #kq: Float64Array
  readonly #problem: MomentProblem
  readonly #m: number
  /** The Cholesky factor of the system for p. */
  readonly #S: Float64Array
  #cuts: readonly CutRow[] = []
  /** H^-1 a for the coefficients a of every cut, where H is the matrix without cuts. */
  #columns: Float64Array[] = []
  /** The Cholesky factor of the capacitance matrix diag(1/weight) + A H^-1 A', where the rows of A are the cuts. */
  #capacitance = new Float64Array(0)

  constructor(problem: MomentProblem) {
    const {conceptCount: m, pairCount} = problem.layout
    this.#problem = problem
    this.#m = m
    this.#pp = new Float64Array(m * m)
    this.#qq = new Float64Array(pairCount)
    this.#iq = new Float64Array(pairCount)
    this.#kq = new Float64Array(pairCount)
    this.#S = new Float64Array(m * m)
  }

  /** Assembles the matrix without cuts, from the weights of the anchor cells and of the cells of mu. */
  update(anchorWeights: Float64Array, weights: Float64Array): void {
    const {rates} = this.#problem
    const m = this.#m
    const [pp, iq, kq, qq] = [this.#pp, this.#iq, this.#kq, this.#qq]
    pp.fill(0)
    for (let i = 0; i < m; i++) {
      const d = rates[i].truePositive - rates[i].falsePositive
      const [off, on] = [2 * i, 2 * i + 1]
      pp[i * m + i] = d * d * (anchorWeights[off] + anchorWeights[on]) + weights[off] + weights[on]
    }
    for (let i = 0, pair = 0, cell = 2 * m; i < m; i++) {
      const ei = rates[i].falsePositive
      const di = rates[i].truePositive - ei
      for (let k = i + 1; k < m; k++, pair++, cell += 4) {
        const ek = rates[k].falsePositive
        const dk = rates[k].truePositive - ek
        // The derivatives of P(A_i = A_k = 1) in p_i, p_k and q_ik; those of P(A_i = 1) and P(A_k = 1) are di and dk.
        const byI = di * ek
        const byK = ei * dk
        const byPair = di * dk
        // The weights of the cells 00, 01 and 10: c for those of the anchors, w for those of mu.
        const c0 = anchorWeights[cell]
        const c1 = anchorWeights[cell + 1]
        const c2 = anchorWeights[cell + 2]
        const all = c0 + c1 + c2 + anchorWeights[cell + 3]
        const w0 = weights[cell]
        const w1 = weights[cell + 1]
        const w2 = weights[cell + 2]
        pp[i * m + i] += di * (di - 2 * byI) * (c0 + c2) + byI * byI * all + w0 + w2
        pp[k * m + k] += dk * (dk - 2 * byK) * (c0 + c1) + byK * byK * all + w0 + w1
        pp[k * m + i] = di * dk * c0 - di * byK * (c0 + c2) - dk * byI * (c0 + c1) + byI * byK * all + w0
        iq[pair] = byPair * (byI * all - di * (c0 + c2)) - w0 - w2
        kq[pair] = byPair * (byK * all - dk * (c0 + c1)) - w0 - w1
        qq[pair] = byPair * byPair * all + w0 + w1 + w2 + weights[cell + 3]
      }
    }
  }

  /** Factors the matrix with cuts of these weights; returns false if rounding made it not positive definite. */
  factor(cuts: readonly CutRow[], weights: Float64Array): boolean {
    this.#cuts = []
    if (!this.#eliminatePairs()) return false
    const n = cuts.length
    this.#capacitance = new Float64Array(n * n)
    this.#columns = cuts.map(({indices, values}, a) => {
      const column = new Float64Array(this.#m + this.#qq.length)
      indices.forEach((index, at) => {
        column[index] = values[at]
      })
      this.solve(column)
      for (let b = 0; b <= a; b++) this.#capacitance[a * n + b] = rowProduct(cuts[b], column)
      this.#capacitance[a * n + a] += 1 / weights[a]
      return column
    })
    this.#cuts = cuts
    return choleskyFactor(this.#capacitance, n)
  }

  /** Factors the system for p that is left after eliminating every q; returns false if it is not positive definite. */
  #eliminatePairs(): boolean {
    const m = this.#m
    const [S, iq, kq, qq] = [this.#S, this.#iq, this.#kq, this.#qq]
    S.set(this.#pp)
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++) {
        const pivot = iq[pair] / qq[pair]
        S[i * m + i] -= pivot * iq[pair]
        S[k * m + i] -= pivot * kq[pair]
        S[k * m + k] -= (kq[pair] * kq[pair]) / qq[pair]
      }
    return choleskyFactor(S, m)
  }

  /** Replaces b by the solution x of matrix x = b. */
  solve(b: Float64Array): void {
    const m = this.#m
    const [iq, kq, qq] = [this.#iq, this.#kq, this.#qq]
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++) {
        const q = b[m + pair] / qq[pair]
        b[i] -= iq[pair] * q
        b[k] -= kq[pair] * q
      }
    choleskySolve(this.#S, m, b)
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++) b[m + pair] = (b[m + pair] - iq[pair] * b[i] - kq[pair] * b[k]) / qq[pair]
    if (this.#cuts.length === 0) return
    const y = Float64Array.from(this.#cuts, cut => rowProduct(cut, b))
    choleskySolve(this.#capacitance, y.length, y)
    this.#columns.forEach((column, a) => {
      for (let e = 0; e < b.length; e++) b[e] -= y[a] * column[e]
    })
  }

  /** Writes the diagonal of the matrix without cuts. */
  writeDiagonal(out: Float64Array): void {
    for (let i = 0; i < this.#m; i++) out[i] = this.#pp[i * this.#m + i]
    out.set(this.#qq, this.#m)
  }

  /** Writes the product of the matrix without cuts and v. */
  multiply(v: Float64Array, out: Float64Array): void {
    const m = this.#m
    const [pp, iq, kq, qq] = [this.#pp, this.#iq, this.#kq, this.#qq]
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
