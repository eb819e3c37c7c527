/** From counts and a sample of their documents to findings and a model: for the commands and for the studio. */
import {counted} from '../../base/text/index.ts'
import type {LearnControl, LearnedModel, LearnOptions, LearnStage} from '../../learn/learn.ts'
import {learnFromCounts} from '../../learn/learn.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {CorpusDocument, Row} from '../../read/data/index.ts'
import {type Examination, examine} from '../../use/advice/index.ts'

/** What a fit learns from. */
export interface LearningTask {
  readonly counts: Counts
  /** The sample of the documents, as `trainingDocuments` orders them, and as rows; undefined where there are only counts. */
  readonly sample: readonly CorpusDocument[] | undefined
  readonly rows: readonly Row[] | undefined
  readonly options: LearnOptions
}

/** How far work is. */
export interface Progress {
  readonly words: string
  /** From 0 to 1 where it is known. */
  readonly share?: number
}

/** Where the work reports; `now` is in milliseconds, for time limits. */
export interface LearningControl {
  readonly now: () => number
  onProgress(words: string, share?: number): void
  onWarning(message: string): void
  onStage?(stage: LearnStage): void
}

export const stageWords: Readonly<Record<LearnStage, string>> = {
  noise: 'estimating rates',
  moments: 'recovering moments',
  structure: 'finding the network',
  loadings: 'learning words',
  words: 'learning word weights',
  intervals: 'resampling for intervals'
}

/** Checks the anchors, with the verdict of a fit of the same task. */
export function examineAnchors(
  {counts, sample, rows, options}: LearningTask,
  {onProgress}: Pick<LearningControl, 'onProgress'>
): Promise<Examination> {
  onProgress('checking anchors')
  return examine(counts, {
    noise: options.noise,
    seed: options.seed ?? 0,
    rows,
    sample: () => sample && {lexicon: counts.lexicon, documents: sample},
    onProgress: (done, all) => onProgress('checking anchors', done / all)
  })
}

export function learnModel(
  {counts, sample, options}: LearningTask,
  {now, onProgress, onWarning, onStage}: LearningControl
): Promise<LearnedModel> {
  const control: LearnControl = {
    clock: () => now() / 1000,
    onStage(stage) {
      onStage?.(stage)
      onProgress(stageWords[stage])
    },
    onProgress({stage, gap, steps, share}) {
      const reached = gap === undefined ? '' : `gap ${gap.toExponential(1)} after `
      onProgress(`${stageWords[stage]}: ${reached}${counted(steps, 'step')}`, share)
    },
    onWarning
  }
  return learnFromCounts(counts, sample && {lexicon: counts.lexicon, documents: sample}, options, control)
}
