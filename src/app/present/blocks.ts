/**
 * What is shown of results, made from facts once: as lines of a terminal by {@link blocksText}, as HTML by `Blocks` in the studio
 * and in reports. A sentence is written where its block is made and nowhere else.
 */
import type {Severity} from '../../use/advice/index.ts'
import type {Chart} from '../drawing/index.ts'

/** Text with marked parts. */
export type Inline = string | number | Marked | readonly Inline[]

export interface Marked {
  readonly text: Inline
  /** `best` and `level` are figures of a comparison, `range` an interval; `quiet` is less important; `bad` is wrong or doubtful; terminals quote `code`. */
  readonly look?: 'strong' | 'quiet' | 'range' | 'code' | 'good' | 'bad' | 'best' | 'level' | Severity | undefined
  /** Where the text leads, as `L` of the page that shows it says. Terminals leave it out. */
  readonly to?: unknown
  /** What the text means, in a tip; of a link, its name for screen readers. */
  readonly tip?: string | undefined
}

export interface TableColumn {
  readonly name: string
  /** What the column means, in a tip. */
  readonly meaning?: string | undefined
  /** Figures stand at the right, under their name. */
  readonly isFigure?: boolean | undefined
}

/** A cell is text, or text beside a bar of this share; `sortBy` is what readers sort the rows by. */
export type Cell =
  | Inline
  | {readonly cell: Inline; readonly bar?: number | undefined; readonly sortBy?: number | undefined}

export interface TableBlock {
  readonly kind: 'table'
  readonly caption?: string | undefined
  /** The first column names the rows. */
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly Cell[])[]
  /** What is said instead of a table without rows. */
  readonly none?: string | undefined
  readonly id?: string | undefined
  /** The class of the table, where pages lay it out in a way of its own. */
  readonly look?: 'figures' | 'per-concept' | 'folding' | undefined
  /** Readers of a report can sort the rows. */
  readonly isSortable?: boolean | undefined
}

export type Block =
  | {
      readonly kind: 'heading'
      readonly text: string
      readonly id?: string | undefined
      /** Inside of a card, below its own heading. */
      readonly isMinor?: boolean | undefined
    }
  | {readonly kind: 'text'; readonly text: Inline; readonly look?: 'lead' | 'quiet' | 'bad' | undefined}
  | {readonly kind: 'list'; readonly items: readonly Inline[]; readonly look?: 'tiles' | 'edges' | undefined}
  | {readonly kind: 'terms'; readonly terms: readonly (readonly [name: Inline, meaning: Inline])[]}
  | TableBlock
  | ChartBlock
  /** What few readers need unfolds below its title. */
  | {readonly kind: 'more'; readonly title: string; readonly blocks: readonly Block[]}

/** A page draws the chart; terminals leave it out. */
export interface ChartBlock {
  readonly kind: 'chart'
  readonly chart: Chart
  readonly id?: string | undefined
  readonly caption?: Inline | undefined
}

/** A column of a table and what stands in it. */
interface ColumnOf<R> extends TableColumn {
  readonly cell: (row: R) => Cell
}

/** Each row as its columns show it; a column may be left out. */
export function tableOf<R>(
  rows: readonly R[],
  columns: readonly (ColumnOf<R> | false | undefined)[],
  more: Omit<TableBlock, 'kind' | 'columns' | 'rows'> = {}
): TableBlock {
  const shown = kept(columns)
  return {
    ...more,
    kind: 'table',
    columns: shown.map(({cell, ...column}) => column),
    rows: rows.map(row => shown.map(({cell}) => cell(row)))
  }
}

export function column<R>(name: string, cell: (row: R) => Cell): ColumnOf<R> {
  return {name, cell}
}

/** A column of figures. */
export function figure<R>(name: string, cell: (row: R) => Cell, meaning?: string): ColumnOf<R> {
  return {name, cell, isFigure: true, ...(meaning && {meaning})}
}

/** What applies: nothing that is empty or false. */
export function kept<T>(parts: readonly (T | false | undefined | '')[]): T[] {
  return parts.filter(part => part !== false && part !== undefined && part !== '') as T[]
}

export function heading(text: string): Block {
  return {kind: 'heading', text}
}

export function paragraph(text: Inline, look?: 'lead' | 'quiet' | 'bad'): Block {
  return {kind: 'text', text, look}
}

/** What unfolds below a title. */
export function more(title: string, ...blocks: readonly Block[]): Block {
  return {kind: 'more', title, blocks}
}

/** A template of text and marked parts. */
export function say(texts: TemplateStringsArray, ...parts: readonly Inline[]): Inline {
  return kept(texts.flatMap((text, at) => (at === 0 ? [text] : [parts[at - 1], text])))
}

/** The name of a feature. */
export function code(name: string): Marked {
  return {text: name, look: 'code'}
}

/** Names of features, the first few. */
export function codes(names: readonly string[], limit = 5): Inline {
  const rest = names.length - limit
  return [
    names.slice(0, limit).map((name, at): Inline => [at > 0 ? ', ' : '', code(name)]),
    rest > 0 ? ` and ${rest} more` : ''
  ]
}

/** The text of a part without its marks. */
export function plainText(part: Inline): string {
  if (typeof part === 'string') return part
  if (typeof part === 'number') return String(part)
  if (!('text' in part)) return part.map(plainText).join('')
  return part.look === 'code' ? `'${plainText(part.text)}'` : plainText(part.text)
}

/** The text of a cell, whatever stands beside it. */
export function cellText(cell: Cell): Inline {
  return typeof cell === 'object' && 'cell' in cell ? cell.cell : cell
}
