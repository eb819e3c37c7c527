import type {Estimate, TextPart} from './views.ts'

export interface LabelView {
  readonly documents: number
  readonly least: number
  readonly goal: number
  readonly enough?: 'intervals' | 'documents'
  /** "prevalence is known to a factor of 2.1 in the middle, 4.8 at worst (stroke)". */
  readonly words: string
  readonly intervals: readonly {readonly concept: string; readonly prevalence: Estimate}[]
  readonly question?: QuestionView
}

export interface QuestionView {
  readonly at: number
  readonly name: string
  /** A whole document, or one concept of a document where its anchor fires. */
  readonly drawn: 'random' | 'anchored'
  readonly parts: readonly TextPart[]
  /** In the order to show them, most probable first; one for a short question. */
  readonly concepts: readonly {readonly name: string; readonly probability: number; readonly isPreset: boolean}[]
}
