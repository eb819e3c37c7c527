import type {UnzipFileInfo, Unzipped, unzipSync} from 'fflate'
import {throwIfCancelled} from '../../base/checks/index.ts'
import {firstNames, grouped} from '../../base/text/index.ts'
import {didYouMean, type Row} from '../data/index.ts'
import {fileError, latin1, reasonOf} from './bytes.ts'
import {tableRows} from './read-table.ts'
import {type ReaderContext, wholeBytes} from './source-file.ts'
import {dateText, isDate} from './table-cells.ts'

const MEGABYTE = 1024 ** 2
/** A workbook is read as a whole: the cells of its sheet are in memory. */
const FILE_LIMIT = 100 * MEGABYTE
const CONTENT_LIMIT = 256 * MEGABYTE
const MOST_CELLS = 20_000_000
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384
const BATCH = 4096

/** A cell of a workbook; formulas are their results, dates are text. */
type Cell = string | number | boolean | null

/** The first row with content names the columns; those without a name and without a value are left out. */
export async function* readXlsx(
  content: AsyncIterable<Uint8Array>,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const {name, signal} = context
  const rows = await sheetRows(content, context)
  const header = rows.findIndex(isFilled)
  if (header < 0) return
  const below = rows.slice(header)
  const places = [...rows[header].keys()].filter(at => below.some(row => isFilled([row[at]])))
  const columns = places.map(at => String(rows[header][at] ?? '').trim())
  const table = tableRows(columns, context, {where: `${name}, row ${header + 1}`, isSheet: true})
  for (let from = header + 1; from < rows.length; from += BATCH) {
    throwIfCancelled(signal)
    const batch: Row[] = []
    for (const [at, row] of rows.slice(from, from + BATCH).entries()) {
      const cells = places.map(place => row[place] ?? null)
      if (isFilled(row)) batch.push(table.read(cells, `${name}, row ${from + at + 1}`))
    }
    yield batch
  }
  table.end()
}

function isFilled(row: readonly Cell[]): boolean {
  return row.some(cell => (cell ?? '') !== '')
}

async function sheetRows(
  content: AsyncIterable<Uint8Array>,
  {name, worksheet: sheet}: ReaderContext
): Promise<Cell[][]> {
  const bytes = await wholeBytes(content, name, FILE_LIMIT)
  if (latin1(bytes.subarray(0, 4)) !== 'PK\x03\x04')
    throw fileError(
      name,
      'not an Excel workbook (.xlsx): it is another file, an older .xls, or has a password; save it as .xlsx without a password, or as CSV'
    )
  // Loaded here, since most runs read no workbooks. The reader unpacks the archive again: one that is stored, and checked.
  const [{unzipSync, zipSync}, {default: readSheets, readSheet}] = await Promise.all([
    import('fflate'),
    import('read-excel-file/universal')
  ])
  const files = unpacked(bytes, name, unzipSync)
  for (const [entry, part] of Object.entries(files))
    if (/worksheets\/|sharedStrings/i.test(entry)) checkSheet(part, name)
  const stored = zipSync(files, {level: 0})
  const input = stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength) as ArrayBuffer
  const found = await readSheet(input, sheet ?? 1, {trim: false}).catch(error => {
    throw sheetError(error, name, sheet)
  })
  const rows = found.map(row => row.map(plainCell))
  if (rows.filter(isFilled).length > 1) return rows
  const names = (await readSheets(input)).map(({sheet}) => sheet)
  const others = names.filter(other => other !== (sheet ?? names[0]))
  if (others.length === 0) return rows
  throw fileError(
    name,
    `the sheet "${sheet ?? names[0]}" holds no documents; others are ${firstNames(others)}: name one with \`worksheet\``
  )
}

function plainCell(value: unknown): Cell {
  if (isDate(value)) return dateText(value)?.replace(/(\.000)?Z$/, '') ?? null
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : null
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

function sheetError(error: unknown, name: string, sheet: string | undefined) {
  if (sheet !== undefined && error instanceof Error && 'sheets' in error && Array.isArray(error.sheets)) {
    const names = error.sheets.map(String)
    const rule = `it has ${firstNames(names)}${didYouMean(sheet, names)}`
    return fileError(name, `there is no sheet "${sheet}"; ${rule}`, error)
  }
  return fileError(name, `the workbook cannot be read (${reasonOf(error)}); save it again, or as CSV`, error)
}

const TAG = /<(?:(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)|[?!][^>]*)>/g

/**
 * Refuses XML that is not well-formed, of which the reader would drop cells, and a sheet whose last row and column are too far
 * out: the reader fills all cells up to them, and a few bytes can name any row.
 */
function checkSheet(content: Uint8Array, name: string): void {
  const xml = new TextDecoder('latin1').decode(content)
  let [rows, columns, depth, left] = [0, 0, 0, 0]
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) left++
  for (const [, end, tag, attributes, isEmpty] of xml.matchAll(TAG)) {
    left--
    if (tag === undefined) continue
    depth += end ? -1 : isEmpty ? 0 : 1
    if (end || !/(?:^|:)(?:row|c)$/.test(tag)) continue
    for (const [, place] of attributes.matchAll(/(?<=\s)r\s*=\s*["']([^"']*)["']/g)) {
      const [, letters, digits] = /^([A-Z]{0,3})(\d{1,7})$/i.exec(place) ?? ['', 'A', 'NaN']
      rows = Math.max(rows, Number(digits))
      columns = Math.max(columns, columnNumber(letters))
      if (!(rows <= MOST_ROWS && columns <= MOST_COLUMNS))
        throw fileError(
          name,
          `a sheet has a cell at "${place.slice(0, 40)}", which does not exist; save the workbook again`
        )
    }
  }
  if (left !== 0 || depth !== 0)
    throw fileError(
      name,
      'the XML of a sheet is damaged, so that rows would be lost; copy the workbook again, or save it again'
    )
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
