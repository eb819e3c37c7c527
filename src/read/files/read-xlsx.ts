import {stat} from 'node:fs/promises'
import {throwIfCancelled} from '../../base/checks/index.ts'
import {firstNames, grouped} from '../../base/text/index.ts'
import {checkFeatureCount, didYouMean, parseRow, type Row, type RowFields, valueFieldNames} from '../data/index.ts'
import {
  type CsvRecord,
  checkHeader,
  fileError,
  namedColumns,
  parseCell,
  type ReaderContext,
  reasonOf
} from '../reading/index.ts'
import type {FileContext} from './file-context.ts'
import {readBinaryFile} from './read-bytes.ts'
import {unpackZip} from './unpack-zip.ts'

const MEGABYTE = 1024 ** 2
/** A workbook is read as a whole: the cells of its sheet are in memory. */
const FILE_LIMIT = 100 * MEGABYTE
const CONTENT_LIMIT = 256 * MEGABYTE
const MOST_CELLS = 20_000_000
/** Those of Excel. */
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384

const BATCH = 4096

type Cell = string | number | boolean | Date | null

/**
 * A sheet of an Excel workbook, `.xlsx`: the first row with content names the columns, every other one is a document. Numbers
 * stay numbers, dates become `2024-02-29` or `2024-02-29T13:45:00`, formulas are their results.
 */
export async function* readXlsx(path: string, context: FileContext): AsyncGenerator<readonly Row[]> {
  const {name, signal, onRead} = context
  const {size} = await stat(path)
  throwIfCancelled(signal)
  const rows = await sheetRows(path, context)
  onRead(size)
  const header = rows.findIndex(row => row.some(isFilled))
  if (header < 0) return
  const columns = columnsOf(rows, header, context)
  for (let from = header + 1; from < rows.length; from += BATCH) {
    throwIfCancelled(signal)
    const batch: Row[] = []
    for (let at = from; at < Math.min(from + BATCH, rows.length); at++)
      if (rows[at].some(isFilled)) batch.push(toRow(rows[at], columns, context.fields, `${name}, row ${at + 1}`))
    yield batch
  }
}

/** The records of a workbook's first sheet, as of a table of text. */
export async function readXlsxRecords(path: string): Promise<CsvRecord[]> {
  const rows = await sheetRows(path, {name: path})
  return rows.map((cells, at) => ({line: at + 1, cells: cells.map(textOf)}))
}

async function sheetRows(
  path: string,
  {name, worksheet: sheet}: Pick<FileContext, 'name' | 'worksheet'>
): Promise<readonly (readonly Cell[])[]> {
  const {size} = await stat(path)
  if (size > FILE_LIMIT)
    throw fileError(
      name,
      `a workbook may have at most ${FILE_LIMIT / MEGABYTE} MB; save it as CSV, which may have any size`
    )
  const bytes = Buffer.from(await readBinaryFile(path))
  if (bytes.length > FILE_LIMIT || bytes.toString('latin1', 0, 4) !== 'PK\x03\x04') throw notWorkbook(bytes, name)
  const files = unpackZip(bytes, name, CONTENT_LIMIT, entry => /\.(xml|rels)$/i.test(entry))
  for (const [entry, content] of files) if (/worksheets\//i.test(entry)) checkSize(content, name)
  // Loaded here, since most runs read no workbooks. It unpacks the archive again: one that is stored, and checked.
  const [{zipSync}, {readSheet}] = await Promise.all([import('fflate'), import('read-excel-file/universal')])
  const stored = zipSync(Object.fromEntries(files), {level: 0})
  const input = stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength) as ArrayBuffer
  const read = async (which: string | number) =>
    (await readSheet(input, which, {trim: false})) as unknown as readonly (readonly Cell[])[]
  const rows = await read(sheet ?? 1).catch(error => {
    throw sheetError(error, name, sheet)
  })
  if (rows.filter(row => row.some(isFilled)).length > 1) return rows
  const names = await read(NO_SHEET).then(() => [], sheetsOf)
  const others = names.filter(other => other !== (sheet ?? names[0]))
  if (others.length === 0) return rows
  throw fileError(
    name,
    `the sheet "${sheet ?? names[0]}" holds no documents; others are ${firstNames(others)}: name one with \`worksheet\``
  )
}

/** Longer than a name in Excel may be: asking for it brings the names that there are. */
const NO_SHEET = '-'.repeat(32)

/** The names of all sheets, in the error for one that does not exist. */
function sheetsOf(error: unknown): string[] {
  return error instanceof Error && 'sheets' in error && Array.isArray(error.sheets) ? error.sheets.map(String) : []
}

function notWorkbook(bytes: Buffer, name: string) {
  if (bytes.length > FILE_LIMIT)
    return fileError(
      name,
      `a workbook may have at most ${FILE_LIMIT / MEGABYTE} MB; save it as CSV, which may have any size`
    )
  // The container of older workbooks, and of workbooks with a password.
  if (bytes.toString('hex', 0, 4) === 'd0cf11e0')
    return fileError(
      name,
      'the workbook has a password or is an older .xls file; save it as .xlsx without a password, or as CSV'
    )
  return fileError(name, 'not an Excel workbook (.xlsx); check that this is the right file, or save it again')
}

function sheetError(error: unknown, name: string, sheet: string | undefined) {
  const names = sheetsOf(error)
  if (sheet !== undefined && names.length > 0)
    return fileError(
      name,
      `there is no sheet "${sheet}"; it has ${firstNames(names)}${didYouMean(sheet, names)}`,
      error
    )
  return fileError(name, `the workbook cannot be read (${reasonOf(error)}); save it again, or as CSV`, error)
}

/**
 * Refuses a sheet whose last row and column are too far out: the reader fills all cells up to them, and a few bytes can
 * name any row.
 */
function checkSize(content: Uint8Array, name: string): void {
  const xml = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1')
  let rows = 0
  let columns = 0
  for (const [, attributes] of xml.matchAll(/<(?:[\w.-]+:)?(?:row|c)(?=\s)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g))
    for (const [, place] of attributes.matchAll(/(?<=^|\s)r\s*=\s*["']([^"']*)["']/g)) {
      const [, letters, digits] = /^([A-Z]{0,3})(\d{1,7})$/i.exec(place) ?? ['', 'A', 'NaN']
      rows = Math.max(rows, Number(digits))
      columns = Math.max(columns, columnNumber(letters))
      if (!(rows <= MOST_ROWS && columns <= MOST_COLUMNS))
        throw fileError(
          name,
          `a sheet has a cell at "${place.slice(0, 40)}", which does not exist; save the workbook again`
        )
    }
  if (rows * columns > MOST_CELLS)
    throw fileError(
      name,
      `a sheet has ${grouped(rows)} rows and ${grouped(columns)} columns, and at most ${grouped(MOST_CELLS)} cells are read; ` +
        'remove what lies far outside the table, or save it as CSV'
    )
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters.toUpperCase()) number = 26 * number + letter.charCodeAt(0) - 64
  return number
}

function isFilled(cell: Cell | undefined): boolean {
  return cell !== null && cell !== undefined && cell !== ''
}

interface Column {
  readonly name: string
  readonly at: number
}

/** The columns by the names asked for; those without a name and without a value are left out. */
function columnsOf(rows: readonly (readonly Cell[])[], header: number, context: ReaderContext): readonly Column[] {
  const where = `${context.name}, row ${header + 1}`
  const filled = rows[header]
    .map((_, at) => at)
    .filter(at => rows.some((row, line) => line >= header && isFilled(row[at])))
  const names = filled.map(at => textOf(rows[header][at]).trim())
  checkFeatureCount(names.length, where, 'table', 'columns')
  checkHeader(names, where)
  return namedColumns(names, context, where).map((name, index) => ({name, at: filled[index]}))
}

function toRow(cells: readonly Cell[], columns: readonly Column[], fields: RowFields, where: string): Row {
  const {lists = []} = fields
  const values = valueFieldNames(fields).filter(name => !lists.includes(name))
  // Without a prototype, since a column may have any name.
  const value: Record<string, unknown> = Object.create(null)
  for (const {name, at} of columns) {
    const cell = cells[at] ?? null
    // Categories and numbers keep their type; all else is text, as in other tables.
    value[name] = values.includes(name) && !(cell instanceof Date) ? cell : parseCell(textOf(cell), name, fields, where)
  }
  return parseRow(value, fields, where)
}

function textOf(cell: Cell): string {
  if (!(cell instanceof Date)) return cell === null ? '' : String(cell)
  if (Number.isNaN(cell.getTime())) return ''
  const [day, time] = cell.toISOString().split('T')
  return time.startsWith('00:00:00') ? day : `${day}T${time.replace(/(\.000)?Z$/, '')}`
}
