import {AdfaError, checkOptions, type Rules, whole} from '../../base/checks/index.ts'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {fitLogistic, type LogisticOptions, logOdds} from './fit-logistic.ts'
import type {SparseRows} from './sparse-rows.ts'

export interface FoldOptions {
  readonly folds: number
  /** Decides which row is in which fold. */
  readonly seed: number
}

export const crossFittedDefaults: FoldOptions = {folds: 3, seed: 0}
const FOLD_RULES: Rules<FoldOptions> = {folds: whole(2, 255), seed: whole()}

/**
 * Returns the log-odds of a 1 for each row by a classifier trained on the other folds. Rows are not copied: rows of the fold have
 * weight 0.
 */
export function crossFitted(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<FoldOptions & LogisticOptions>
): Float64Array {
  const {folds, seed, ...fitOptions} = {...crossFittedDefaults, ...options}
  const fold = dealFolds('crossFitted', labels, {folds, seed})
  const scores = new Float64Array(rows.rowCount)
  for (let held = 0; held < folds; held++) {
    const rowWeights = Float64Array.from(fold, own => (own === held ? 0 : 1))
    const all = logOdds(fitLogistic(rows, labels, {...fitOptions, rowWeights}), rows)
    for (let d = 0; d < scores.length; d++) if (fold[d] === held) scores[d] = all[d]
  }
  return scores
}

/**
 * The fold of each row, stratified by label: anchors are rare, and by chance a fold could be left without any.
 * `owner` is named in errors.
 */
export function dealFolds(owner: string, labels: ArrayLike<number>, options: FoldOptions): Uint8Array {
  const {folds, seed} = checkOptions(owner, options, FOLD_RULES, undefined)
  const byLabel: [number[], number[]] = [[], []]
  for (let d = 0; d < labels.length; d++) {
    const label = labels[d]
    if (label !== 0 && label !== 1)
      throw new AdfaError('bad-option', `${owner}: the label of row ${d} must be 0 or 1; got ${label}`)
    byLabel[label].push(d)
  }
  const fold = new Uint8Array(labels.length)
  const random = rng(seed).stream('folds')
  byLabel.forEach((members, label) => {
    if (members.length < folds)
      throw new AdfaError(
        'bad-option',
        `${owner}: each of ${folds} folds needs a row with label ${label}; got ${members.length} among ${labels.length}; use fewer folds or add documents`
      )
    shuffled(members, random.stream(String(label))).forEach((d, at) => {
      fold[d] = at % folds
    })
  })
  return fold
}
