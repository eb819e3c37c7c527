import {withDefaults} from '../../base/checks/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, edgeWordCounts, wordTotals} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {CertificateSum, type TableCertificate} from './certificate.ts'
import {independentTable, ratesOf, type Shrinkage, shrinkageStrength, tableSolver} from './table.ts'
import type {SimplexSolver} from './table-solver.ts'

export interface WordMomentOptions {
  readonly shrinkage: Shrinkage
}

export const wordMomentDefaults: WordMomentOptions = {shrinkage: 1}

/** Moments of words with one concept, and with the two concepts of each edge. */
export interface WordMoments {
  readonly conceptCount: number
  readonly wordCount: number
  readonly edges: readonly (readonly [number, number])[]
  /** P(X_j = 1), observed. */
  readonly frequency: Float64Array
  /** P(Y_i, X_j), cell `4*(i*n + j) + 2*yi + xj`. */
  readonly singles: Float64Array
  /** P(Y_i, Y_k, X_j) of edge e = (i, k), cell `8*(e*n + j) + 4*yi + 2*yk + xj`. */
  readonly pairs: Float64Array
  readonly certificate: TableCertificate
}

/**
 * mu-hat_Z of Eq. 2 for Z = {Y_i, X_j}, and Z = {Y_i, Y_k, X_j} for the pairs of concepts in `edges`: the input of the failure
 * estimators. A word is its own anchor, so R is the identity there and the KL problem splits into one for X_j = 0 and one for
 * X_j = 1: both have the multiplier 1 + lambda, hence known masses (a-mass + lambda indep-mass)/(1 + lambda).
 * Cost: two 2-cell solves per concept and word, two 4-cell solves per edge and word.
 */
export function recoverWordMoments(
  counts: Counts,
  noise: NoiseRates,
  edges: readonly (readonly [number, number])[],
  options?: Partial<WordMomentOptions>
): WordMoments {
  const {shrinkage} = withDefaults('recoverWordMoments', wordMomentDefaults, options)
  const N = counts.documentCount
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const lambda = shrinkageStrength(shrinkage, N)
  const total = new CertificateSum()
  const totals = wordTotals(counts)
  const frequency = totals.map(documents => documents / N)
  const fired = anchorPairCounts(counts)
  const withAnchor = anchorWordCounts(counts)
  const singles = new Float64Array(4 * m * n)
  for (let i = 0; i < m; i++) {
    const halves = new SplitTable([i], noise, lambda, total)
    const on = fired[i * m + i]
    for (let j = 0; j < n; j++) {
      const both = withAnchor[i * n + j]
      halves.present[1] = both / N
      halves.present[0] = (totals[j] - both) / N
      halves.absent[1] = (on - both) / N
      halves.absent[0] = (N - on - totals[j] + both) / N
      halves.solve(frequency[j], singles, 4 * (i * n + j))
    }
  }
  const withBoth = edgeWordCounts(counts, edges)
  const pairs = new Float64Array(8 * edges.length * n)
  edges.forEach(([i, k], edge) => {
    const halves = new SplitTable([i, k], noise, lambda, total)
    const both = fired[i * m + k]
    const anchors = [
      N - fired[i * m + i] - fired[k * m + k] + both,
      fired[k * m + k] - both,
      fired[i * m + i] - both,
      both
    ]
    for (let j = 0; j < n; j++) {
      const ik = withBoth[edge * n + j]
      const onI = withAnchor[i * n + j] - ik
      const onK = withAnchor[k * n + j] - ik
      const none = totals[j] - onI - onK - ik
      halves.present[0] = none / N
      halves.present[1] = onK / N
      halves.present[2] = onI / N
      halves.present[3] = ik / N
      halves.absent[0] = (anchors[0] - none) / N
      halves.absent[1] = (anchors[1] - onK) / N
      halves.absent[2] = (anchors[2] - onI) / N
      halves.absent[3] = (anchors[3] - ik) / N
      halves.solve(frequency[j], pairs, 8 * (edge * n + j))
    }
  })
  return {conceptCount: m, wordCount: n, edges, frequency, singles, pairs, certificate: total.result()}
}

/** A table over some concepts and one word, solved as its two halves X_j = 0 and X_j = 1. */
class SplitTable {
  /** The observed shares of documents with the word, and without it, per anchor cell: set before solving. */
  readonly present: Float64Array
  readonly absent: Float64Array
  readonly #solver: SimplexSolver
  readonly #independent: Float64Array
  readonly #lambda: number
  readonly #total: CertificateSum
  readonly #w: Float64Array

  constructor(concepts: readonly number[], noise: NoiseRates, lambda: number, total: CertificateSum) {
    this.#solver = tableSolver(
      concepts.map(i => ratesOf(noise, i)),
      'kl'
    )
    this.#independent = independentTable(concepts.map(i => noise.prevalence[i]))
    this.#lambda = lambda
    this.#total = total
    this.present = new Float64Array(this.#solver.size)
    this.absent = new Float64Array(this.#solver.size)
    this.#w = new Float64Array(this.#solver.size)
  }

  /** Recovers both halves for a word of this frequency and writes them to `out`, the word's bit least significant. */
  solve(frequency: number, out: Float64Array, start: number): void {
    this.#half(this.absent, 1 - frequency, out, start)
    this.#half(this.present, frequency, out, start + 1)
  }

  #half(observed: Float64Array, share: number, out: Float64Array, start: number): void {
    const {size, mu} = this.#solver
    for (let s = 0; s < size; s++) this.#w[s] = this.#lambda * this.#independent[s] * share
    // The observed mass and the shrinkage target's mass are both `share`, and so is their mean.
    if (share > 0) this.#total.add(this.#solver.solve(observed, this.#w, share))
    for (let s = 0; s < size; s++) out[start + 2 * s] = share > 0 ? mu[s] : 0
  }
}
