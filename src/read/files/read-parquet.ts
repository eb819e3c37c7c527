import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {firstNames} from '../../base/text/index.ts'
import {fieldNames, parseRow, type Row} from '../data/index.ts'
import type {FileContext, ReaderContext} from './format.ts'
import {openParquet, type ParquetFile, type RowGroup} from './parquet-file.ts'
import {parseCell, parseList} from './read-table.ts'

const batchSize = 4096

/**
 * Parquet: every row is a document. Only columns with a meaning are read: `id`, `features`, `tags`, `labels` and the
 * fields asked for. `features` and `tags` are lists of text, or text as in a table; `labels` is a map or a record of
 * booleans, in which null is unknown, or JSON. A row without any value is a document without words.
 *
 * Memory: the columns read of one row group, so it depends on the program that wrote the file.
 */
export async function* readParquet(path: string, context: FileContext): AsyncGenerator<readonly Row[]> {
  const file = await openParquet(path, context.name)
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

/** The columns to read: those with a meaning of their own and the fields asked for, where they exist. */
function chooseColumns(columns: readonly string[], {name, fields}: ReaderContext): readonly string[] {
  const usable = ['features', ...fieldNames(fields)]
  if (!columns.some(column => usable.includes(column)))
    throw new AdfaError(
      'bad-file',
      `${name}: none of the columns can be used; a document needs "features" or one of the fields ${fieldNames(fields).join(', ')}; ` +
        `the columns are ${firstNames(columns)}; name those to read in \`text\`, \`category\`, \`number\` or \`list\``
    )
  const wanted = new Set(['id', 'tags', 'labels', ...usable])
  return [...new Set(columns.filter(column => fields.keepsRecords || wanted.has(column)))]
}

type Columns = ReadonlyMap<string, ArrayLike<unknown>>

async function readColumns(
  file: ParquetFile,
  columns: readonly string[],
  group: RowGroup,
  {signal}: FileContext
): Promise<Columns> {
  const values = new Map<string, ArrayLike<unknown>>()
  if (group.rowCount === 0) return values
  for (const column of columns) {
    throwIfCancelled(signal)
    values.set(column, await file.readColumn(column, group))
  }
  return values
}

function toRow(columns: Columns, row: number, group: RowGroup, context: ReaderContext): Row {
  const where = `${context.name}, row ${group.firstRow + row + 1}`
  // Without a prototype, since a column may have any name. Features are always present: a row of nulls is a document.
  const value: Record<string, unknown> = Object.assign(Object.create(null), {features: []})
  for (const [column, values] of columns) {
    const cell = values[row]
    if (cell === null || cell === undefined) continue
    value[column] = typeof cell === 'string' ? parseText(cell, column, context, where) : plainValue(cell)
  }
  const parsed = parseRow(value, context.fields, where)
  if (!context.fields.keepsRecords) return parsed
  const values = Array.from(columns.values(), column => plainValue(column[row]))
  return {...parsed, record: {columns: [...columns.keys()], values}}
}

function parseText(cell: string, column: string, {fields, separator}: ReaderContext, where: string): unknown {
  if (fields.lists?.includes(column)) return parseList(cell, column, separator, where)
  return parseCell(cell, column, separator, where)
}

/** The value as in JSON. A whole number too large for JSON is text, so that no two ids become one. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const record: Record<string, unknown> = Object.create(null)
  // Null in a record or a map is unknown, like a missing key.
  for (const [key, entry] of Object.entries(value))
    if (entry !== null && entry !== undefined) record[key] = plainValue(entry)
  return record
}
