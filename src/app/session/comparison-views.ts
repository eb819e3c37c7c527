/** What the Compare page asks and shows. */
import type {Comparison} from '../../use/comparison/index.ts'
import type {Chart} from '../drawing/index.ts'
import type {FitSettings} from '../project/index.ts'
import type {ListQuery} from './views.ts'

/** One side of a comparison: the model as it is, a snapshot, or the project learned with other settings. */
export type Side =
  | {readonly kind: 'now'}
  | {readonly kind: 'snapshot'; readonly name: string}
  | {readonly kind: 'fit'; readonly fit: FitSettings}

/** "before", "the model as it is", "learned with structure tree". */
export function sideTitle(side: Side): string {
  if (side.kind === 'snapshot') return side.name
  if (side.kind === 'now') return 'the model as it is'
  const words = Object.entries(side.fit).map(([name, value]) => `${name} ${value}`)
  return `learned with ${words.join(', ') || 'the default settings'}`
}

export interface ComparisonView {
  readonly titles: readonly [a: string, b: string]
  /** As the library gives it, with the documents that cross the threshold. */
  readonly comparison: Comparison
  /** Which concepts and anchors differ, in sentences. */
  readonly summary: readonly string[]
  /** What is to be known of it: other documents, the rule of the verdicts. */
  readonly notes: readonly string[]
  readonly sections: readonly TableView[]
  /** Prevalences of both sides; undefined where none differs. */
  readonly chart?: Chart
}

/** A table in words; the first cell of a row names it. */
export interface TableView {
  readonly title: string
  /** What to say where there are no rows. */
  readonly none: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly CellView[])[]
}

/** Words, perhaps with the documents behind them; `isQuiet`: what no interval or certificate lets us say. */
export type CellView =
  | string
  | {readonly words: string; readonly isQuiet: true}
  | {readonly words: string; readonly label: string; readonly query: ListQuery}
