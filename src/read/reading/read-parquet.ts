import {throwIfCancelled} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {openParquetFile} from './parquet-file.ts'
import {tableRows} from './read-table.ts'
import {isDate} from './read-xlsx.ts'
import type {FileContext} from './reader-context.ts'
import type {SourceFile} from './source-file.ts'

const BATCH = 4096

/**
 * Parquet: every row is a document. Only columns with a meaning are read: `id`, `features`, `tags`, `labels` and the
 * fields asked for. `features` and `tags` are lists of text, or text as in a table; `labels` is a map or a record of
 * booleans, in which null is unknown, or JSON. A row without any value is a document without words.
 *
 * Memory: the columns read of one row group, so it depends on the program that wrote the file.
 */
export async function* readParquet(source: SourceFile, context: FileContext): AsyncGenerator<readonly Row[]> {
  const {name, tools, signal} = context
  const file = await openParquetFile(source, name, tools)
  const table = tableRows(file.columns, context, {where: name})
  let place = 0
  const advance = (to: number) => {
    context.onRead?.(Math.max(0, to - place))
    place = Math.max(place, to)
  }
  for (const group of file.groups) {
    const start = place
    const columns: (ArrayLike<unknown> | undefined)[] = new Array(file.columns.length).fill(undefined)
    for (const at of group.rowCount === 0 ? [] : table.used) {
      throwIfCancelled(signal)
      columns[at] = await file.readColumn(file.columns[at], group)
    }
    for (let at = 0; at < group.rowCount; at += BATCH) {
      const end = Math.min(at + BATCH, group.rowCount)
      const rows: Row[] = []
      for (let row = at; row < end; row++) {
        const cells = columns.map(column => plainValue(column?.[row]))
        rows.push(table.read(cells, `${name}, row ${group.firstRow + row + 1}`))
      }
      advance(Math.floor(start + ((group.end - start) * end) / group.rowCount))
      yield rows
    }
  }
  advance(source.size)
  table.end()
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
