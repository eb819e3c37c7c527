import type {AdfaError} from '../../base/checks/index.ts'
import {checkFeatureCount, type Row} from '../data/index.ts'
import {documentError, eachLineRange, isPresent, lineBlocks, type ReaderContext, shorten} from '../reading/index.ts'
import {asBuffer, nodeTools} from './node-tools.ts'

const batchSize = 4096

/**
 * Matrix Market, `matrix coordinate pattern|integer|real general`: rows are documents, columns features named by their
 * number from 1; values are 0 or 1. A row without entries is a document without features; its number is its id.
 *
 * Entries may come in any order, so all of them are held while they are sorted by row: 12 bytes per entry and 4 bytes per
 * row. This is the only format whose memory grows with the file.
 */
export async function* readMatrixMarket(
  chunks: AsyncIterable<Uint8Array>,
  {name}: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const matrix = await readMatrix(chunks, name)
  if (matrix === undefined) return
  const columnsOf = matrix.entries.sortByRow(matrix.rowCount)
  for (let from = 1; from <= matrix.rowCount; from += batchSize) {
    const rows: Row[] = []
    for (let row = from; row < Math.min(from + batchSize, matrix.rowCount + 1); row++)
      rows.push(toRow(row, columnsOf(row), name))
    yield rows
  }
}

function toRow(row: number, columns: Uint32Array, name: string): Row {
  checkFeatureCount(columns.length, `${name}, row ${row}`)
  const features: string[] = []
  // Sorted, so that an entry given twice is found, and documents do not depend on the order of the file.
  const sorted = columns.toSorted()
  for (let at = 0; at < sorted.length; at++) {
    if (at > 0 && sorted[at] === sorted[at - 1])
      throw documentError(name, `the entry in row ${row}, column ${sorted[at]} is there twice`, 'remove one')
    features.push(String(sorted[at]))
  }
  return {id: row, text: new Map(), features, tags: undefined, labels: undefined}
}

/** The places of a Matrix Market file that hold a 1. */
interface Matrix {
  readonly rowCount: number
  readonly entries: CoordinateList
}

interface Size {
  readonly rowCount: number
  readonly columnCount: number
  readonly entryCount: number
}

const rowLimit = 100_000_000
const columnLimit = 4_000_000_000
const entryLimit = 1_000_000_000

/** Read the first line, the size line and all entries; undefined for an empty file. */
async function readMatrix(chunks: AsyncIterable<Uint8Array>, name: string): Promise<Matrix | undefined> {
  const head: {hasValues: boolean | undefined; size: Size | undefined} = {hasValues: undefined, size: undefined}
  const entries = coordinateList()
  const numbers = new Float64Array(3)
  let entryCount = 0
  for await (const block of lineBlocks(chunks, {name}, true, nodeTools)) {
    const bytes = asBuffer(block.bytes)
    const visit = (from: number, to: number, line: number) => {
      const {hasValues, size} = head
      if (hasValues === undefined || size === undefined) {
        const text = bytes.toString('utf8', from, to)
        if (hasValues === undefined) head.hasValues = parseBanner(text, `${name}:${line}`)
        else head.size = parseSize(text, `${name}:${line}`)
        return
      }
      // Nearly all lines are plain numbers; only the others become text.
      const count = parseWholeNumbers(block.bytes, from, to, numbers)
      if (count === 0) return
      if (++entryCount > size.entryCount) throw tooMany(size, `${name}:${line}`)
      const isPlainOne = hasValues ? count === 3 && numbers[2] === 1 : count === 2
      if (!isPlainOne) {
        const text = bytes.toString('utf8', from, to)
        if (!parseEntry(text, hasValues, numbers, `${name}:${line}`)) return
      }
      if (!isInside(numbers, size)) throw outside(numbers, size, `${name}:${line}`)
      entries.add(numbers[0], numbers[1])
    }
    eachLineRange(block, visit, nodeTools)
  }
  if (head.hasValues === undefined) return undefined
  return {rowCount: checkSize(head.size, entryCount, name).rowCount, entries}
}

/** Check the first line; returns whether entries have a value. */
function parseBanner(text: string, where: string): boolean {
  const match = /^%%matrixmarket\s+matrix\s+coordinate\s+(pattern|integer|real)\s+general\s*$/i.exec(text)
  if (match !== null) return match[1].toLowerCase() !== 'pattern'
  throw documentError(
    where,
    `the first line is "${shorten(text)}"`,
    'it must be "%%MatrixMarket matrix coordinate pattern general" (or integer or real in place of pattern); ' +
      'write the matrix again in that form'
  )
}

/** The numbers of the size line; undefined for a comment or a blank line. */
function parseSize(text: string, where: string): Size | undefined {
  if (text.startsWith('%') || text.trim() === '') return undefined
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s*$/.exec(text)
  if (match === null)
    throw documentError(
      where,
      `the size line is "${shorten(text)}"`,
      'it must hold three whole numbers: rows, columns, entries'
    )
  const [rowCount, columnCount, entryCount] = match.slice(1).map(Number)
  if (rowCount > rowLimit || columnCount > columnLimit || entryCount > entryLimit)
    throw documentError(
      where,
      `the size line is "${shorten(text)}"`,
      'at most 100 million rows, 4 billion columns and 1 billion entries fit; split the matrix into several files'
    )
  // A file of a few bytes must not stand for hours of empty documents.
  if (rowCount > 1_000_000 && rowCount > 1000 * entryCount)
    throw documentError(
      where,
      `the size line is "${shorten(text)}"`,
      'a matrix of over a million rows needs at least one entry per 1,000 rows; correct the size line, or leave out empty rows'
    )
  return {rowCount, columnCount, entryCount}
}

/**
 * Put up to `numbers.length` whole numbers, separated by blanks, into `numbers`. Returns how many there are, or -1 when
 * the line holds more of them or anything else.
 */
function parseWholeNumbers(bytes: Uint8Array, from: number, to: number, numbers: Float64Array): number {
  let count = 0
  for (let at = from; at < to; ) {
    if (bytes[at] === 0x20 || bytes[at] === 0x09) {
      at++
      continue
    }
    const start = at
    let number = 0
    for (; at < to && bytes[at] >= 0x30 && bytes[at] <= 0x39; at++) number = 10 * number + bytes[at] - 0x30
    const isEnded = at === to || bytes[at] === 0x20 || bytes[at] === 0x09
    if (at === start || !isEnded || count === numbers.length) return -1
    numbers[count++] = number
  }
  return count
}

/** The careful way to read an entry: puts row and column into `numbers` and returns whether the value is 1, not 0. */
function parseEntry(text: string, hasValues: boolean, numbers: Float64Array, where: string): boolean {
  const match = /^\s*(\d+)\s+(\d+)(?:\s+(\S+))?\s*$/.exec(text)
  if (match === null || (match[3] !== undefined) !== hasValues)
    throw documentError(
      where,
      `"${shorten(text)}" is not an entry`,
      `entries are written "row column${hasValues ? ' value' : ''}"; correct the line`
    )
  numbers[0] = Number(match[1])
  numbers[1] = Number(match[2])
  return !hasValues || isPresent(match[3], `row ${match[1]}, column ${match[2]}`, where)
}

function isInside(numbers: Float64Array, {rowCount, columnCount}: Size): boolean {
  return numbers[0] >= 1 && numbers[0] <= rowCount && numbers[1] >= 1 && numbers[1] <= columnCount
}

function outside([row, column]: Float64Array, {rowCount, columnCount}: Size, where: string): AdfaError {
  return documentError(
    where,
    `row ${row}, column ${column} lies outside the matrix`,
    `the size line says ${rowCount} rows and ${columnCount} columns, both counted from 1; correct the entry or the size line`
  )
}

function checkSize(size: Size | undefined, entryCount: number, name: string): Size {
  if (size === undefined)
    throw documentError(name, 'there is no size line', 'after the comments must come a line "rows columns entries"')
  if (entryCount < size.entryCount)
    throw documentError(
      name,
      `there are ${entryCount} entries where the size line says ${size.entryCount}`,
      'the file is cut short; copy or download it again'
    )
  return size
}

function tooMany({entryCount}: Size, where: string): AdfaError {
  return documentError(where, `here is one entry more than the ${entryCount} of the size line`, 'correct the size line')
}

/** Pairs (row, column), both from 1, collected in any order and then read row by row. */
interface CoordinateList {
  add(row: number, column: number): void
  /** Sort by row, once and at the end; the result maps a row to its columns, in the order they were added. */
  sortByRow(rowCount: number): (row: number) => Uint32Array
}

const pageSize = 65_536

/**
 * Pages of typed arrays rather than one that grows: memory is 8 bytes per pair while collecting, 12 while sorting, and
 * does not depend on how many pairs a file claims to have.
 *
 * Counting sort: after the first loop start[r] counts the pairs of row r, after the second it is where row r ends, and
 * placing backwards moves it down to where row r begins. Cost: pairs + rows.
 */
function coordinateList(): CoordinateList {
  const pages: Uint32Array[] = []
  let count = 0
  return {
    add(row, column) {
      const at = count % pageSize
      if (at === 0) pages.push(new Uint32Array(2 * pageSize))
      const page = pages[pages.length - 1]
      page[2 * at] = row
      page[2 * at + 1] = column
      count++
    },
    sortByRow(rowCount) {
      const start = new Uint32Array(rowCount + 2)
      const columns = new Uint32Array(count)
      for (let at = 0; at < count; at++) start[pages[Math.floor(at / pageSize)][2 * (at % pageSize)]]++
      for (let row = 1; row < start.length; row++) start[row] += start[row - 1]
      for (let at = count - 1; at >= 0; at--) {
        const page = pages[Math.floor(at / pageSize)]
        const offset = 2 * (at % pageSize)
        columns[--start[page[offset]]] = page[offset + 1]
      }
      pages.length = 0
      return row => columns.subarray(start[row], start[row + 1])
    }
  }
}
