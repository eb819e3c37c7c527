/**
 * What takes seconds: checking anchors and learning a model. It runs on a thread of its own, so that the session keeps
 * answering, and owns nothing: an edit ends it and starts another.
 */
import {bootstrap, type FitIntervals} from '../../learn/bootstrap.ts'
import {
  type LearnControl,
  type LearnedModel,
  type LearnOptions,
  type LearnStage,
  learnFromCounts
} from '../../learn/learn.ts'
import {type AnchorEstimates, type NoiseVerdict, noiseTable} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {CorpusDocument, Row} from '../../read/data/index.ts'
import {type Diagnosis, examine} from '../../use/advice/index.ts'
import {type Evaluated, type EvaluationTask, judge} from './judge.ts'

/** What a fit learns from. */
export interface SolverTask {
  readonly counts: Counts
  /** The sample of the documents, as `trainingDocuments` orders them, and the same documents as rows. */
  readonly sample: readonly CorpusDocument[]
  readonly rows: readonly Row[]
  readonly options: LearnOptions
}

export interface Examined {
  readonly diagnosis: Diagnosis
  readonly verdict: NoiseVerdict
  /** Every estimator that applies, by concept. */
  readonly table: readonly AnchorEstimates[]
}

export interface Learned {
  readonly model: LearnedModel
  /** Shortcomings of the result, in words. */
  readonly warnings: readonly string[]
}

export interface SolverApi {
  /** Keep a task, which the other calls work on, and check its anchors. */
  examine(task: SolverTask): Promise<Examined>
  /** Learn exactly what `adfa fit` learns from the same documents: those that were examined, or others. */
  learn(task?: SolverTask): Promise<Learned>
  /** How sure rates and links are: what `adfa fit --intervals` adds to the model of the same documents. */
  resample(task: ResamplingTask, replicates: number): Promise<Resampling>
  /** The figures of `adfa evaluate` for the same model and documents. */
  evaluate(task: EvaluationTask): Promise<Evaluated>
}

export interface ResamplingTask extends Pick<SolverTask, 'counts' | 'options'> {
  readonly model: LearnedModel
}

export interface Resampling {
  readonly intervals: FitIntervals
  readonly warnings: readonly string[]
}

/** How far the work is. */
export interface SolverEvent {
  readonly words: string
  readonly share?: number
  /** Of an evaluation: the methods that are ready. */
  readonly evaluated?: Evaluated
}

export interface SolverHandle {
  readonly api: SolverApi
  /** Stop at once; calls under way are never answered, or rejected. */
  end(): void
}

const STAGE_WORDS: Readonly<Record<LearnStage, string>> = {
  noise: 'estimating rates',
  moments: 'recovering moments',
  structure: 'finding the network',
  loadings: 'learning words',
  words: 'learning word weights',
  intervals: 'resampling for intervals'
}

/** `now` is in milliseconds, for time limits. */
export function createSolver(emit: (event: SolverEvent) => void, now: () => number): SolverApi {
  let current: SolverTask | undefined
  const controlOf = (warnings: string[]): LearnControl => ({
    clock: () => now() / 1000,
    onStage: stage => emit({words: STAGE_WORDS[stage]}),
    onProgress: ({stage, share}) => emit({words: STAGE_WORDS[stage], ...(share !== undefined && {share})}),
    onWarning: message => warnings.push(message)
  })
  return {
    async examine(task) {
      current = task
      const {counts, sample, rows, options} = task
      const {diagnosis, verdict, scores} = await examine(counts, {
        noise: options.noise,
        seed: options.seed ?? 0,
        rows,
        sample: () => ({lexicon: counts.lexicon, documents: sample}),
        onProgress: (done, all) => emit({words: 'checking anchors', share: done / all})
      })
      return {diagnosis, verdict, table: noiseTable(counts, {scores})}
    },
    async learn(task = current) {
      if (task === undefined) throw new Error('internal error: learn before examine')
      const {counts, sample, options} = task
      const warnings: string[] = []
      const corpus = {lexicon: counts.lexicon, documents: sample}
      return {model: await learnFromCounts(counts, corpus, options, controlOf(warnings)), warnings}
    },
    async resample({counts, model, options: {intervals: _, ...options}}, replicates) {
      const warnings: string[] = []
      const intervals = await bootstrap(counts, model, options, {
        replicates,
        clock: () => now() / 1000,
        onProgress: (done, all) => emit({words: STAGE_WORDS.intervals, share: done / all}),
        onWarning: message => warnings.push(message)
      })
      return {intervals, warnings}
    },
    evaluate: task => judge(task, emit)
  }
}
