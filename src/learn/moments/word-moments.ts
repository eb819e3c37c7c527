/** Recovers moments of words with concepts, the input of the failure estimators (Eq. 6-9). */
import {
  anchorCellWords,
  anchorPairCounts,
  anchorTable,
  anchorWordCounts,
  type Counts,
  edgeWordCounts,
  wordTotals
} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {oneTable} from './objective.ts'
import {pairCells} from './problem.ts'
import {independentTable, ratesOf, recoverObservedTable, shrinkageStrength, type TableOptions} from './table.ts'
import {TableSolver} from './table-solver.ts'

/** The recovered moments of every word with each concept, and with the two concepts of each edge. */
export interface WordMoments {
  readonly conceptCount: number
  readonly wordCount: number
  readonly edges: readonly (readonly [number, number])[]
  /** The share of documents that have word j. */
  readonly frequency: Float64Array
  /** P(Y_i, X_j) is at `4*(i*n + j) + 2*yi + xj`, n being the number of words. */
  readonly singles: Float64Array
  /** P(Y_i, Y_k, X_j) of edge e = (i, k) is at `8*(e*n + j) + 4*yi + 2*yk + xj`. */
  readonly pairs: Float64Array
}

/** The recovered moments of every word with one concept and its Markov blanket B. */
export interface BlanketMoments {
  readonly concept: number
  readonly blanket: readonly number[]
  readonly wordCount: number
  readonly sampleCount: number
  /**
   * P(Y_i, B, X_j) is at `4*S*j + 2*(S*yi + b) + xj`, S = 2^|B|. The configuration b of the blanket is a number whose most
   * significant bit is the first member.
   */
  readonly tables: Float64Array
  /** P(Y_i, B) is at `S*yi + b`, and is shrunk by the default of `recoverTable`. */
  readonly concepts: Float64Array
}

/**
 * Recovers mu-hat_Z of Eq. 2 for every Z = {Y_i, X_j}, and for Z = {Y_i, Y_k, X_j} of every edge (i, k) and word j.
 * Cost: two 2-cell solves per concept and word, two 4-cell solves per edge and word.
 */
export function recoverWordMoments(
  counts: Counts,
  noise: NoiseRates,
  edges: readonly (readonly [number, number])[],
  {shrinkage}: Pick<TableOptions, 'shrinkage'>
): WordMoments {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const N = counts.documentCount
  const totals = wordTotals(counts)
  const fired = anchorPairCounts(counts)
  const withAnchor = anchorWordCounts(counts)
  const withBoth = edgeWordCounts(counts, edges)
  const model = {noise, shrinkage}
  const singles = new Float64Array(4 * m * n)
  for (let i = 0; i < m; i++) {
    const on = fired[i * m + i]
    const withWord = (j: number) => [totals[j] - withAnchor[i * n + j], withAnchor[i * n + j]]
    recoverWithWords([i], [N - on, on], withWord, singles.subarray(4 * i * n, 4 * (i + 1) * n), model)
  }
  const pairs = new Float64Array(8 * edges.length * n)
  edges.forEach(([i, k], edge) => {
    const anchors = pairCells(N, fired[i * m + i], fired[k * m + k], fired[i * m + k])
    const withWord = (j: number) =>
      pairCells(totals[j], withAnchor[i * n + j], withAnchor[k * n + j], withBoth[edge * n + j])
    recoverWithWords([i, k], anchors, withWord, pairs.subarray(8 * edge * n, 8 * (edge + 1) * n), model)
  })
  const frequency = totals.map(documents => documents / N)
  return {conceptCount: m, wordCount: n, edges, frequency, singles, pairs}
}

/**
 * Recovers mu-hat_Z of Eq. 2 for Z = {Y_i} + B + {X_j} and every word j, the moments that Eq. 6 needs.
 * Cost: about 0.6 ms per word for a blanket of 4, and 8 times as much for each further member.
 */
export function recoverBlanketMoments(
  counts: Counts,
  noise: NoiseRates,
  {concept, blanket}: {readonly concept: number; readonly blanket: readonly number[]},
  {shrinkage}: Pick<TableOptions, 'shrinkage'>
): BlanketMoments {
  const concepts = [concept, ...blanket]
  const anchors = anchorTable(counts, concepts)
  const wordCount = counts.lexicon.words.length
  const cellWords = anchorCellWords(counts, concepts)
  const withWord = (j: number) => anchors.map((_, c) => cellWords[c * wordCount + j])
  const tables = new Float64Array(2 * anchors.length * wordCount)
  recoverWithWords(concepts, anchors, withWord, tables, {noise, shrinkage})
  const {mu} = recoverObservedTable(anchors, noise, concepts)
  return {concept, blanket, wordCount, sampleCount: counts.documentCount, tables, concepts: mu}
}

/**
 * Writes the tables of these concepts and each word, one after another, the word's bit least significant. `anchors` has the
 * number of documents in every cell of the anchors' table, and `withWord` the number of those documents that have a word.
 * A word is its own anchor, so R is the identity there and the KL problem splits into one for X_j = 0 and one for X_j = 1.
 * The multiplier of the mass is 1 + lambda in both, so their masses are the fractions of documents without and with the word.
 */
function recoverWithWords(
  concepts: readonly number[],
  anchors: ArrayLike<number>,
  withWord: (word: number) => ArrayLike<number>,
  tables: Float64Array,
  {noise, shrinkage}: Pick<TableOptions, 'shrinkage'> & {readonly noise: NoiseRates}
): void {
  const size = anchors.length
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
  for (let j = 0, start = 0; start < tables.length; j++, start += 2 * size) {
    const present = withWord(j)
    for (let x = 0; x < 2; x++) {
      let documents = 0
      for (let c = 0; c < size; c++) {
        observed[c] = x === 1 ? present[c] : anchors[c] - present[c]
        documents += observed[c]
      }
      if (documents === 0) continue
      for (let c = 0; c < size; c++) observed[c] /= documents
      const share = documents / N
      const {mu} = solver.solve()
      for (let s = 0; s < size; s++) tables[start + 2 * s + x] = share * mu[s]
    }
  }
}
