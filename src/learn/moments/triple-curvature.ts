import {choleskyFactor, choleskySolve, conjugateGradients} from '../../base/numeric/index.ts'
import {pairIndex} from '../../base/qubo/index.ts'
import {type Curvature, PairCurvature} from './curvature.ts'
import type {MomentProblem} from './moment-problem.ts'

import {applyFactors, productEntries, setFactor, setProducts} from './table-solver.ts'

/** Where a set of concepts (a cell: i is bit 4, k bit 2, l bit 1) stands among the 27 entries of a triple: its bits in base 3. */
const TERNARY: readonly number[] = [0, 1, 3, 4, 9, 10, 12, 13]
/** The couplings of a triple that pairs do not have, as cells, two by two: p_i q_kl, p_k q_il, p_l q_ik, then q with q. */
const COUPLED: readonly number[] = [4, 3, 5, 2, 6, 1, 6, 5, 6, 3, 5, 3]
/** Each pair of a triple and its two concepts, as cells, three by three. */
const PARTS: readonly number[] = [3, 2, 1, 5, 4, 1, 6, 4, 2]
/** `productEntries` from cells of mu to coordinates, without noise: a cell off is 1 - p, on is p. */
const UNCHANGED = Float64Array.of(1, 0, -1, 0, 1, 1, 1, 0, -1, 0, 1, 1, 1, 0, -1, 0, 1, 1)
/** A triple is heavy when its couplings squared, as shares of the diagonal, add up to this. */
const HEAVY = 1e-4
/** So many pairs of heavy triples are solved for exactly: more take longer than the steps they save. */
const EXACT_PAIRS = 600
/** Small enough for the certificate, which counts every residual in full; a tenth of it costs a step or two. */
const RESIDUAL = 1e-9
const STEP_LIMIT = 500

/**
 * The second-order model of D(a, R mu) over singles, pairs and triples, plus `weights` times squared changes of the cells of
 * mu, in coordinates (p, q, r).
 *
 * A triple has a 7x7 block, of 27 different entries (`productEntries`). r_ikl occurs in no other and is eliminated. What is
 * left on (p, q), the *reduced* matrix, is solved by conjugate gradients: it has the structure of pairs, and six couplings a
 * triple beyond. Preconditioner: the pairs, the diagonal of all triples and the whole block of the heavy ones (those at the
 * boundary: few but stiff), a sum of positive definite parts; light q are eliminated, the others factored together with p.
 * Layout: `index` has the coordinates of a triple's sets by cell, 8 a triple; `entries` 27 a triple; `coupling` 6 a triple.
 * Cost: about 500 flops a triple to update and factor, 24 a conjugate-gradient step, of which 10 to 60 are needed.
 */
export class TripleCurvature implements Curvature {
  readonly slope: Float64Array
  /** Conjugate-gradient steps of all solves so far. */
  steps = 0
  readonly #problem: MomentProblem
  readonly #m: number
  readonly #index: Int32Array
  readonly #entries: Float64Array
  readonly #pairs: PairCurvature
  readonly #reduced: PairCurvature
  readonly #coupling: Float64Array
  readonly #pivot: Float64Array
  readonly #diagonal: Float64Array
  readonly #row: Int32Array
  readonly #block = new Float64Array(64)
  #factor = new Float64Array(0)
  #rowCount = 0

  constructor(problem: MomentProblem) {
    const {conceptCount: m, tableCount} = problem.layout
    const triples = tableCount(3)
    const first = m + tableCount(2)
    this.#problem = problem
    this.#m = m
    this.slope = new Float64Array(first + triples)
    this.#index = tripleCoordinates(m)
    this.#entries = new Float64Array(27 * triples)
    this.#pairs = new PairCurvature(problem)
    this.#reduced = new PairCurvature(problem)
    this.#coupling = new Float64Array(6 * triples)
    this.#pivot = new Float64Array(triples)
    this.#diagonal = new Float64Array(first)
    this.#row = new Int32Array(first)
  }

  update(x: Float64Array, weights: Float64Array): void {
    const {layout, rates, observed: a, divergence} = this.#problem
    const index = this.#index
    const entries = this.#entries
    const [r, g, c] = [8, 8, 8].map(length => new Float64Array(length))
    const [forward, backward, products, work, other] = [12, 12, 18, 27, 27].map(length => new Float64Array(length))
    this.#pairs.update(x, weights)
    this.slope.fill(0).set(this.#pairs.slope)
    for (let at = 0, start = 0, cell = layout.start(3); at < index.length; at += 8, start += 27, cell += 8) {
      for (let k = 0; k < 3; k++) {
        // From the coordinates of a concept, 1 and p, to what its anchor shows: 1 - e - d p off, e + d p on.
        const {truePositive: t, falsePositive: e} = rates[index[at + (4 >> k)]]
        setFactor(forward, k, 1 - e, e - t, e, t - e)
        setFactor(backward, k, 1 - e, e, e - t, t - e)
        setProducts(products, k, forward)
      }
      r[0] = 1
      for (let u = 1; u < 8; u++) r[u] = x[index[at + u]]
      applyFactors(forward, r)
      for (let s = 0; s < 8; s++) {
        const share = a[cell + s]
        g[s] = divergence === 'l2' ? 2 * (r[s] - share) : share === 0 ? 0 : -share / r[s]
        c[s] = divergence === 'l2' ? 2 : share === 0 ? 0 : -g[s] / r[s]
      }
      applyFactors(backward, g)
      for (let u = 1; u < 8; u++) this.slope[index[at + u]] += g[u]
      const curved = productEntries(products, c, work, other)
      for (let e = 0; e < 27; e++) entries[start + e] = curved[e]
      for (let s = 0; s < 8; s++) c[s] = weights[cell + s]
      const weighted = productEntries(UNCHANGED, c, work, other)
      for (let e = 0; e < 27; e++) entries[start + e] += weighted[e]
    }
  }

  factor(extra: Float64Array | undefined): boolean {
    this.#reduce(extra)
    this.#reduced.diagonal(this.#diagonal)
    this.#chooseRows()
    const m = this.#m
    const n = this.#rowCount
    const {pp, iq, kq} = this.#pairs
    const D = this.#diagonal
    if (this.#factor.length < n * n) this.#factor = new Float64Array(n * n)
    const A = this.#factor.fill(0)
    for (let i = 0; i < m; i++) {
      for (let k = 0; k < i; k++) A[i * n + k] = pp[i * m + k]
      A[i * n + i] = D[i]
    }
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++) {
        const q = this.#row[m + pair]
        const h = D[m + pair]
        if (q < 0) {
          A[i * n + i] -= (iq[pair] * iq[pair]) / h
          A[k * n + i] -= (iq[pair] * kq[pair]) / h
          A[k * n + k] -= (kq[pair] * kq[pair]) / h
        } else {
          A[q * n + i] = iq[pair]
          A[q * n + k] = kq[pair]
          A[q * n + q] = h
        }
      }
    this.#addHeavy(A, n)
    return choleskyFactor(A, n)
  }

  /** Eliminate every r: the reduced matrix, its couplings apart. */
  #reduce(extra: Float64Array | undefined): void {
    const m = this.#m
    const {pp, iq, kq, qq} = this.#reduced
    const index = this.#index
    for (const part of ['pp', 'iq', 'kq', 'qq'] as const) this.#reduced[part].set(this.#pairs[part])
    const more = extra ?? new Float64Array(this.slope.length)
    for (let i = 0; i < m; i++) pp[i * m + i] += more[i]
    for (let pair = 0; pair < qq.length; pair++) qq[pair] += more[m + pair]
    for (let triple = 0, at = 0; triple < this.#pivot.length; triple++, at += 8) {
      this.#pivot[triple] = this.#entries[27 * triple + 26] + more[index[at + 7]]
      const S = this.#reducedBlock(triple)
      for (let u = 1; u < 7; u *= 2) pp[index[at + u] * (m + 1)] += S[9 * u]
      for (let part = 0; part < 9; part += 3) {
        const [both, i, k] = [PARTS[part], PARTS[part + 1], PARTS[part + 2]]
        const pair = index[at + both] - m
        pp[index[at + k] * m + index[at + i]] += S[8 * i + k]
        iq[pair] += S[8 * both + i]
        kq[pair] += S[8 * both + k]
        qq[pair] += S[9 * both]
      }
      for (let d = 0; d < 6; d++) this.#coupling[6 * triple + d] = S[8 * COUPLED[2 * d] + COUPLED[2 * d + 1]]
    }
  }

  /** The block of a triple without its r: lower triangle of cells 1 to 6 (l, k, kl, i, il, ik), 8 a row. Good until the next. */
  #reducedBlock(triple: number): Float64Array {
    const S = this.#block
    const entries = this.#entries
    const start = 27 * triple
    for (let u = 1; u < 7; u++) {
      const share = entries[start + TERNARY[u] + TERNARY[7]] / this.#pivot[triple]
      for (let v = 1; v <= u; v++)
        S[8 * u + v] = entries[start + TERNARY[u] + TERNARY[v]] - share * entries[start + TERNARY[v] + TERNARY[7]]
    }
    return S
  }

  /** Give the pairs of heavy triples rows behind those of p, the heaviest first. */
  #chooseRows(): void {
    const index = this.#index
    const D = this.#diagonal
    const row = this.#row.fill(-1)
    const m = this.#m
    for (let i = 0; i < m; i++) row[i] = i
    const weight = new Float64Array(this.#pivot.length)
    for (let triple = 0; triple < weight.length; triple++)
      for (let d = 0; d < 6; d++) {
        const c = this.#coupling[6 * triple + d]
        weight[triple] += (c * c) / (D[index[8 * triple + COUPLED[2 * d]]] * D[index[8 * triple + COUPLED[2 * d + 1]]])
      }
    const heavy = Array.from(weight.keys()).filter(triple => weight[triple] > HEAVY)
    this.#rowCount = m
    for (const triple of heavy.sort((a, b) => weight[b] - weight[a] || a - b))
      for (let part = 0; part < 9; part += 3) {
        const e = index[8 * triple + PARTS[part]]
        if (row[e] < 0 && this.#rowCount < m + EXACT_PAIRS) row[e] = this.#rowCount++
      }
  }

  /** Add what couples the coordinates of every triple whose pairs all have rows. */
  #addHeavy(A: Float64Array, n: number): void {
    const row = this.#row
    const index = this.#index
    for (let triple = 0, at = 0; triple < this.#pivot.length; triple++, at += 8) {
      if (row[index[at + 3]] < 0 || row[index[at + 5]] < 0 || row[index[at + 6]] < 0) continue
      const S = this.#reducedBlock(triple)
      for (let u = 2; u < 7; u++)
        for (let v = 1; v < u; v++) {
          const a = row[index[at + u]]
          const b = row[index[at + v]]
          A[a > b ? a * n + b : b * n + a] += S[8 * u + v]
        }
    }
  }

  solve(b: Float64Array, out: Float64Array): void {
    const index = this.#index
    const entries = this.#entries
    const rhs = b.slice(0, this.#diagonal.length)
    for (let triple = 0; triple < this.#pivot.length; triple++) {
      const share = b[index[8 * triple + 7]] / this.#pivot[triple]
      for (let u = 1; u < 7; u++) rhs[index[8 * triple + u]] -= share * entries[27 * triple + TERNARY[u] + TERNARY[7]]
    }
    const reduced = new Float64Array(rhs.length)
    this.steps += conjugateGradients(rhs, reduced, {
      multiply: (v, product) => this.#multiplyReduced(v, product),
      precondition: (r, z) => this.#precondition(r, z),
      residual: RESIDUAL,
      stepLimit: STEP_LIMIT
    })
    out.set(reduced)
    for (let triple = 0; triple < this.#pivot.length; triple++) {
      let sum = b[index[8 * triple + 7]]
      for (let u = 1; u < 7; u++) sum -= entries[27 * triple + TERNARY[u] + TERNARY[7]] * reduced[index[8 * triple + u]]
      out[index[8 * triple + 7]] = sum / this.#pivot[triple]
    }
  }

  #multiplyReduced(v: Float64Array, out: Float64Array): void {
    const index = this.#index
    const coupling = this.#coupling
    this.#reduced.multiply(v, out)
    for (let at = 0, to = 0; to < coupling.length; at += 8, to += 6) {
      const [l, k, kl] = [index[at + 1], index[at + 2], index[at + 3]]
      const [i, il, ik] = [index[at + 4], index[at + 5], index[at + 6]]
      out[i] += coupling[to] * v[kl]
      out[k] += coupling[to + 1] * v[il]
      out[l] += coupling[to + 2] * v[ik]
      out[ik] += coupling[to + 2] * v[l] + coupling[to + 3] * v[il] + coupling[to + 4] * v[kl]
      out[il] += coupling[to + 1] * v[k] + coupling[to + 3] * v[ik] + coupling[to + 5] * v[kl]
      out[kl] += coupling[to] * v[i] + coupling[to + 4] * v[ik] + coupling[to + 5] * v[il]
    }
  }

  #precondition(r: Float64Array, z: Float64Array): void {
    const m = this.#m
    const {iq, kq} = this.#pairs
    const row = this.#row
    const D = this.#diagonal
    const y = new Float64Array(this.#rowCount)
    y.set(r.subarray(0, m))
    for (let i = 0, pair = 0, e = m; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++, e++)
        if (row[e] < 0) {
          y[i] -= (iq[pair] * r[e]) / D[e]
          y[k] -= (kq[pair] * r[e]) / D[e]
        } else y[row[e]] = r[e]
    choleskySolve(this.#factor, this.#rowCount, y)
    z.set(y.subarray(0, m))
    for (let i = 0, pair = 0, e = m; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++, e++)
        z[e] = row[e] < 0 ? (r[e] - iq[pair] * y[i] - kq[pair] * y[k]) / D[e] : y[row[e]]
  }

  diagonal(out: Float64Array): void {
    const index = this.#index
    out.fill(0)
    this.#pairs.diagonal(out)
    for (let triple = 0; triple < this.#pivot.length; triple++)
      for (let u = 1; u < 8; u++) out[index[8 * triple + u]] += this.#entries[27 * triple + 2 * TERNARY[u]]
  }

  multiply(v: Float64Array, out: Float64Array): void {
    const index = this.#index
    out.fill(0)
    this.#pairs.multiply(v, out)
    for (let triple = 0; triple < this.#pivot.length; triple++)
      for (let u = 1; u < 8; u++)
        for (let w = 1; w < 8; w++)
          out[index[8 * triple + u]] += this.#entries[27 * triple + TERNARY[u] + TERNARY[w]] * v[index[8 * triple + w]]
  }
}

/** The coordinates of l, k, kl, i, il, ik and ikl at places 1 to 7 of every triple's eight. */
function tripleCoordinates(m: number): Int32Array {
  const pairs = (m * (m - 1)) / 2
  const index = new Int32Array((8 * (pairs * (m - 2))) / 3)
  for (let i = 0, at = 0, r = m + pairs; i < m; i++)
    for (let k = i + 1; k < m; k++)
      for (let l = k + 1; l < m; l++, at += 8)
        index.set([0, l, k, m + pairIndex(k, l, m), i, m + pairIndex(i, l, m), m + pairIndex(i, k, m), r++], at)
  return index
}
