import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {sigmoid} from '../../base/numeric/index.ts'
import {dealFolds} from './deal-folds.ts'
import {
  type ClassifierCertificate,
  fitLogistic,
  type LogisticOptions,
  logisticDefaults,
  logOdds
} from './fit-logistic.ts'
import type {SparseRows} from './sparse-rows.ts'

export interface CrossFittedOptions extends Omit<LogisticOptions, 'rowWeights' | 'labelRange'> {
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

const {rowWeights: _, labelRange: __, ...fitDefaults} = logisticDefaults

export const crossFittedDefaults: CrossFittedOptions = {...fitDefaults, folds: 3, seed: 0}

/**
 * Out-of-fold chances of a 1: each row is scored by a classifier of the other folds' rows.
 * The rows are not copied: those of the fold count 0.
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
