/**
 * What takes seconds: checking anchors and learning a model. It runs on a thread of its own, so that the session keeps
 * answering, and owns nothing: an edit ends it and starts another.
 */
import {bootstrap} from '../../learn/bootstrap.ts'
import {
  type LearnControl,
  type LearnedModel,
  type LearnOptions,
  type LearnStage,
  learnFromCounts
} from '../../learn/learn.ts'
import {noiseTable} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {CorpusDocument, Row} from '../../read/data/index.ts'
import {examine} from '../../use/advice/index.ts'
import {type Evaluated, type EvaluationTask, judge} from './judge.ts'

/** What a fit learns from. */
interface SolverTask {
  readonly counts: Counts
  /** The sample of the documents, as `trainingDocuments` orders them, and the same documents as rows. */
  readonly sample: readonly CorpusDocument[]
  readonly rows: readonly Row[]
  readonly options: LearnOptions
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
  /** Stops at once; calls under way are never answered, or rejected. */
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

export type SolverApi = ReturnType<typeof createSolver>
export type Examined = Awaited<ReturnType<SolverApi['examine']>>
export type Resampling = Awaited<ReturnType<SolverApi['resample']>>

/** `now` is in milliseconds, for time limits. Shortcomings of a result come with it, as warnings in words. */
export function createSolver(emit: (event: SolverEvent) => void, now: () => number) {
  let current: SolverTask | undefined
  const controlOf = (warnings: string[]): LearnControl => ({
    clock: () => now() / 1000,
    onStage: stage => emit({words: STAGE_WORDS[stage]}),
    onProgress: ({stage, share}) => emit({words: STAGE_WORDS[stage], ...(share !== undefined && {share})}),
    onWarning: message => warnings.push(message)
  })
  return {
    /** Keeps a task, which the other calls work on, and checks its anchors, with every estimator of rates that applies. */
    async examine(task: SolverTask) {
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

    /** Learns exactly what `adfa fit` learns from the same documents: those that were examined, or others. */
    async learn(task: SolverTask | undefined = current) {
      if (task === undefined) throw new Error('internal error: learn before examine')
      const {counts, sample, options} = task
      const warnings: string[] = []
      const corpus = {lexicon: counts.lexicon, documents: sample}
      return {model: await learnFromCounts(counts, corpus, options, controlOf(warnings)), warnings}
    },

    /** How sure rates and links are: what `adfa fit --intervals` adds to the model of the same documents. */
    async resample(
      {counts, options, model}: Pick<SolverTask, 'counts' | 'options'> & {readonly model: LearnedModel},
      replicates: number
    ) {
      const {intervals: _, ...own} = options
      const warnings: string[] = []
      const intervals = await bootstrap(counts, model, own, {
        replicates,
        clock: () => now() / 1000,
        onProgress: (done, all) => emit({words: STAGE_WORDS.intervals, share: done / all}),
        onWarning: message => warnings.push(message)
      })
      return {intervals, warnings}
    },

    /** The figures of `adfa evaluate` for the same model and documents. */
    evaluate: async (task: EvaluationTask) => judge(task, emit)
  }
}
