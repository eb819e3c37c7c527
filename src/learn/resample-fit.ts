/** How sure rates and edges are, with a model or without learning it again. */
import type {Counts} from '../read/counts/index.ts'
import type {Corpus} from '../read/data/index.ts'
import {bootstrap, type FitIntervals, summarizeIntervals} from './bootstrap.ts'
import type {FitControl, FitStage} from './fit.ts'
import {type AnchorScores, scoreAnchors} from './noise/index.ts'
import {type FitOptions, presets} from './options.ts'

/** What `fit` takes, and what is done around it. */
export type LearnOptions = FitOptions & {
  /** Resamplings of the counts for intervals of rates and edges; none unless given. */
  readonly intervals?: number
}

export type LearnStage = FitStage | 'scores' | 'intervals'

export interface LearnProgress {
  readonly stage: LearnStage
  readonly steps: number
  readonly gap?: number
  readonly share?: number
}

export interface LearnControl extends Pick<FitControl, 'signal' | 'clock' | 'wasmUrl'> {
  /** Called as each stage begins. */
  readonly onStage?: (stage: LearnStage) => void
  readonly onProgress?: (progress: LearnProgress) => void
  /** Called with each shortcoming of the result, in words. */
  readonly onWarning?: (message: string) => void
}

/** The intervals that `learnFromCounts` adds to a model where they are asked for, without the model. */
export async function resampleFit(
  counts: Counts,
  documents: Corpus | undefined,
  options: LearnOptions & {readonly intervals: number},
  control: LearnControl
): Promise<FitIntervals> {
  return intervalsOf(counts, neededScores(counts, documents, options, control), options, control)
}

/** Progress as a share of the stage. */
export function shareOf(stage: LearnStage, {onProgress}: LearnControl) {
  return (done: number, all: number) => onProgress?.({stage, steps: done, share: done / all})
}

/** Scores of the documents, where rates come from more than the anchors file and labels alone. */
export function neededScores(
  counts: Counts,
  documents: Corpus | undefined,
  options: LearnOptions,
  control: LearnControl
): AnchorScores | undefined {
  if (documents === undefined || !ratesNeedScores(options, counts)) return undefined
  control.onStage?.('scores')
  return scoreAnchors(documents, {seed: options.seed ?? 0}, {onProgress: shareOf('scores', control)})
}

export async function intervalsOf(
  counts: Counts,
  scores: AnchorScores | undefined,
  {intervals, ...options}: LearnOptions & {readonly intervals: number},
  control: LearnControl
): Promise<FitIntervals> {
  const {onStage, onProgress: _, onWarning, ...shared} = control
  onStage?.('intervals')
  const resampled = await bootstrap(counts, options, {
    ...shared,
    ...(scores && {scores}),
    replicates: intervals,
    seed: options.seed ?? 0,
    onProgress: shareOf('intervals', control)
  })
  const {refused, refusal} = resampled.certificate
  if (refused > 0)
    onWarning?.(
      `intervals: ${refused} of ${intervals} resamplings could not be fitted and are left out, so the intervals are too narrow; ` +
        `there are too few documents or labels: ${refusal}`
    )
  return summarizeIntervals(resampled)
}

function ratesNeedScores(
  {preset = 'robust', noise = presets[preset]?.noise}: LearnOptions,
  {lexicon}: Counts
): boolean {
  if (noise === 'auto') return lexicon.anchors.some(({rates}) => rates === undefined)
  return noise === 'positive-only' || noise === 'irreducible'
}
