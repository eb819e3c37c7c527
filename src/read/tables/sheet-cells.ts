import {firstNames, grouped} from '../../base/text/index.ts'
import {didYouMean} from '../data/index.ts'
import {fileError, isFilled, reasonOf, type SheetCells} from '../reading/index.ts'

const MEGABYTE = 1024 ** 2
/** A workbook is read as a whole: the cells of its sheet are in memory. */
const FILE_LIMIT = 100 * MEGABYTE
const CONTENT_LIMIT = 256 * MEGABYTE
const MOST_CELLS = 20_000_000
/** Those of Excel. */
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384

/** The files of a ZIP archive by name, those that `isWanted`; together they may have `limit` bytes, decompressed. */
export type Unpack = (
  bytes: Uint8Array,
  name: string,
  limit: number,
  isWanted: (entry: string) => boolean
) => ReadonlyMap<string, Uint8Array>

const latin1 = new TextDecoder('latin1')

export function checkWorkbookSize(size: number, name: string): void {
  if (size > FILE_LIMIT)
    throw fileError(
      name,
      `a workbook may have at most ${FILE_LIMIT / MEGABYTE} MB; save it as CSV, which may have any size`
    )
}

/** The cells of a sheet of a workbook, `.xlsx`; by default of the first. */
export async function sheetCells(
  bytes: Uint8Array,
  {name, worksheet: sheet}: {readonly name: string; readonly worksheet?: string | undefined},
  unpack: Unpack
): Promise<SheetCells> {
  checkWorkbookSize(bytes.length, name)
  const start = latin1.decode(bytes.subarray(0, 4))
  if (start !== 'PK\x03\x04') throw notWorkbook(start, name)
  const files = unpack(bytes, name, CONTENT_LIMIT, entry => /\.(xml|rels)$/i.test(entry))
  for (const [entry, content] of files) if (/worksheets\//i.test(entry)) checkSize(content, name)
  // Loaded here, since most runs read no workbooks. It unpacks the archive again: one that is stored, and checked.
  const [{zipSync}, {readSheet}] = await Promise.all([import('fflate'), import('read-excel-file/universal')])
  const stored = zipSync(Object.fromEntries(files), {level: 0})
  const input = stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength) as ArrayBuffer
  const read = async (which: string | number) => (await readSheet(input, which, {trim: false})) as unknown as SheetCells
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

function notWorkbook(start: string, name: string) {
  // The container of older workbooks, and of workbooks with a password.
  if (start === latin1.decode(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)))
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
  const xml = latin1.decode(content)
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
