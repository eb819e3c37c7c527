import {AdfaError, rng, shuffled, sigmoid, withDefaults} from '../numeric/index.ts'
import {
  type ClassifierCertificate,
  fitLogistic,
  type LogisticOptions,
  logisticDefaults,
  logOdds
} from './fit-logistic.ts'
import type {SparseRows} from './sparse-rows.ts'

export interface CrossFittedOptions extends Omit<LogisticOptions, 'rowWeights'> {
  readonly folds: number
  /** Decides which row is in which fold. */
  readonly seed: number
}

/** Scores of rows by classifiers that did not see them. */
export interface CrossFitted {
  readonly logOdds: Float64Array
  readonly probabilities: Float64Array
  /** The fold each row is in. */
  readonly fold: Uint8Array
  /** One a fold, of the classifier that scored it. */
  readonly certificates: readonly ClassifierCertificate[]
}

const {rowWeights: _, ...fitDefaults} = logisticDefaults

export const crossFittedDefaults: CrossFittedOptions = {...fitDefaults, folds: 3, seed: 0}

/**
 * Out-of-fold chances of a 1: each row is scored by a classifier of the other folds' rows.
 * Rows of either label are dealt out evenly, so that every fold has nearly the same share of both: anchors are rare, and
 * by chance alone a fold could be left without any. The rows are not copied: those of the fold count 0.
 */
export function crossFitted(
  rows: SparseRows,
  labels: ArrayLike<number>,
  options?: Partial<CrossFittedOptions>
): CrossFitted {
  const {folds, seed, ...fitOptions} = withDefaults('crossFitted', crossFittedDefaults, options)
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= 255))
    throw new AdfaError('bad-option', `crossFitted option "folds" must be a whole number, 2 to 255; got ${folds}`)
  if (!Number.isSafeInteger(seed))
    throw new AdfaError('bad-option', `crossFitted option "seed" must be a whole number; got ${seed}`)
  const fold = dealFolds(rows, labels, folds, seed)
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

function dealFolds({rowCount}: SparseRows, labels: ArrayLike<number>, folds: number, seed: number): Uint8Array {
  if (labels.length !== rowCount)
    throw new AdfaError(
      'mismatch',
      `crossFitted needs a label for each row; got ${rowCount} rows and ${labels.length} labels`
    )
  const byLabel: [number[], number[]] = [[], []]
  for (let d = 0; d < rowCount; d++) {
    const label = labels[d]
    if (label !== 0 && label !== 1)
      throw new AdfaError('bad-option', `crossFitted: the label of row ${d} must be 0 or 1; got ${label}`)
    byLabel[label].push(d)
  }
  const fold = new Uint8Array(rowCount)
  const random = rng(seed).stream('folds')
  byLabel.forEach((members, label) => {
    if (members.length < folds)
      throw new AdfaError(
        'bad-option',
        `crossFitted: each of ${folds} folds needs a row with label ${label}; got ${members.length} among ${rowCount}; use fewer folds or bring more documents`
      )
    shuffled(members, random.stream(String(label))).forEach((d, at) => {
      fold[d] = at % folds
    })
  })
  return fold
}
