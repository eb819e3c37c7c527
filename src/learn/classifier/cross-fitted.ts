import {rng, shuffled} from '../../base/numeric/index.ts'
import {fitLogistic, type LogisticOptions, logOdds} from './fit-logistic.ts'
import type {SparseRows} from './sparse-rows.ts'

export interface FoldOptions {
  /** The number of folds, at most 255. */
  readonly folds: number
  /** Decides which row is in which fold. */
  readonly seed: number
}

export const foldDefaults: FoldOptions = {folds: 3, seed: 0}

/**
 * Returns the log-odds of a 1 for each row by a classifier trained on the other folds. Rows are not copied: rows of the held-out
 * fold have weight 0. There must be at least as many rows of either label as folds.
 */
export function crossFittedLogOdds(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<FoldOptions & LogisticOptions>
): Float64Array {
  const {folds, seed, ...fitOptions} = {...foldDefaults, ...options}
  const fold = dealFolds(labels, {folds, seed})
  const scores = new Float64Array(rows.rowCount)
  for (let held = 0; held < folds; held++) {
    const rowWeights = fold.map(own => (own === held ? 0 : 1))
    const all = logOdds(fitLogistic(rows, labels, {...fitOptions, rowWeights}), rows)
    for (let d = 0; d < scores.length; d++) if (fold[d] === held) scores[d] = all[d]
  }
  return scores
}

/**
 * Returns the fold of each row, stratified by the labels 0 and 1: if the label is a rare anchor, a fold could by chance be left
 * without any row labelled 1.
 */
export function dealFolds(labels: ArrayLike<number>, {folds, seed}: FoldOptions): Uint8Array {
  const rows = Array.from({length: labels.length}, (_, d) => d)
  const fold = new Uint8Array(labels.length)
  const random = rng(seed).stream('folds')
  for (const label of [0, 1]) {
    const members = rows.filter(d => labels[d] === label)
    for (const [at, d] of shuffled(members, random.stream(String(label))).entries()) fold[d] = at % folds
  }
  return fold
}
