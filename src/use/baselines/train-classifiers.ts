import {AdfaError, above, checkOptions, type Rules, throwIfCancelled, whole} from '../../base/checks/index.ts'
import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {
  type Classifier,
  dealFolds,
  type FoldOptions,
  fitLogistic,
  type LogisticOptions,
  logOdds,
  type SparseRows
} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import type {NoisyTarget} from './noisy-labels.ts'

export interface BaselineOptions extends Pick<FoldOptions, 'seed'>, Pick<LogisticOptions, 'tolerance' | 'stepLimit'> {
  /** One over the prior variance of each weight: the best of these for all concepts together. */
  readonly ridges: readonly number[]
  /** The data are split into this many parts, held out in turn to judge ridges; fewer where a label is rarer. */
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
  /** Called after each classifier, with the total number. */
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

const [isRidge] = above(0)
const rules: Rules<BaselineOptions> = {
  ridges: [
    value => Array.isArray(value) && value.length > 0 && value.every(isRidge),
    'a list of one or more numbers above 0'
  ],
  folds: whole(2, 255),
  seed: whole(),
  tolerance: above(0),
  stepLimit: whole(0)
}

/** The options over their defaults. */
export function checkBaselineOptions(owner: string, given: Partial<BaselineOptions> | undefined): BaselineOptions {
  return checkOptions(owner, baselineDefaults, rules, given)
}

/** One concept to learn. */
export interface ClassifierTask {
  /** 0 or 1 per row, to judge held-out rows by. */
  readonly observed: ArrayLike<number>
  readonly target: NoisyTarget
  /** Columns it may not see. */
  readonly without: readonly number[]
  /** The rows have this many parts to hold out; with fewer than two the task does not judge ridges. */
  readonly folds: number
  /** The log-odds of every row, for a concept that no classifier can learn. */
  readonly constant?: number | undefined
}

/**
 * A task for each concept by its labels, with a classifier to be trained as `of` says; a concept with a fault, which no classifier can
 * learn, has its prevalence in every row.
 */
export function tasksOf(
  observed: readonly Uint8Array[],
  {faults, prevalence, folds}: Labelling,
  of: (labels: Uint8Array, i: number) => Pick<ClassifierTask, 'target' | 'without'>
): ClassifierTask[] {
  return observed.map((labels, i) => {
    if (faults[i] === undefined) return {observed: labels, folds: foldsFor(labels, folds), ...of(labels, i)}
    const target = {labels: Float64Array.from(labels), anchorChance: sigmoid}
    const constant = logit(clamp(prevalence[i], CHANCE_FLOOR, 1 - CHANCE_FLOOR))
    return {observed: labels, target, without: [], folds: 0, constant}
  })
}

/** By concept, why no classifier can learn it, if none can, and its prevalence; the largest number of folds. */
interface Labelling {
  readonly faults: readonly (string | undefined)[]
  readonly prevalence: readonly number[]
  readonly folds: number
}

/** The number of folds: `folds`, or fewer where a label is rarer. */
export function foldsFor(observed: Uint8Array, folds: number): number {
  const ones = observed.reduce((sum, label) => sum + label, 0)
  return Math.min(folds, ones, observed.length - ones)
}

/** Counts classifiers as they are trained, and stops where the caller asks for it. */
export function progressOf(total: number, {onProgress, signal}: BaselineControl): () => void {
  let done = 0
  return () => {
    throwIfCancelled(signal)
    onProgress?.(++done, total)
  }
}

/** A concept without a classifier, and why. */
export interface Untrained {
  readonly concept: string
  readonly reason: string
}

/** Refuses concepts that are not those of the corpus. */
export function checkTraining({lexicon}: Corpus, concepts: readonly Concept[]): void {
  const names = lexicon.anchors.map(({concept}) => concept)
  if (names.join('\n') !== concepts.map(({name}) => name).join('\n'))
    throw new AdfaError(
      'mismatch',
      `the corpus has ${names.length} concepts and the rates are of ${concepts.length}, or in another order; read the documents with the lexicon that the rates belong to`
    )
}

/**
 * Why the anchor of a concept cannot stand for it in these documents, if it cannot: losses that correct for noise need an anchor
 * that is more common with its concept, and that fires as often as some prevalence allows.
 */
export function anchorFault({truePositive: t, falsePositive: e}: Concept, fired: Uint8Array): string | undefined {
  if (!(e > 0 && e < t && t < 1))
    return `its anchor must fire more often with the concept than without, never always or never; got ${percent(t)} and ${percent(e)}`
  const firing = fired.reduce((sum, one) => sum + one, 0) / fired.length
  if (!(firing > e && firing < t))
    return `in the training documents its anchor fires in ${percent(firing)}; its rates imply ${percent(e)} to ${percent(t)}`
  return undefined
}

/** Why no classifier can learn these labels, if none can; held out by folds, it needs two documents of both kinds. */
export function labelFault(what: string, observed: Uint8Array, least: 1 | 2): string | undefined {
  const ones = observed.reduce((sum, label) => sum + label, 0)
  if (Math.min(ones, observed.length - ones) >= least) return undefined
  return `${what} in ${ones} of ${counted(observed.length, 'training document')}, and a classifier needs ${least} with and ${least} without`
}

/** The concepts with a fault. */
export function untrainedOf(concepts: readonly Concept[], faults: readonly (string | undefined)[]): Untrained[] {
  return concepts.flatMap(({name}, i) => {
    const reason = faults[i]
    return reason === undefined ? [] : [{concept: name, reason}]
  })
}

export interface TrainingCertificate {
  readonly ridge: number
  /** Mean log-likelihood of the held-out observations, per row and concept; empty if there was nothing to choose. */
  readonly heldOut: readonly {readonly ridge: number; readonly logLikelihood: number}[]
  /** Concepts whose classifier stopped at the step limit. */
  readonly unfinished: number
}

/** Keeps held-out probabilities away from 0 and 1, where a single error would decide everything. */
const CHANCE_FLOOR = 1e-6

/** All concepts share the ridge, so this many of them, evenly spread, are enough to choose it. */
const JUDGE_LIMIT = 12
const ENOUGH_ROWS = 1000

/** Rows whose column j counts idf_j instead of 1. */
interface WeightedRows extends SparseRows {
  readonly idf?: readonly number[]
}

/**
 * A classifier for each task, all with the ridge that best predicts the observations of held-out folds: anchors, or tags
 * where these are what is learned. One ridge for all: a rare anchor has too few held-out firings to choose by.
 * A weight w_j of a column that counts idf_j is a weight v_j = idf_j w_j of the binary column, whose ridge is that of w_j
 * over idf_j^2.
 * Cost: {@link fitsNeeded} fits. `onFit` is called after each.
 */
export function trainClassifiers(
  rows: WeightedRows,
  tasks: readonly ClassifierTask[],
  options: Omit<BaselineOptions, 'folds'>,
  onFit: () => void = () => {}
): {readonly classifiers: readonly Classifier[]; readonly certificate: TrainingCertificate} {
  const {ridges, tolerance, stepLimit, seed} = options
  const fitTask = ({target, without}: ClassifierTask, ridge: number, inFit?: ArrayLike<number>) => {
    const {labels, rowWeights: own} = target
    const rowWeights = inFit === undefined ? own : labels.map((_, d) => inFit[d] * (own?.[d] ?? 1))
    const ridges = rows.idf === undefined ? ridge : Float64Array.from(rows.idf, idf => ridge / idf ** 2)
    const classifier = fitLogistic(rows, labels, {ridge: ridges, tolerance, stepLimit, without, rowWeights})
    onFit()
    return classifier
  }
  const judges = judgesOf(tasks)
  const heldOut =
    ridges.length === 1 || judges.length === 0
      ? []
      : ridges.map(ridge => ({ridge, logLikelihood: heldOutLikelihood(ridge)}))
  const {ridge} = heldOut.reduce((best, trial) => (trial.logLikelihood > best.logLikelihood ? trial : best), {
    ridge: ridges[0],
    logLikelihood: Number.NEGATIVE_INFINITY
  })
  const classifiers = tasks.map(task =>
    task.constant === undefined ? fitTask(task, ridge) : constantClassifier(task.constant, rows.columnCount)
  )
  const unfinished = classifiers.filter(({certificate}) => certificate.status === 'step-limit').length
  return {classifiers, certificate: {ridge, heldOut, unfinished}}

  function heldOutLikelihood(ridge: number): number {
    let sum = 0
    let count = 0
    for (const task of judges) {
      const folds = dealFolds(task.observed, {folds: task.folds, seed})
      for (let held = 0; held < heldOutFolds(task); held++) {
        const inFit = folds.map(fold => (fold === held ? 0 : 1))
        const z = logOdds(fitTask(task, ridge, inFit), rows)
        for (let d = 0; d < z.length; d++) {
          if (inFit[d]) continue
          const chance = clamp(task.target.anchorChance(z[d]), CHANCE_FLOOR, 1 - CHANCE_FLOOR)
          sum += log(task.observed[d] ? chance : 1 - chance)
          count++
        }
      }
    }
    return sum / count
  }
}

type TaskSize = Pick<ClassifierTask, 'observed' | 'folds'>

/** As many folds as give 1,000 held-out rows, or all. */
function heldOutFolds({observed, folds}: TaskSize): number {
  return Math.min(folds, Math.ceil((folds * ENOUGH_ROWS) / observed.length))
}

function judgesOf<Task extends TaskSize>(tasks: readonly Task[]): Task[] {
  const able = tasks.filter(({folds}) => folds > 1)
  const every = Math.ceil(able.length / JUDGE_LIMIT)
  return able.filter((_, i) => i % every === 0)
}

/** A classifier that sees nothing. */
export function constantClassifier(bias: number, columnCount: number): Classifier {
  const certificate = {status: 'optimal', steps: 0} as const
  return {bias, weights: new Float64Array(columnCount), certificate}
}

/** How many classifiers {@link trainClassifiers} fits. */
export function fitsNeeded(tasks: readonly TaskSize[], ridgeCount: number): number {
  const judged = judgesOf(tasks).reduce((sum, task) => sum + heldOutFolds(task), 0)
  return tasks.filter(({folds}) => folds > 0).length + (ridgeCount === 1 ? 0 : ridgeCount * judged)
}
