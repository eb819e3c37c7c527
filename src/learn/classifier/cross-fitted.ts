import {AdfaError, checkOptions, type Rules, whole, withDefaults} from '../../base/checks/index.ts'
import {rng, shuffled, sigmoid} from '../../base/numeric/index.ts'
import {
  type ClassifierCertificate,
  fitLogistic,
  type LogisticOptions,
  logisticDefaults,
  logOdds
} from './fit-logistic.ts'
import type {SparseRows} from './sparse-rows.ts'

export interface CrossFittedOptions extends Omit<LogisticOptions, 'rowWeights' | 'labelRange'>, FoldOptions {}

/** Scores of rows by classifiers that did not see them. */
export interface CrossFitted {
  readonly logOdds: Float64Array
  readonly probabilities: Float64Array
  /** The fold each row is in. */
  readonly fold: Uint8Array
  /** Per fold, of the classifier that scored it. */
  readonly certificates: readonly ClassifierCertificate[]
}

const {rowWeights: _, labelRange: __, ...fitDefaults} = logisticDefaults

export const crossFittedDefaults: CrossFittedOptions = {...fitDefaults, folds: 3, seed: 0}

/**
 * Out-of-fold probabilities of a 1: each row is scored by a classifier trained on the other folds.
 * Rows are not copied; those of the fold have weight 0.
 */
export function crossFitted(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<CrossFittedOptions>
): CrossFitted {
  const {folds, seed, ...fitOptions} = withDefaults('crossFitted', crossFittedDefaults, options)
  if (labels.length !== rows.rowCount)
    throw new AdfaError(
      'mismatch',
      `crossFitted needs a label for each row; got ${rows.rowCount} rows and ${labels.length} labels`
    )
  const fold = dealFolds('crossFitted', labels, {folds, seed})
  const scores = new Float64Array(rows.rowCount)
  const certificates: ClassifierCertificate[] = []
  for (let held = 0; held < folds; held++) {
    const rowWeights = Float64Array.from(fold, own => (own === held ? 0 : 1))
    const classifier = fitLogistic(rows, labels, {...fitOptions, rowWeights})
    const all = logOdds(classifier, rows)
    for (let d = 0; d < scores.length; d++) if (fold[d] === held) scores[d] = all[d]
    certificates.push(classifier.certificate)
  }
  return {logOdds: scores, probabilities: scores.map(sigmoid), fold, certificates}
}

export interface FoldOptions {
  readonly folds: number
  /** Decides which row is in which fold. */
  readonly seed: number
}

const FOLD_RULES: Rules<FoldOptions> = {folds: whole(2, 255), seed: whole()}

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
