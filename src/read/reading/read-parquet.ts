import type {AsyncBuffer, Compressors, SchemaTree} from 'hyparquet'
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {fileError, latin1, reasonOf} from './bytes.ts'
import {tableRows} from './read-table.ts'
import {type ReaderContext, type SourceFile, sliceOf} from './source-file.ts'
import {dateText, isDate, timeText} from './table-cells.ts'

const BATCH = 4096

/**
 * Parquet: every row is a document. Only columns with a meaning are read: `id`, `features`, `tags`, `labels` and the
 * fields asked for. `features` and `tags` are lists of text, or text as in a table; `labels` is a map or a record of
 * booleans, in which null is unknown, or JSON. A row without any value is a document without words.
 *
 * Text must be UTF-8. Memory: the columns read of one row group, so it depends on the program that wrote the file.
 */
export async function* readParquet(source: SourceFile, context: ReaderContext): AsyncGenerator<readonly Row[]> {
  const {name, signal, onRead} = context
  let failure: unknown
  const file: AsyncBuffer = {
    byteLength: source.size,
    // Pieces are read ahead, and nobody waits for some: a rejection would end the process, so that the failure is kept instead.
    slice: (from, to = source.size) =>
      sliceOf(source, from, to).catch(error => {
        failure ??= error
        return new ArrayBuffer(0)
      })
  }
  if (latin1(new Uint8Array(await sliceOf(source, 0, Math.min(4, source.size)))) !== 'PAR1')
    throw fileError(
      name,
      'this is not a Parquet file that can be read: it does not begin with PAR1, as all do that are neither encrypted nor ' +
        'compressed as a whole (Parquet is compressed inside); decompress it, check its name, or give `format`'
    )
  // Loaded here, since most runs do not read Parquet.
  const {parquetMetadataAsync, parquetScan, parquetSchema} = await import('hyparquet')
  const compressors: Compressors = {...(await import('hyparquet-compressors')).compressors, ...source.unpack}
  const decoding = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work()
      if (failure === undefined) return result
      throw failure
    } catch (error) {
      if (failure !== undefined) throw failure
      if (error instanceof AdfaError) throw error
      throw fileError(
        name,
        `${what} cannot be decoded (${reasonOf(error)}); the file is damaged, or uses a part of Parquet that is not ` +
          'supported; copy it again, or write it anew with DuckDB or pyarrow and their usual settings',
        error
      )
    }
  }
  // The directory of the file is at its end.
  const {scan, columns, isTimed} = await decoding('its directory', async () => {
    const metadata = await parquetMetadataAsync(file, {geoparquet: false})
    const {children} = parquetSchema(metadata)
    const columns = children.map(({element}) => element.name)
    if (!columns.every(column => typeof column === 'string')) throw new Error('a column has no name')
    return {
      columns,
      isTimed: children.map(hasTimes),
      scan: await parquetScan({file, metadata, compressors, parsers: textParsers()})
    }
  })
  const table = tableRows(columns, context, {where: name})
  const groups = scan.metadata.row_groups
  const rowCount = groups.reduce((sum, {num_rows}) => sum + Number(num_rows), 0)
  let firstRow = 0
  let bytesRead = 0
  const advance = (bytes: number) => {
    onRead?.(bytes - bytesRead)
    bytesRead = bytes
  }
  for (const {num_rows} of groups) {
    const [rowStart, rowEnd] = [firstRow, firstRow + Number(num_rows)]
    const values: (ArrayLike<unknown> | undefined)[] = new Array(columns.length).fill(undefined)
    for (const at of rowStart === rowEnd ? [] : table.used) {
      throwIfCancelled(signal)
      const column = columns[at]
      values[at] = await decoding(`column "${column}" of the rows ${rowStart + 1} to ${rowEnd}`, async () => {
        const read = await scan.readColumn({column, rowStart, rowEnd})
        if (read.length === rowEnd - rowStart) return read
        throw new Error(`it holds ${read.length} values for ${rowEnd - rowStart} rows`)
      })
    }
    for (; firstRow < rowEnd; firstRow += BATCH) {
      const end = Math.min(firstRow + BATCH, rowEnd)
      const rows: Row[] = []
      for (let row = firstRow; row < end; row++) {
        const cells = values.map((column, at) => plainValue(column?.[row - rowStart], isTimed[at]))
        rows.push(table.read(cells, `${name}, row ${row + 1}`))
      }
      advance(Math.floor((source.size * end) / rowCount))
      yield rows
    }
    firstRow = rowEnd
  }
  advance(source.size)
  table.end()
}

/** Whether a column holds points in time, not days: all of them are written with their time, even at midnight. */
function hasTimes({element, children}: SchemaTree): boolean {
  const kinds = [element.converted_type, element.logical_type?.type]
  return element.type === 'INT96' || kinds.some(kind => kind?.startsWith('TIMESTAMP')) || children.some(hasTimes)
}

/** The value as in JSON. A whole number too large for JSON is text, so that no two ids become one. */
function plainValue(value: unknown, isTimed: boolean): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (isDate(value)) return isTimed ? timeText(value) : dateText(value)
  if (Array.isArray(value)) return value.map(entry => plainValue(entry, isTimed))
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const record: Record<string, unknown> = Object.create(null)
  // Null in a record or a map is unknown, like a missing key.
  for (const [key, entry] of Object.entries(value))
    if (entry !== null && entry !== undefined) record[key] = plainValue(entry, isTimed)
  return record
}

function textParsers() {
  const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})
  return {
    stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
    jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && JSON.parse(decoder.decode(bytes))
  }
}
