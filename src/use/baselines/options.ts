import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {TrainingOptions} from './train-classifiers.ts'

export interface BaselineOptions extends TrainingOptions {
  /** A ridge is judged by one of so many parts of the documents, held out; fewer where an anchor fires in fewer documents. */
  readonly folds: number
}

/** The tolerance is that of the anchor scores in the noise room; held-out anchors chose ridges of 1 and 4 on real text. */
export const baselineDefaults: BaselineOptions = {
  ridges: [0.25, 1, 4, 16],
  folds: 4,
  seed: 0,
  tolerance: 1e-4,
  stepLimit: 200
}

export interface BaselineControl {
  /** Called after each classifier, with how many there will be. */
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/** Options filled up; what `fitLogistic` and `dealFolds` refuse by themselves is left to them. */
export function checkBaselineOptions(owner: string, given: Partial<BaselineOptions> | undefined): BaselineOptions {
  const options = withDefaults(owner, baselineDefaults, given)
  const odd = options.ridges.find(ridge => !(ridge > 0 && ridge < Number.POSITIVE_INFINITY))
  if (options.ridges.length === 0 || odd !== undefined)
    throw new AdfaError(
      'bad-option',
      `${owner} option "ridges" must be one or more numbers above 0; got ${odd ?? 'none'}`
    )
  return options
}
