import {AdfaError} from '../../base/checks/index.ts'
import {rng, shuffled} from '../../base/numeric/index.ts'

export interface FoldOptions {
  readonly folds: number
  /** Decides which row is in which fold. */
  readonly seed: number
}

/**
 * The fold of each row. Rows of either label are dealt out evenly, so that every fold has nearly the same share of both:
 * anchors are rare, and by chance alone a fold could be left without any. `owner` is named in errors.
 */
export function dealFolds(owner: string, labels: ArrayLike<number>, {folds, seed}: FoldOptions): Uint8Array {
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= 255))
    throw new AdfaError('bad-option', `${owner} option "folds" must be a whole number, 2 to 255; got ${folds}`)
  if (!Number.isSafeInteger(seed))
    throw new AdfaError('bad-option', `${owner} option "seed" must be a whole number; got ${seed}`)
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
        `${owner}: each of ${folds} folds needs a row with label ${label}; got ${members.length} among ${labels.length}; use fewer folds or bring more documents`
      )
    shuffled(members, random.stream(String(label))).forEach((d, at) => {
      fold[d] = at % folds
    })
  })
  return fold
}
