/**
 * What takes seconds: checking anchors and learning a model. It runs on a thread of its own, so that the session keeps
 * answering, and owns nothing: an edit ends it and starts another.
 */
import {bootstrap} from '../../learn/bootstrap.ts'
import type {LearnedModel} from '../../learn/learn.ts'
import {examineAnchors, type LearningTask, learnModel, type Progress, stageWords} from '../pipeline/index.ts'
import {type EvaluationTask, judge} from './judge.ts'

export interface SolverHandle {
  readonly api: SolverApi
  /** Stops at once; calls under way are never answered, or rejected. */
  end(): void
}

export type SolverApi = ReturnType<typeof createSolver>
export type Examined = Awaited<ReturnType<SolverApi['examine']>>
export type Resampling = Awaited<ReturnType<SolverApi['resample']>>

/** `now` is in milliseconds, for time limits. Shortcomings of a result come with it, as warnings in words. */
export function createSolver(emit: (event: Progress) => void, now: () => number) {
  let current: LearningTask | undefined
  const onProgress = (words: string, share?: number) => emit({words, ...(share !== undefined && {share})})
  return {
    /** Keeps a task, which is then learned from, and checks its anchors. */
    async examine(task: LearningTask) {
      current = task
      const {diagnosis, verdict} = await examineAnchors(task, {onProgress})
      return {diagnosis, verdict}
    },

    /** Learns what `adfa fit` learns from the documents that were examined. */
    async learn() {
      if (current === undefined) throw new Error('internal error: learn before examine')
      const warnings: string[] = []
      const onWarning = (message: string) => warnings.push(message)
      return {model: await learnModel(current, {now, onProgress, onWarning}), warnings}
    },

    /** How sure rates and links are: what `adfa fit --intervals` adds to the model of the same documents. */
    async resample(
      {counts, options, model}: Pick<LearningTask, 'counts' | 'options'> & {readonly model: LearnedModel},
      replicates: number
    ) {
      const {intervals: _, ...own} = options
      const warnings: string[] = []
      const intervals = await bootstrap(counts, model, own, {
        replicates,
        clock: () => now() / 1000,
        onProgress: (done, all) => onProgress(stageWords.intervals, done / all),
        onWarning: message => warnings.push(message)
      })
      return {intervals, warnings}
    },

    /** The figures of `adfa evaluate` for the same model and documents. */
    evaluate: async (task: EvaluationTask) => judge(task, emit)
  }
}
