/** Moments of words with concepts: the input of the failure estimators (Eq. 6 and sections 4.2-4.3). */

import {withDefaults} from '../../base/checks/index.ts'
import {
  anchorCellWords,
  anchorPairCounts,
  anchorTable,
  anchorWordCounts,
  type Counts,
  edgeWordCounts,
  wordTotals
} from '../../read/counts/index.ts'
import type {NoiseRates, Rates} from '../noise/index.ts'
import {CertificateSum, type TableCertificate} from './certificate.ts'
import {applyFactors, observingFactors, oneTable} from './objective.ts'
import {independentTable, ratesOf, recoverObservedTable, type Shrinkage, shrinkageStrength} from './table.ts'
import {TableSolver} from './table-solver.ts'

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

/** The recovered moments of one concept, its Markov blanket and every word. */
export interface BlanketMoments {
  readonly concept: number
  readonly blanket: readonly number[]
  readonly wordCount: number
  readonly sampleCount: number
  /** P(Y_i, B, X_j): word j begins at `4*S*j`, S = 2^|B|, with cell `2*(S*yi + b) + xj`; b has the first member most significant. */
  readonly tables: Float64Array
  /**
   * For every setting b, the sampling variance of P-hat(x0|y_i = 1, b) - P-hat(x0|y_i = 0, b) of a word independent of these
   * concepts, times N / (P(x0) P(x1)), which is common to all settings.
   */
  readonly variance: Float64Array
  readonly certificate: TableCertificate
}

/**
 * Recovers mu-hat_Z of Eq. 2 for Z = {Y_i, X_j}, and Z = {Y_i, Y_k, X_j} for the pairs of concepts in `edges`.
 * Cost: two 2-cell solves per concept and word, two 4-cell solves per edge and word.
 */
export function recoverWordMoments(
  counts: Counts,
  noise: NoiseRates,
  edges: readonly (readonly [number, number])[],
  options?: Partial<WordMomentOptions>
): WordMoments {
  const {shrinkage} = withDefaults('recoverWordMoments', wordMomentDefaults, options)
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const N = counts.documentCount
  const solve = {noise, shrinkage, total: new CertificateSum()}
  const totals = wordTotals(counts)
  const fired = anchorPairCounts(counts)
  const withAnchor = anchorWordCounts(counts)
  const singles = new Float64Array(4 * m * n)
  for (let i = 0; i < m; i++) {
    const on = fired[i * m + i]
    const withWord = new Float64Array(2 * n)
    for (let j = 0; j < n; j++) {
      withWord[n + j] = withAnchor[i * n + j]
      withWord[j] = totals[j] - withWord[n + j]
    }
    recoverWithWords([i], [N - on, on], withWord, solve, singles.subarray(4 * i * n, 4 * (i + 1) * n))
  }
  const withBoth = edgeWordCounts(counts, edges)
  const pairs = new Float64Array(8 * edges.length * n)
  edges.forEach(([i, k], edge) => {
    const both = fired[i * m + k]
    const [onI, onK] = [fired[i * m + i] - both, fired[k * m + k] - both]
    const withWord = new Float64Array(4 * n)
    for (let j = 0; j < n; j++) {
      withWord[3 * n + j] = withBoth[edge * n + j]
      withWord[2 * n + j] = withAnchor[i * n + j] - withWord[3 * n + j]
      withWord[n + j] = withAnchor[k * n + j] - withWord[3 * n + j]
      withWord[j] = totals[j] - withWord[n + j] - withWord[2 * n + j] - withWord[3 * n + j]
    }
    const anchors = [N - onI - onK - both, onK, onI, both]
    recoverWithWords([i, k], anchors, withWord, solve, pairs.subarray(8 * edge * n, 8 * (edge + 1) * n))
  })
  const frequency = totals.map(documents => documents / N)
  return {conceptCount: m, wordCount: n, edges, frequency, singles, pairs, certificate: solve.total.result()}
}

/**
 * Recovers mu-hat_Z of Eq. 2 for Z = {Y_i} + B + {X_j}, every word j: the moments of Eq. 6.
 * Cost: about 0.6 ms per word for a blanket of 4, 8 times that for each further member.
 */
export function recoverBlanketMoments(
  counts: Counts,
  noise: NoiseRates,
  {concept, blanket}: {readonly concept: number; readonly blanket: readonly number[]},
  options?: Partial<WordMomentOptions>
): BlanketMoments {
  const {shrinkage} = withDefaults('recoverBlanketMoments', wordMomentDefaults, options)
  const concepts = [concept, ...blanket]
  const anchors = anchorTable(counts, concepts)
  const wordCount = counts.lexicon.words.length
  const tables = new Float64Array(2 * anchors.length * wordCount)
  const total = new CertificateSum()
  recoverWithWords(concepts, anchors, anchorCellWords(counts, concepts), {noise, shrinkage, total}, tables)
  const {mu} = recoverObservedTable(anchors, noise, concepts)
  const rates = concepts.map(i => ratesOf(noise, i))
  const variance = contrastVariance(mu, rates)
  const sampleCount = counts.documentCount
  return {concept, blanket, wordCount, sampleCount, tables, variance, certificate: total.result()}
}

/**
 * Recovers the tables over these concepts and every word, one after another, the word's bit least significant. `anchors` are
 * the documents of every anchor cell, and `withWord[c * n + j]` those in cell c that have word j of n.
 * A word is its own anchor, so R is the identity there and the KL problem splits into one for X_j = 0 and one for X_j = 1: both
 * have the multiplier 1 + lambda, hence known masses, and either is solved for its share of the documents.
 */
function recoverWithWords(
  concepts: readonly number[],
  anchors: ArrayLike<number>,
  withWord: Float64Array,
  {noise, shrinkage, total}: {noise: NoiseRates; shrinkage: Shrinkage; total: CertificateSum},
  tables: Float64Array
): void {
  const size = anchors.length
  const n = withWord.length / size
  let N = 0
  for (let c = 0; c < size; c++) N += anchors[c]
  const lambda = shrinkageStrength(shrinkage, N)
  const observed = new Float64Array(size)
  const solver = new TableSolver({
    layout: oneTable(concepts.length),
    rates: concepts.map(i => ratesOf(noise, i)),
    observed,
    shrinkageWeights: independentTable(concepts.map(i => noise.prevalence[i])).map(cell => lambda * cell),
    lambda,
    divergence: 'kl'
  })
  for (let j = 0; j < n; j++)
    for (let x = 0; x < 2; x++) {
      let documents = 0
      for (let c = 0; c < size; c++) {
        const present = withWord[c * n + j]
        observed[c] = x === 1 ? present : anchors[c] - present
        documents += observed[c]
      }
      if (documents === 0) continue
      for (let c = 0; c < size; c++) observed[c] /= documents
      const share = documents / N
      const {mu, certificate} = solver.solve()
      total.add(certificate, share)
      for (let s = 0; s < size; s++) tables[2 * size * j + 2 * s + x] = share * mu[s]
    }
}

/**
 * A word of frequency q, independent of these concepts, has recovered cells R^-1 a whose covariance is q (1 - q) V / N,
 * V = R^-1 diag(R P) R^-T. So the difference of its two conditional probabilities at b has, up to q (1 - q) / N,
 * the variance V_11 / P_1^2 + V_00 / P_0^2 - 2 V_10 / (P_1 P_0), where 1 and 0 stand for the cells (y_i, b).
 * V's entries are products over the concepts of entries of their 2x2 inverses: one butterfly each.
 */
function contrastVariance(P: Float64Array, rates: readonly Rates[]): Float64Array {
  const size = P.length
  const settings = size / 2
  const inverses = rates.map(({truePositive: t, falsePositive: e}) => [t, t - 1, -e, 1 - e].map(x => x / (t - e)))
  const squares = Float64Array.from(inverses.flat(), x => x * x)
  const crossed = squares.slice()
  const [x00, x01, x10, x11] = inverses[0]
  crossed.set([x00 * x10, x01 * x11, x00 * x10, x01 * x11])
  const V = P.slice()
  applyFactors(observingFactors(rates), V)
  const cross = V.slice()
  applyFactors(squares, V)
  applyFactors(crossed, cross)
  return Float64Array.from({length: settings}, (_, b) => {
    const [p0, p1] = [P[b], P[settings + b]]
    return V[settings + b] / (p1 * p1) + V[b] / (p0 * p0) - (2 * cross[b]) / (p0 * p1)
  })
}
