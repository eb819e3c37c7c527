import {choleskyFactor, choleskySolve, conjugateGradients} from '../../base/numeric/index.ts'
import {pairIndex} from '../../base/qubo/index.ts'
import {type Curvature, PairCurvature} from './curvature.ts'
import type {MomentProblem} from './moment-problem.ts'
import {applyFactors, productEntries, setFactor, setProducts} from './table-solver.ts'

/**
 * The sets of concepts of a triple i < k < l, numbered as cells (bits 4, 2, 1); 0 is the empty set.
 * Layout of what is kept for every triple: `index`, the coordinate of set u, at 8 triple + u; `entries`, the entry of sets u and v,
 * at 27 triple + TERNARY[u] + TERNARY[v]; `coupling`, the entry of the d-th pair of COUPLED, at 6 triple + d.
 */
const [L, K, KL, I, IL, IK, IKL] = [1, 2, 3, 4, 5, 6, 7]
const [SETS, ENTRIES, COUPLINGS] = [8, 27, 6]
/** The bits of a set in base 3: the sum of two sets is their place in the order of `productEntries`. */
const TERNARY: readonly number[] = [0, 1, 3, 4, 9, 10, 12, 13]
/** The couplings of a triple that pairs do not have, sets u with sets v < u: p with the opposite q, then q with q. */
const COUPLED = {u: [I, IL, IK, IK, IK, IL], v: [KL, K, L, IL, KL, KL]} as const
/** Each pair of a triple and its two concepts. */
const PAIRS = [
  {pair: KL, first: K, second: L},
  {pair: IL, first: I, second: L},
  {pair: IK, first: I, second: K}
] as const
/** The products of `productEntries` from cells of mu to coordinates, without noise: off is 1 - p, on is p. */
const UNCHANGED = Float64Array.of(1, 0, -1, 0, 1, 1, 1, 0, -1, 0, 1, 1, 1, 0, -1, 0, 1, 1)
/** A triple is heavy when its couplings squared, as shares of the diagonal, add up to this. */
const HEAVY = 1e-4
/** The most pairs of heavy triples solved exactly: more take longer than the steps they save. */
const EXACT_PAIRS = 600
/** Small enough for the certificate, which counts every residual in full; a tenth of it costs a step or two. */
const LIMITS = {residual: 1e-9, stepLimit: 500}

/**
 * The model over singles, pairs and triples, in coordinates (p, q, r).
 *
 * A triple has a 7x7 block, of 27 different entries (`productEntries`). r_ikl occurs in no other and is eliminated. The matrix
 * left on (p, q), the *reduced* matrix, has the structure of pairs plus six couplings per triple and is solved by conjugate
 * gradients. Preconditioner: the pairs, the diagonal of all triples and the whole block of the heavy ones (those at the
 * boundary: few but stiff), a sum of positive definite parts; light q are eliminated, the others factored together with p.
 * Cost: about 500 flops per triple to update and factor, 24 per conjugate-gradient step; 10 to 60 steps.
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
    this.#entries = new Float64Array(ENTRIES * triples)
    this.#pairs = new PairCurvature(problem)
    this.#reduced = new PairCurvature(problem)
    this.#coupling = new Float64Array(COUPLINGS * triples)
    this.#pivot = new Float64Array(triples)
    this.#diagonal = new Float64Array(first)
    this.#row = new Int32Array(first)
  }

  update(x: Float64Array, weights: Float64Array): void {
    const {layout, rates, observed: a, divergence} = this.#problem
    const [index, entries] = [this.#index, this.#entries]
    const sizes = [SETS, SETS, SETS, 12, 12, 18, ENTRIES, ENTRIES]
    const [r, g, c, forward, backward, products, work, other] = sizes.map(size => new Float64Array(size))
    this.#pairs.update(x, weights)
    this.slope.fill(0).set(this.#pairs.slope)
    for (let at = 0, start = 0, cell = layout.start(3); at < index.length; at += SETS, start += ENTRIES, cell += SETS) {
      for (let k = 0; k < 3; k++) {
        // From the coordinates of a concept, 1 and p, to its anchor: 1 - e - d p off, e + d p on.
        const {truePositive: t, falsePositive: e} = rates[index[at + (I >> k)]]
        setFactor(forward, k, 1 - e, e - t, e, t - e)
        setFactor(backward, k, 1 - e, e, e - t, t - e)
        setProducts(products, k, forward)
      }
      r[0] = 1
      for (let u = L; u <= IKL; u++) r[u] = x[index[at + u]]
      applyFactors(forward, r)
      for (let s = 0; s < SETS; s++) {
        const share = a[cell + s]
        g[s] = divergence === 'l2' ? 2 * (r[s] - share) : share === 0 ? 0 : -share / r[s]
        c[s] = divergence === 'l2' ? 2 : share === 0 ? 0 : -g[s] / r[s]
      }
      applyFactors(backward, g)
      for (let u = L; u <= IKL; u++) this.slope[index[at + u]] += g[u]
      const curved = productEntries(products, c, work, other)
      for (let e = 0; e < ENTRIES; e++) entries[start + e] = curved[e]
      for (let s = 0; s < SETS; s++) c[s] = weights[cell + s]
      const weighted = productEntries(UNCHANGED, c, work, other)
      for (let e = 0; e < ENTRIES; e++) entries[start + e] += weighted[e]
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

  /** Eliminates every r: the reduced matrix, its couplings apart. */
  #reduce(extra: Float64Array | undefined): void {
    const m = this.#m
    const {pp, iq, kq, qq} = this.#reduced
    const index = this.#index
    for (const part of ['pp', 'iq', 'kq', 'qq'] as const) this.#reduced[part].set(this.#pairs[part])
    const more = extra ?? new Float64Array(this.slope.length)
    for (let i = 0; i < m; i++) pp[i * m + i] += more[i]
    for (let pair = 0; pair < qq.length; pair++) qq[pair] += more[m + pair]
    for (let triple = 0, at = 0; triple < this.#pivot.length; triple++, at += SETS) {
      this.#pivot[triple] = this.#entries[ENTRIES * triple + 2 * TERNARY[IKL]] + more[index[at + IKL]]
      const S = this.#reducedBlock(triple)
      for (let u = L; u <= I; u *= 2) pp[index[at + u] * (m + 1)] += S[SETS * u + u]
      for (const {pair, first, second} of PAIRS) {
        const ik = index[at + pair] - m
        pp[index[at + second] * m + index[at + first]] += S[SETS * first + second]
        iq[ik] += S[SETS * pair + first]
        kq[ik] += S[SETS * pair + second]
        qq[ik] += S[SETS * pair + pair]
      }
      for (let d = 0; d < COUPLINGS; d++) this.#coupling[COUPLINGS * triple + d] = S[SETS * COUPLED.u[d] + COUPLED.v[d]]
    }
  }

  /** The block of a triple without its r: entry (u, v), v <= u < ikl, at 8 u + v. The next call reuses the array. */
  #reducedBlock(triple: number): Float64Array {
    const S = this.#block
    const [entries, start] = [this.#entries, ENTRIES * triple]
    for (let u = L; u <= IK; u++) {
      const share = entries[start + TERNARY[u] + TERNARY[IKL]] / this.#pivot[triple]
      for (let v = L; v <= u; v++)
        S[SETS * u + v] = entries[start + TERNARY[u] + TERNARY[v]] - share * entries[start + TERNARY[v] + TERNARY[IKL]]
    }
    return S
  }

  /** Gives the pairs of heavy triples rows after those of p, the heaviest first. */
  #chooseRows(): void {
    const index = this.#index
    const D = this.#diagonal
    const row = this.#row.fill(-1)
    const m = this.#m
    for (let i = 0; i < m; i++) row[i] = i
    const weight = new Float64Array(this.#pivot.length)
    for (let triple = 0; triple < weight.length; triple++)
      for (let d = 0; d < COUPLINGS; d++) {
        const c = this.#coupling[COUPLINGS * triple + d]
        weight[triple] += (c * c) / (D[index[SETS * triple + COUPLED.u[d]]] * D[index[SETS * triple + COUPLED.v[d]]])
      }
    const heavy = Array.from(weight.keys()).filter(triple => weight[triple] > HEAVY)
    this.#rowCount = m
    for (const triple of heavy.sort((a, b) => weight[b] - weight[a] || a - b))
      for (const {pair} of PAIRS) {
        const e = index[SETS * triple + pair]
        if (row[e] < 0 && this.#rowCount < m + EXACT_PAIRS) row[e] = this.#rowCount++
      }
  }

  /** Adds the couplings of every triple whose pairs all have rows. */
  #addHeavy(A: Float64Array, n: number): void {
    const [row, index] = [this.#row, this.#index]
    for (let triple = 0, at = 0; triple < this.#pivot.length; triple++, at += SETS) {
      if (row[index[at + KL]] < 0 || row[index[at + IL]] < 0 || row[index[at + IK]] < 0) continue
      const S = this.#reducedBlock(triple)
      for (let u = K; u <= IK; u++)
        for (let v = L; v < u; v++) {
          const [a, b] = [row[index[at + u]], row[index[at + v]]]
          A[a > b ? a * n + b : b * n + a] += S[SETS * u + v]
        }
    }
  }

  solve(b: Float64Array, out: Float64Array): void {
    const [index, entries] = [this.#index, this.#entries]
    const rhs = b.slice(0, this.#diagonal.length)
    for (let triple = 0, at = 0; triple < this.#pivot.length; triple++, at += SETS) {
      const start = ENTRIES * triple + TERNARY[IKL]
      const share = b[index[at + IKL]] / this.#pivot[triple]
      for (let u = L; u <= IK; u++) rhs[index[at + u]] -= share * entries[start + TERNARY[u]]
    }
    const reduced = out.subarray(0, rhs.length).fill(0)
    this.steps += conjugateGradients(rhs, reduced, {
      multiply: (v, product) => this.#multiplyReduced(v, product),
      precondition: (r, z) => this.#precondition(r, z),
      ...LIMITS
    })
    for (let triple = 0, at = 0; triple < this.#pivot.length; triple++, at += SETS) {
      const start = ENTRIES * triple + TERNARY[IKL]
      let sum = b[index[at + IKL]]
      for (let u = L; u <= IK; u++) sum -= entries[start + TERNARY[u]] * reduced[index[at + u]]
      out[index[at + IKL]] = sum / this.#pivot[triple]
    }
  }

  #multiplyReduced(v: Float64Array, out: Float64Array): void {
    const index = this.#index
    const coupling = this.#coupling
    this.#reduced.multiply(v, out)
    for (let at = 0, to = 0; to < coupling.length; at += SETS, to += COUPLINGS) {
      const [l, k, kl] = [index[at + L], index[at + K], index[at + KL]]
      const [i, il, ik] = [index[at + I], index[at + IL], index[at + IK]]
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
    this.#pairs.diagonal(out.fill(0))
    for (let triple = 0; triple < this.#pivot.length; triple++)
      for (let u = L; u <= IKL; u++) out[index[SETS * triple + u]] += this.#entries[ENTRIES * triple + 2 * TERNARY[u]]
  }

  multiply(v: Float64Array, out: Float64Array): void {
    const index = this.#index
    this.#pairs.multiply(v, out.fill(0))
    for (let at = 0, start = 0; at < index.length; at += SETS, start += ENTRIES)
      for (let u = L; u <= IKL; u++)
        for (let w = L; w <= IKL; w++)
          out[index[at + u]] += this.#entries[start + TERNARY[u] + TERNARY[w]] * v[index[at + w]]
  }
}

/** The coordinates of every triple's sets, in the order of their numbers. */
function tripleCoordinates(m: number): Int32Array {
  const pairs = (m * (m - 1)) / 2
  const index = new Int32Array((SETS * (pairs * (m - 2))) / 3)
  for (let i = 0, at = 0, r = m + pairs; i < m; i++)
    for (let k = i + 1; k < m; k++)
      for (let l = k + 1; l < m; l++, at += SETS)
        index.set([0, l, k, m + pairIndex(k, l, m), i, m + pairIndex(i, l, m), m + pairIndex(i, k, m), r++], at)
  return index
}
