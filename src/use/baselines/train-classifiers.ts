import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {clamp, log} from '../../base/numeric/index.ts'
import {
  type Classifier,
  dealFolds,
  type FoldOptions,
  fitLogistic,
  type LogisticOptions,
  logOdds,
  type SparseRows
} from '../../learn/classifier/index.ts'
import type {NoisyTarget} from './noisy-labels.ts'

/** One concept to be learned. */
export interface ClassifierTask {
  /** 0 or 1 a row: what held-out rows are judged by. */
  readonly observed: ArrayLike<number>
  readonly target: NoisyTarget
  /** Columns it may not see. */
  readonly without: readonly number[]
  /** One of so many parts of the rows is held out. */
  readonly folds: number
}

interface TrainingOptions extends Pick<FoldOptions, 'seed'>, Pick<LogisticOptions, 'tolerance' | 'stepLimit'> {
  /** One over the prior variance of each weight: the best of these for all concepts together. */
  readonly ridges: readonly number[]
}

export interface TrainingCertificate {
  readonly ridge: number
  /** Mean log-likelihood of what was observed in the rows held out, a row and concept; empty if there was nothing to choose. */
  readonly heldOut: readonly {readonly ridge: number; readonly logLikelihood: number}[]
  /** Concepts whose classifier stopped at the step limit. */
  readonly unfinished: number
}

/** Held-out chances are kept off 0 and 1, where one surprise would decide everything. */
const CHANCE_FLOOR = 1e-6

/** As the ridge is the same for all concepts, so many of them, evenly spread, are enough to choose it. */
const JUDGE_LIMIT = 12

/**
 * A classifier for each task, all with the ridge that predicts best what was observed (anchors, not tags) in one fold of
 * the rows, held out. One ridge for all: a rare anchor has too few held-out firings to choose by.
 * Cost: {@link fitsNeeded} fits. `onFit` is called after each.
 */
export function trainClassifiers(
  rows: SparseRows,
  tasks: readonly ClassifierTask[],
  options: TrainingOptions,
  onFit: () => void = () => {}
): {readonly classifiers: readonly Classifier[]; readonly certificate: TrainingCertificate} {
  const {ridges, tolerance, stepLimit, seed} = options
  const fitTask = ({target, without}: ClassifierTask, ridge: number, inFit?: ArrayLike<number>) => {
    const {labels, rowWeights: own} = target
    const rowWeights = inFit === undefined ? own : labels.map((_, d) => inFit[d] * (own?.[d] ?? 1))
    const classifier = fitLogistic(rows, labels, {
      ridge,
      tolerance,
      stepLimit,
      without,
      rowWeights,
      labelRange: 'any'
    })
    onFit()
    return classifier
  }
  const every = Math.ceil(tasks.length / JUDGE_LIMIT)
  const judges = tasks.filter((_, i) => i % every === 0)
  const heldOut = ridges.length === 1 ? [] : ridges.map(ridge => ({ridge, logLikelihood: heldOutLikelihood(ridge)}))
  const {ridge} = heldOut.reduce((best, trial) => (trial.logLikelihood > best.logLikelihood ? trial : best), {
    ridge: ridges[0],
    logLikelihood: Number.NEGATIVE_INFINITY
  })
  const classifiers = tasks.map(task => fitTask(task, ridge))
  const unfinished = classifiers.filter(({certificate}) => certificate.status === 'step-limit').length
  return {classifiers, certificate: {ridge, heldOut, unfinished}}

  function heldOutLikelihood(ridge: number): number {
    let sum = 0
    let count = 0
    for (const task of judges) {
      const inFit = dealFolds('baselines', task.observed, {folds: task.folds, seed}).map(fold => (fold === 0 ? 0 : 1))
      const z = logOdds(fitTask(task, ridge, inFit), rows)
      for (let d = 0; d < z.length; d++) {
        if (inFit[d]) continue
        const chance = clamp(task.target.anchorChance(z[d]), CHANCE_FLOOR, 1 - CHANCE_FLOOR)
        sum += log(task.observed[d] ? chance : 1 - chance)
        count++
      }
    }
    return sum / count
  }
}

/** How many classifiers {@link trainClassifiers} fits. */
export function fitsNeeded(taskCount: number, ridgeCount: number): number {
  const judges = Math.ceil(taskCount / Math.ceil(taskCount / JUDGE_LIMIT))
  return taskCount + (ridgeCount === 1 ? 0 : ridgeCount * judges)
}

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
