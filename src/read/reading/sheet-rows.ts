import {throwIfCancelled} from '../../base/checks/index.ts'
import {checkFeatureCount, parseRow, type Row, type RowFields, valueFieldNames} from '../data/index.ts'
import type {FileContext, ReaderContext} from './format.ts'
import {checkHeader, parseCell} from './read-table.ts'
import {namedColumns} from './table-columns.ts'

/** A cell of a workbook; formulas are their results. */
export type SheetCell = string | number | boolean | Date | null
export type SheetCells = readonly (readonly SheetCell[])[]

const BATCH = 4096

/**
 * The documents of a sheet: the first row with content names the columns, every other one is a document. Numbers stay numbers,
 * dates become `2024-02-29` or `2024-02-29T13:45:00`.
 */
export function* sheetRows(cells: SheetCells, context: FileContext): Generator<readonly Row[]> {
  const header = cells.findIndex(row => row.some(isFilled))
  if (header < 0) return
  const columns = columnsOf(cells, header, context)
  for (let from = header + 1; from < cells.length; from += BATCH) {
    throwIfCancelled(context.signal)
    const batch: Row[] = []
    for (let at = from; at < Math.min(from + BATCH, cells.length); at++)
      if (cells[at].some(isFilled))
        batch.push(toRow(cells[at], columns, context.fields, `${context.name}, row ${at + 1}`))
    yield batch
  }
}

export function isFilled(cell: SheetCell | undefined): boolean {
  return cell !== null && cell !== undefined && cell !== ''
}

interface Column {
  readonly name: string
  readonly at: number
}

/** The columns by the names asked for; those without a name and without a value are left out. */
function columnsOf(rows: SheetCells, header: number, context: ReaderContext): readonly Column[] {
  const where = `${context.name}, row ${header + 1}`
  const filled = rows[header]
    .map((_, at) => at)
    .filter(at => rows.some((row, line) => line >= header && isFilled(row[at])))
  const names = filled.map(at => cellText(rows[header][at]).trim())
  checkFeatureCount(names.length, where, 'table', 'columns')
  checkHeader(names, where)
  return namedColumns(names, context, where).map((name, index) => ({name, at: filled[index]}))
}

function toRow(cells: readonly SheetCell[], columns: readonly Column[], fields: RowFields, where: string): Row {
  const {lists = []} = fields
  const values = valueFieldNames(fields).filter(name => !lists.includes(name))
  // Without a prototype, since a column may have any name.
  const value: Record<string, unknown> = Object.create(null)
  for (const {name, at} of columns) {
    const cell = cells[at] ?? null
    // Categories and numbers keep their type; all else is text, as in other tables.
    value[name] = values.includes(name) && !isDate(cell) ? cell : parseCell(cellText(cell), name, fields, where)
  }
  return parseRow(value, fields, where)
}

/** A date that is there already; making one needs a clock, which is not for this room. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}

export function cellText(cell: SheetCell): string {
  if (!isDate(cell)) return cell === null ? '' : String(cell)
  if (Number.isNaN(cell.getTime())) return ''
  const [day, time] = cell.toISOString().split('T')
  return time.startsWith('00:00:00') ? day : `${day}T${time.replace(/(\.000)?Z$/, '')}`
}
