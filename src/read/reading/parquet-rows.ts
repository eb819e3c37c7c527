import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {firstNames} from '../../base/text/index.ts'
import {inputNames, keyFields, parseRow, type Row, VOTES} from '../data/index.ts'
import type {FileContext, ReaderContext} from './format.ts'
import {parseCell} from './read-table.ts'
import {isDate} from './sheet-rows.ts'
import {namedColumns} from './table-columns.ts'

/** Rows of a Parquet file that are stored together. */
export interface RowGroup {
  /** Its number, from 0. */
  readonly index: number
  /** The number of its first row, from 0. */
  readonly firstRow: number
  readonly rowCount: number
  /** The place in the file where it ends. */
  readonly end: number
}

export interface ParquetFile {
  readonly size: number
  /** The names of the columns; a list or a record is one column. */
  readonly columns: readonly string[]
  readonly groups: readonly RowGroup[]
  /** All values of a column in one group, as stored; null or undefined where there is none. */
  readColumn(column: string, group: RowGroup): Promise<ArrayLike<unknown>>
  close(): Promise<void>
}

const batchSize = 4096

/**
 * Parquet: every row is a document. Only columns with a meaning are read: `id`, `features`, `tags`, `labels` and the
 * fields asked for. `features` and `tags` are lists of text, or text as in a table; `labels` is a map or a record of
 * booleans, in which null is unknown, or JSON. A row without any value is a document without words.
 *
 * Memory: the columns read of one row group, so it depends on the program that wrote the file.
 */
export async function* parquetRows(file: ParquetFile, context: FileContext): AsyncGenerator<readonly Row[]> {
  try {
    const columns = chooseColumns(file.columns, context)
    let place = 0
    const advance = (to: number) => {
      context.onRead(Math.max(0, to - place))
      place = Math.max(place, to)
    }
    for (const group of file.groups) {
      const start = place
      const values = await readColumns(file, columns, group, context)
      for (let at = 0; at < group.rowCount; at += batchSize) {
        const end = Math.min(at + batchSize, group.rowCount)
        const rows: Row[] = []
        for (let row = at; row < end; row++) rows.push(toRow(values, row, group, context))
        advance(Math.floor(start + ((group.end - start) * end) / group.rowCount))
        yield rows
      }
    }
    advance(file.size)
  } finally {
    await file.close()
  }
}

/** The columns to read, by the names asked for: those with a meaning of their own and the fields, where they exist. */
function chooseColumns(columns: readonly string[], context: ReaderContext): Chosen {
  const {name, fields} = context
  const names = namedColumns(columns, context, name)
  const usable = ['features', VOTES, ...inputNames(fields)]
  if (fields.keepsRecords !== 'only' && !names.some(column => usable.includes(column)))
    throw new AdfaError(
      'bad-file',
      `${name}: none of the columns can be used; a document needs "features" or one of the fields ${inputNames(fields).join(', ')}; ` +
        `the columns are ${firstNames(columns)}; name those to read in \`text\`, \`category\`, \`number\` or \`list\``
    )
  const {id, tags} = keyFields(fields)
  const wanted = new Set([id, tags, 'labels', ...usable])
  const chosen = columns.map((column, at) => [names[at], column] as const)
  return new Map(chosen.filter(([asked]) => fields.keepsRecords || wanted.has(asked)))
}

/** Columns of the file by the names asked for. */
type Chosen = ReadonlyMap<string, string>

/** Their values, also by the names asked for. */
type Columns = ReadonlyMap<string, {readonly column: string; readonly values: ArrayLike<unknown>}>

async function readColumns(
  file: ParquetFile,
  columns: Chosen,
  group: RowGroup,
  {signal}: FileContext
): Promise<Columns> {
  const values = new Map<string, {column: string; values: ArrayLike<unknown>}>()
  if (group.rowCount === 0) return values
  for (const [name, column] of columns) {
    throwIfCancelled(signal)
    values.set(name, {column, values: await file.readColumn(column, group)})
  }
  return values
}

function toRow(columns: Columns, row: number, group: RowGroup, context: ReaderContext): Row {
  const where = `${context.name}, row ${group.firstRow + row + 1}`
  // Without a prototype, since a column may have any name. Features are always present: a row of nulls is a document.
  const value: Record<string, unknown> = Object.assign(Object.create(null), {features: []})
  for (const [column, {values}] of columns) {
    const cell = values[row]
    if (cell === null || cell === undefined) continue
    value[column] = typeof cell === 'string' ? parseCell(cell, column, context.fields, where) : plainValue(cell)
  }
  const parsed = parseRow(value, context.fields, where)
  if (!context.fields.keepsRecords) return parsed
  const kept = [...columns.values()]
  const record = {columns: kept.map(({column}) => column), values: kept.map(({values}) => plainValue(values[row]))}
  return {...parsed, record}
}

/** The value as in JSON. A whole number too large for JSON is text, so that no two ids become one. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (isDate(value)) return value.toISOString()
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const record: Record<string, unknown> = Object.create(null)
  // Null in a record or a map is unknown, like a missing key.
  for (const [key, entry] of Object.entries(value))
    if (entry !== null && entry !== undefined) record[key] = plainValue(entry)
  return record
}
