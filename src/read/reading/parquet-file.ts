import type {AsyncBuffer, Compressors, FileMetaData, ParquetScan} from 'hyparquet'
import {AdfaError} from '../../base/checks/index.ts'
import type {ByteTools} from './bytes.ts'
import {fileError, reasonOf} from './document-error.ts'
import {type SourceFile, sliceOf} from './source-file.ts'

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
  /** The names of the columns; a list or a record is one column. */
  readonly columns: readonly string[]
  readonly groups: readonly RowGroup[]
  /** All values of a column in one group, as stored; null or undefined where there is none. */
  readColumn(column: string, group: RowGroup): Promise<ArrayLike<unknown>>
}

/**
 * Read the directory of a Parquet file, which is at its end. Memory holds one column of one row group at a time. Text must be
 * UTF-8, JSON is parsed, days are `2024-01-31`.
 */
export async function openParquetFile(source: SourceFile, name: string, tools?: ByteTools): Promise<ParquetFile> {
  const {size} = source
  const file: AsyncBuffer = {byteLength: size, slice: (from, to = size) => sliceOf(source, from, to)}
  await checkParquet(file, name)
  // Loaded here, since most runs do not read Parquet.
  const {parquetMetadataAsync, parquetScan} = await import('hyparquet')
  const compressors: Compressors = {...(await import('hyparquet-compressors')).compressors, ...tools?.unpack}
  const {metadata, columns, groups} = await checkDirectory(file)
    .then(() => parquetMetadataAsync(file, {geoparquet: false}))
    .then(found => ({metadata: found, columns: topColumns(found), groups: rowGroups(found)}))
    .catch(error => {
      throw undecodable(name, 'its directory', error)
    })
  const scan = await parquetScan({file, metadata, compressors, parsers: textParsers()})
  return {
    columns,
    groups,
    readColumn: (column, group) => readColumn(scan, column, group, {compressors, name})
  }
}

/** A character per byte; the decoder that is called latin1 is that of windows-1252. */
const byteText = (bytes: ArrayBuffer) => String.fromCharCode(...new Uint8Array(bytes))

async function checkParquet(file: AsyncBuffer, name: string): Promise<void> {
  const {byteLength: size} = file
  const head = byteText(await file.slice(0, Math.min(4, size)))
  const refuse = (what: string) => fileError(name, what)
  for (const [magic, method, program] of [
    ['\x1f\x8b', 'gzip', 'gunzip'],
    ['\x28\xb5\x2f\xfd', 'zstd', 'unzstd']
  ])
    if (head.startsWith(magic))
      throw refuse(
        `the file as a whole is compressed with ${method}; Parquet is read from its end and is compressed inside, ` +
          `so it must not be compressed as a whole; decompress it first, with ${program}`
      )
  if (head === 'PARE') throw refuse('the Parquet file is encrypted, which cannot be read; write it without encryption')
  if (head !== 'PAR1')
    throw refuse('this is not a Parquet file: it does not begin with PAR1; check its name, or give `format`')
  const tail = byteText(await file.slice(Math.max(4, size - 4), size))
  if (tail !== 'PAR1')
    throw refuse(
      'the Parquet file is cut short: its end, where its directory stands, is missing; copy or download it again'
    )
}

/** The directory stands before its length, four bytes, and PAR1. */
async function checkDirectory(file: AsyncBuffer): Promise<void> {
  const end = file.byteLength - 8
  const length = new DataView(await file.slice(Math.max(0, end), end + 4)).getUint32(0, true)
  if (length > end) throw new Error(`it should have ${length} bytes`)
  checkThrift(new Uint8Array(await file.slice(end - length, end)))
}

function textParsers() {
  const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})
  const text = (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes)
  return {
    stringFromBytes: text,
    jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && JSON.parse(decoder.decode(bytes)),
    dateFromDays: isoDay
  }
}

/** The day so many days after 1970-01-01, as `2024-01-31`, in years of four digits. Years begin in March here, so that the leap day is their last. */
export function isoDay(days: number): string {
  const DAYS_400 = 146_097
  const since = days + 719_468
  const era = Math.floor(since / DAYS_400)
  const day = since - era * DAYS_400
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365)
  const ofYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const month = Math.floor((5 * ofYear + 2) / 153)
  const date = [
    400 * era + year + (month < 10 ? 0 : 1),
    month < 10 ? month + 3 : month - 9,
    ofYear - Math.floor((153 * month + 2) / 5) + 1
  ]
  if (!(date[0] >= 0 && date[0] <= 9999)) throw new Error(`the day ${days} is in no year of four digits`)
  return date.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0')).join('-')
}

function topColumns({schema}: FileMetaData): string[] {
  const columns: string[] = []
  // The first element is the table; the others follow in depth-first order, each with its number of children.
  for (let at = 1; at < schema.length; ) {
    columns.push(schema[at].name)
    for (let open = 1; open > 0 && at < schema.length; at++) open += (schema[at].num_children ?? 0) - 1
  }
  return columns
}

function rowGroups({row_groups}: FileMetaData): RowGroup[] {
  const groups: RowGroup[] = []
  let firstRow = 0
  for (const [index, {num_rows, columns}] of row_groups.entries()) {
    const ends = columns.map(({meta_data: data}) =>
      data === undefined
        ? 0
        : Number((data.dictionary_page_offset ?? data.data_page_offset) + data.total_compressed_size)
    )
    const rowCount = Number(num_rows)
    groups.push({index, firstRow, rowCount, end: ends.reduce((last, end) => Math.max(last, end), 0)})
    firstRow += rowCount
  }
  return groups
}

async function readColumn(
  scan: ParquetScan,
  column: string,
  group: RowGroup,
  {compressors, name}: {readonly compressors: Compressors; readonly name: string}
): Promise<ArrayLike<unknown>> {
  const {firstRow, rowCount} = group
  try {
    for (const {meta_data: data} of scan.metadata.row_groups[group.index].columns) {
      if (data?.path_in_schema[0] !== column) continue
      if (data.codec !== 'UNCOMPRESSED' && compressors[data.codec] === undefined)
        throw fileError(
          name,
          `the column "${column}" is compressed with ${data.codec}, which cannot be read; known are ` +
            `${['UNCOMPRESSED', ...Object.keys(compressors)].join(', ')}; write the file again, for instance with ZSTD`
        )
    }
    const values = await scan.readColumn({column, rowStart: firstRow, rowEnd: firstRow + rowCount})
    if (values.length === rowCount) return values
    throw new Error(`it holds ${values.length} values for ${rowCount} rows`)
  } catch (error) {
    throw undecodable(name, `column "${column}" of the rows ${firstRow + 1} to ${firstRow + rowCount}`, error)
  }
}

function undecodable(name: string, what: string, error: unknown): AdfaError {
  if (error instanceof AdfaError) return error
  return fileError(
    name,
    `${what} cannot be decoded (${reasonOf(error)}); the file is damaged, or uses a part of Parquet that is not ` +
      'supported; copy it again, or write it anew with DuckDB or pyarrow and their usual settings',
    error
  )
}

/**
 * Check a record in Thrift's compact form, in which Parquet stores its directory, and throw when it does not fit its
 * bytes. Damaged lengths would otherwise make the library that reads it loop.
 */
export function checkThrift(bytes: Uint8Array): void {
  let at = 0

  function move(count: number): void {
    if (count > bytes.length - at) throw new Error(`${count} bytes are announced where ${bytes.length - at} are left`)
    at += count
  }

  function byte(): number {
    move(1)
    return bytes[at - 1]
  }

  /** Seven bits per byte, the lowest first; the eighth says that there is more. */
  function whole(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const next = byte()
      value += (next & 127) * scale
      if (next < 128) return value
      if (scale > 2 ** 63) throw new Error('a whole number has no end')
    }
  }

  function record(): void {
    for (let head = byte(); head !== 0; head = byte()) {
      // The number of the field follows when its distance from the last is not given.
      if (head >> 4 === 0) whole()
      // The value of a boolean field is in its type.
      if ((head & 15) > 2) value(head & 15)
    }
  }

  function list(): void {
    const head = byte()
    const count = head >> 4 === 15 ? whole() : head >> 4
    if (count > bytes.length - at)
      throw new Error(`a list of ${count} is announced where ${bytes.length - at} bytes are left`)
    for (let done = 0; done < count; done++) value(head & 15)
  }

  function value(type: number): void {
    if (type <= 3) move(1)
    else if (type <= 6) whole()
    else if (type === 7) move(8)
    else if (type === 8) move(whole())
    else if (type === 9) list()
    else if (type === 12) record()
    else throw new Error(`there is no type ${type}`)
  }

  record()
}
