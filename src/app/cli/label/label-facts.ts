import type {LabelProgress} from '../../../use/labelling/index.ts'

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** What is shown beside the question. */
export interface LabelFacts {
  readonly concepts: readonly string[]
  /** The features of every concept's anchor. */
  readonly anchors: readonly (readonly string[])[]
  readonly fields: readonly string[]
  readonly progress: LabelProgress
  /** Median factors of the intervals, as they shrank. */
  readonly history: readonly number[]
  readonly narrow: number
  /** The file that answers are saved in. */
  readonly file: string
  /** What just happened. */
  readonly note: string
}
