import {AdfaError} from '../../base/checks/index.ts'
import {csvLine, escapeFormula, grouped} from '../../base/text/index.ts'
import type {Row, SourceRecord, TableDialect} from '../data/index.ts'
import {latin1} from './bytes.ts'

/** A cell of a table to write; undefined is an empty one. */
export type Cell = string | number | boolean | undefined

/** What all cells of a column are; formats without types need not know. */
export type CellKind = 'text' | 'number' | 'whole' | 'boolean'

export interface TableColumn {
  readonly name: string
  readonly kind: CellKind
  /** Decimals that people need to see; by default all. */
  readonly decimals?: number
  /** Characters to show in a row of a spreadsheet. */
  readonly width?: number
  readonly wraps?: boolean
}

export interface TableLayout {
  readonly columns: readonly TableColumn[]
  /** How CSV is written; by default with commas and line feeds. */
  readonly dialect?: TableDialect | undefined
  /** What a spreadsheet program calls it. */
  readonly title?: string
}

/** Takes the rows of a table, each with a cell per column. Await each call before the next. */
export interface TableWriter {
  row(cells: readonly Cell[]): Promise<void>
  /** Of a table of text: whole lines of it, which `tableLines` makes. */
  text?(lines: Uint8Array): Promise<void>
  end(): Promise<void>
}

/** A date that is there already; making one needs a clock, which this module may not have. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}

export function timeText(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** A date as text: the day alone where its time is midnight. */
export function dateText(date: Date): string | undefined {
  return timeText(date)?.replace('T00:00:00.000Z', '')
}

export function rounded(value: number, {decimals}: TableColumn): number {
  return decimals === undefined ? value : Number(value.toFixed(decimals))
}

/** Spreadsheet programs show no more. */
const mostColumns = 16_384

/** The columns of documents, in the order in which they appear, and what is in them. */
export class ColumnSurvey {
  readonly #kinds = new Map<string, CellKind | undefined>()
  /** How the first table of text is written. */
  dialect: TableDialect | undefined

  add({columns, values, dialect}: SourceRecord): void {
    this.dialect ??= dialect
    for (const [at, name] of columns.entries()) {
      const before = this.#kinds.get(name)
      const kind = kindOf(values[at], dialect !== undefined)
      if (before === undefined || before !== kind) this.#kinds.set(name, unionOf(before, kind))
    }
    if (this.#kinds.size > mostColumns)
      throw new AdfaError(
        'bad-file',
        `the documents have more than ${grouped(mostColumns)} different columns, and a table to write may have as many; write JSON Lines`
      )
  }

  columns(): TableColumn[] {
    return Array.from(this.#kinds, ([name, kind = 'text']) => ({name, kind}))
  }
}

function kindOf(value: unknown, isText: boolean): CellKind | undefined {
  if (value === undefined || value === null || (isText && value === '')) return undefined
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'whole' : 'number'
  if (!isText || !isNumeral(String(value))) return 'text'
  return String(value).includes('.') ? 'number' : 'whole'
}

/** Text that means nothing but a number, and that spreadsheet programs show in full: not 007, and not 4915112345678. */
function isNumeral(text: string): boolean {
  return text.length <= 12 && /^-?(?:0|[1-9]\d{0,10})(?:\.\d{1,10})?$/.test(text) && text !== '-0'
}

function unionOf(a: CellKind | undefined, b: CellKind | undefined): CellKind | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b
  const isNumber = (kind: CellKind) => kind === 'number' || kind === 'whole'
  return isNumber(a) && isNumber(b) ? 'number' : 'text'
}

/** Puts the values of records into the cells of these columns; a column that a record lacks is empty. */
export function cellReader(
  columns: readonly TableColumn[],
  separator: string
): (record: SourceRecord) => (Cell | undefined)[] {
  const place = new Map(columns.map(({name}, at) => [name, at]))
  return record => {
    const cells: Cell[] = new Array(columns.length).fill(undefined)
    for (const [at, name] of record.columns.entries()) {
      const to = place.get(name)
      if (to !== undefined) cells[to] = cellOf(record.values[at], separator)
    }
    return cells
  }
}

/** A value in one cell: lists are joined by the separator, as they are read; what has more structure is JSON. */
function cellOf(value: unknown, separator: string): Cell {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof Uint8Array) return btoa(latin1(value))
  return Array.isArray(value) ? listCell(value, separator) : JSON.stringify(value)
}

/** Items in one cell, written so that reading finds the same items: as a JSON array where the separator cannot tell them apart. */
export function listCell(items: readonly unknown[], separator: string): string {
  const isPlain = (item: unknown) =>
    (typeof item === 'string' && item !== '' && item.trim() === item && !item.includes(separator)) ||
    typeof item === 'number'
  const joined = items.join(separator)
  return items.every(isPlain) && !joined.startsWith('[') ? joined : JSON.stringify(items)
}

/** The record of a row; of a format without columns, its parts. */
export function recordOf({record, id, text, features, tags}: Row): SourceRecord {
  if (record !== undefined) return record
  const parts = Object.entries({id, features, tags}).filter(([, value]) => value !== undefined)
  return {
    columns: [...parts.map(([name]) => name), ...text.keys()],
    values: [...parts.map(([, value]) => value), ...text.values()]
  }
}

/** A table as text: what comes first, and a line for the cells of each row. */
export interface TableLines {
  readonly head: string
  line(cells: readonly Cell[]): string
}

/**
 * CSV as the file it came from: semicolons where that has them, and then decimal commas, as spreadsheet programs read and
 * write them. Text that such a program would run as a formula begins with an apostrophe.
 */
export function tableLines(format: 'csv' | 'tsv', {columns, dialect}: TableLayout): TableLines {
  const delimiter = format === 'tsv' ? '\t' : dialect?.delimiter === ';' ? ';' : ','
  const line = (cells: readonly (string | number)[]) => csvLine(cells, dialect?.lineEnd, withoutFormula, delimiter)
  const written = (cell: Cell, at: number) =>
    typeof cell === 'number' ? rounded(cell, columns[at]) : String(cell ?? '')
  // Programs that write semicolons take text without a mark for their old encoding.
  const mark = dialect?.hasMark || delimiter === ';' ? '\ufeff' : ''
  return {head: mark + line(columns.map(({name}) => name)), line: cells => line(cells.map(written))}
}

/** Escaped once: a table that is written, read and written again stays as it is. */
function withoutFormula(text: string): string {
  return text.trimStart().startsWith("'") ? text : escapeFormula(text)
}
