import type {UnzipFileInfo, Unzipped, unzipSync} from 'fflate'
import {throwIfCancelled} from '../../base/checks/index.ts'
import {firstNames, grouped} from '../../base/text/index.ts'
import {didYouMean, type Row} from '../data/index.ts'
import {latin1} from './bytes.ts'
import {fileError, reasonOf} from './document-error.ts'
import {tableRows} from './read-table.ts'
import {type ReaderContext, wholeBytes} from './source-file.ts'
import {dateText, isDate} from './table-cells.ts'

const MEGABYTE = 1024 ** 2
/** A workbook is read as a whole: the cells of its sheet are in memory. */
const FILE_LIMIT = 100 * MEGABYTE
const CONTENT_LIMIT = 256 * MEGABYTE
const MOST_CELLS = 20_000_000
/** Those of Excel. */
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384
const BATCH = 4096

/** A cell of a workbook; formulas are their results. */
type Cell = string | number | boolean | Date | null
type Cells = readonly (readonly Cell[])[]
type SheetContext = Pick<ReaderContext, 'name' | 'worksheet'>

/**
 * The documents of a sheet of a workbook, `.xlsx`: the first row with content names the columns, every other one is a document.
 * Dates become `2024-02-29` or `2024-02-29T13:45:00`. Columns without a name and without a value are left out.
 */
export async function* readXlsx(
  content: AsyncIterable<Uint8Array>,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const {name, signal} = context
  const cells = await sheetCells(content, context)
  const header = cells.findIndex(isFilled)
  if (header < 0) return
  const places = cells[header].flatMap((_, at) =>
    cells.some((row, line) => line >= header && isFilledCell(row[at])) ? [at] : []
  )
  const columns = places.map(at => cellText(cells[header][at]).trim())
  const table = tableRows(columns, context, {where: `${name}, row ${header + 1}`, isSheet: true})
  const plain = (cell: Cell = null) => (isDate(cell) ? cellText(cell) : cell)
  for (let from = header + 1; from < cells.length; from += BATCH) {
    throwIfCancelled(signal)
    const batch: Row[] = []
    for (let at = from; at < Math.min(from + BATCH, cells.length); at++)
      if (isFilled(cells[at]))
        batch.push(
          table.read(
            places.map(place => plain(cells[at][place])),
            `${name}, row ${at + 1}`
          )
        )
    yield batch
  }
  table.end()
}

function isFilled(row: readonly Cell[]): boolean {
  return row.some(isFilledCell)
}

function isFilledCell(cell: Cell | undefined): boolean {
  return cell !== null && cell !== undefined && cell !== ''
}

function cellText(cell: Cell): string {
  if (isDate(cell)) return dateText(cell)?.replace(/(\.000)?Z$/, '') ?? ''
  return cell === null ? '' : String(cell)
}

/** The cells of a sheet; by default of the first. */
async function sheetCells(content: AsyncIterable<Uint8Array>, {name, worksheet: sheet}: SheetContext): Promise<Cells> {
  const bytes = await wholeBytes(content, name, FILE_LIMIT)
  if (latin1(bytes.subarray(0, 4)) !== 'PK\x03\x04')
    throw fileError(
      name,
      'not an Excel workbook (.xlsx): it is another file, an older .xls, or has a password; save it as .xlsx without a password, or as CSV'
    )
  // Loaded here, since most runs read no workbooks. The reader unpacks the archive again: one that is stored, and checked.
  const [{unzipSync, zipSync}, {readSheet}] = await Promise.all([import('fflate'), import('read-excel-file/universal')])
  const files = unpacked(bytes, name, unzipSync)
  for (const [entry, part] of Object.entries(files)) if (/worksheets\//i.test(entry)) checkSize(part, name)
  const stored = zipSync(files, {level: 0})
  const input = stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength) as ArrayBuffer
  const read = async (which: string | number) => (await readSheet(input, which, {trim: false})) as unknown as Cells
  const rows = await read(sheet ?? 1).catch(error => {
    throw sheetError(error, name, sheet)
  })
  if (rows.filter(isFilled).length > 1) return rows
  const names = await read(NO_SHEET).then(() => [], sheetsOf)
  const others = names.filter(other => other !== (sheet ?? names[0]))
  if (others.length === 0) return rows
  throw fileError(
    name,
    `the sheet "${sheet ?? names[0]}" holds no documents; others are ${firstNames(others)}: name one with \`worksheet\``
  )
}

/** The parts of a workbook. Sizes are those that the archive announces: what is longer is cut there, and refused as damaged. */
function unpacked(bytes: Uint8Array, name: string, unzip: typeof unzipSync): Unzipped {
  let room = CONTENT_LIMIT
  const filter = ({name: entry, originalSize}: UnzipFileInfo) => {
    const isWanted = /\.(xml|rels)$/i.test(entry)
    if (isWanted) room -= originalSize
    return isWanted && room >= 0
  }
  try {
    const files = unzip(bytes, {filter})
    if (room >= 0) return files
  } catch (error) {
    throw fileError(name, 'the archive is damaged or cut short; copy it again, or save it again', error)
  }
  const limit = `at most ${CONTENT_LIMIT / MEGABYTE} MB of content are read`
  throw fileError(name, `the workbook is larger, decompressed: ${limit}; save it as CSV, which may have any size`)
}

/** Longer than a name in Excel may be: asking for it brings the names that there are. */
const NO_SHEET = '-'.repeat(32)

/** The names of all sheets, in the error for one that does not exist. */
function sheetsOf(error: unknown): string[] {
  return error instanceof Error && 'sheets' in error && Array.isArray(error.sheets) ? error.sheets.map(String) : []
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
  const xml = new TextDecoder('latin1').decode(content)
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
