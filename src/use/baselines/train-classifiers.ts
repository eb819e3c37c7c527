import {AdfaError, above, checkOptions, type Rules, throwIfCancelled, whole} from '../../base/checks/index.ts'
import {log, logit} from '../../base/numeric/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {
  type Classifier,
  dealFolds,
  fitLogistic,
  type LogisticOptions,
  logOdds,
  type SparseRows
} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {type ClassifierCertificate, possible} from './baseline.ts'
import type {NoisyTarget} from './noisy-labels.ts'

export interface BaselineOptions extends Pick<LogisticOptions, 'tolerance'> {
  /** One over the prior variance of each weight: the best of these for all concepts together. */
  readonly ridges: readonly number[]
  readonly seed: number
}

/** The tolerance is that of the anchor scores of `learn/noise`; held-out anchors chose ridges of 1 and 4 on real text. */
const baselineDefaults: BaselineOptions = {ridges: [0.25, 1, 4, 16], seed: 0, tolerance: 1e-4}

export const STEP_LIMIT = 200
const FOLDS = 4

const [isRidge] = above(0)
const rules: Rules<BaselineOptions> = {
  ridges: [
    value => Array.isArray(value) && value.length > 0 && value.every(isRidge),
    'a list of one or more numbers above 0'
  ],
  seed: whole(),
  tolerance: above(0)
}

/** Returns the options with their defaults; refuses concepts that the corpus does not have. */
export function checkTraining(
  owner: string,
  {lexicon}: Corpus,
  concepts: readonly Concept[],
  given: Partial<BaselineOptions> | undefined
): BaselineOptions {
  const names = lexicon.anchors.map(({concept}) => concept)
  if (names.join('\n') !== concepts.map(({name}) => name).join('\n'))
    throw new AdfaError(
      'mismatch',
      `the corpus has ${names.length} concepts and the rates are of ${concepts.length}, or in another order; read the documents with the lexicon that the rates belong to`
    )
  return checkOptions(owner, baselineDefaults, rules, given)
}

export interface BaselineControl {
  /** Called after each classifier, with the total number. */
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/** Counts classifiers as they are trained, and stops where the caller asks for it. */
export function progressOf(total: number, {onProgress, signal}: BaselineControl): () => void {
  let done = 0
  return () => {
    throwIfCancelled(signal)
    onProgress?.(++done, total)
  }
}

/** One concept to learn. */
export interface ClassifierTask {
  readonly concept: Pick<Concept, 'name' | 'prevalence'>
  /** 0 or 1 per row, to judge held-out rows by. */
  readonly observed: Uint8Array
  /** What is learned, or why no classifier can learn it; then every row has the prevalence. */
  readonly target: NoisyTarget | string
  /** Columns it may not see. */
  readonly without: readonly number[]
}

/** Why no classifier can learn these labels, if none can; held out by folds, it needs two documents of both kinds. */
export function labelFault(what: string, observed: Uint8Array, least: 1 | 2): string | undefined {
  const ones = sum(observed)
  if (Math.min(ones, observed.length - ones) >= least) return undefined
  return `${what} in ${ones} of ${counted(observed.length, 'training document')}, and a classifier needs ${least} with and ${least} without`
}

/**
 * Why the anchor of a concept cannot stand for it in these documents, if it cannot: losses that correct for noise need an anchor
 * that is more common with its concept, and that fires as often as some prevalence allows.
 */
export function anchorFault({truePositive: t, falsePositive: e}: Concept, fired: Uint8Array): string | undefined {
  if (!(e > 0 && e < t && t < 1))
    return `its anchor must fire more often with the concept than without, never always or never; got ${percent(t)} and ${percent(e)}`
  const firing = sum(fired) / fired.length
  if (!(firing > e && firing < t))
    return `in the training documents its anchor fires in ${percent(firing)}; its rates imply ${percent(e)} to ${percent(t)}`
  return undefined
}

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
  options: BaselineOptions,
  onFit: () => void = () => {}
): {readonly classifiers: readonly Classifier[]; readonly certificate: ClassifierCertificate} {
  const {ridges, tolerance, seed} = options
  const judges = judgesOf(tasks, ridges)
  const heldOut = judges.length === 0 ? [] : ridges.map(ridge => ({ridge, logLikelihood: heldOutLikelihood(ridge)}))
  const best = heldOut.reduce((best, trial) => (trial.logLikelihood > best.logLikelihood ? trial : best), {
    ridge: ridges[0],
    logLikelihood: Number.NEGATIVE_INFINITY
  })
  const classifiers = tasks.map(({concept, target, without}) =>
    typeof target === 'string'
      ? constantClassifier(concept.prevalence, rows.columnCount)
      : fit(target, without, best.ridge)
  )
  const untrained = tasks.flatMap(({concept, target}) =>
    typeof target === 'string' ? [{concept: concept.name, reason: target}] : []
  )
  return {classifiers, certificate: {classifiers: {ridge: best.ridge, heldOut}, untrained}}

  function fit({labels, rowWeights}: NoisyTarget, without: readonly number[], ridge: number): Classifier {
    const ridges = rows.idf === undefined ? ridge : Float64Array.from(rows.idf, idf => ridge / idf ** 2)
    const classifier = fitLogistic(rows, labels, {ridge: ridges, tolerance, stepLimit: STEP_LIMIT, without, rowWeights})
    onFit()
    return classifier
  }

  function heldOutLikelihood(ridge: number): number {
    let [total, count] = [0, 0]
    for (const {observed, target, without, folds, held} of judges) {
      const foldOf = dealFolds(observed, {folds, seed})
      for (let fold = 0; fold < held; fold++) {
        const rowWeights = target.labels.map((_, d) => (foldOf[d] === fold ? 0 : (target.rowWeights?.[d] ?? 1)))
        const z = logOdds(fit({...target, rowWeights}, without, ridge), rows)
        for (let d = 0; d < z.length; d++) {
          if (foldOf[d] !== fold) continue
          const chance = possible(target.anchorChance(z[d]))
          total += log(observed[d] ? chance : 1 - chance)
          count++
        }
      }
    }
    return total / count
  }
}

/** A classifier that sees nothing. */
export function constantClassifier(prevalence: number, columnCount: number): Classifier {
  const certificate = {status: 'optimal', steps: 0} as const
  return {bias: logit(possible(prevalence)), weights: new Float64Array(columnCount), certificate}
}

/** How many classifiers {@link trainClassifiers} fits. */
export function fitsNeeded(tasks: readonly ClassifierTask[], {ridges}: BaselineOptions): number {
  const heldOut = judgesOf(tasks, ridges).reduce((total, {held}) => total + held, 0)
  return tasks.filter(({target}) => typeof target !== 'string').length + ridges.length * heldOut
}

interface Judge extends ClassifierTask {
  readonly target: NoisyTarget
  /** The rows have this many parts, of which so many are held out. */
  readonly folds: number
  readonly held: number
}

/** All concepts share the ridge, so this many of them, evenly spread, and this many held-out rows of each are enough to choose it. */
const JUDGE_LIMIT = 12
const ENOUGH_ROWS = 1000

/** The tasks that a ridge is chosen by; none where there is no choice. */
function judgesOf(tasks: readonly ClassifierTask[], ridges: readonly number[]): Judge[] {
  if (ridges.length === 1) return []
  const able = tasks.flatMap(({target, ...task}) => {
    const folds = foldsFor(task.observed)
    const held = Math.min(folds, Math.ceil((folds * ENOUGH_ROWS) / task.observed.length))
    return typeof target === 'string' || folds < 2 ? [] : [{...task, target, folds, held}]
  })
  const every = Math.ceil(able.length / JUDGE_LIMIT)
  return able.filter((_, i) => i % every === 0)
}

/** The number of parts that are held out in turn: four, or fewer where a label is rarer. */
export function foldsFor(observed: Uint8Array): number {
  const ones = sum(observed)
  return Math.min(FOLDS, ones, observed.length - ones)
}

function sum(labels: Uint8Array): number {
  return labels.reduce((total, label) => total + label, 0)
}
