/**
 * A Matrix Market file, `matrix coordinate pattern|integer|real general`: every row is a document with its number as `id`, and as
 * `features` the numbers of the columns in which it has a 1. All entries are held in memory, since they come in any order:
 *
 *     npx tsx examples/convert/matrix-market.ts notes.mtx > notes.jsonl
 */
import {linesOf, writeDocuments} from './lines.ts'

interface Size {
  readonly rows: number
  readonly columns: number
  readonly entries: number
}

export async function* matrixMarket(path: string): AsyncGenerator<object> {
  let hasValues: boolean | undefined
  let size: Size | undefined
  let entries = 0
  const columnsOf = new Map<number, number[]>()
  for await (const {text, where} of linesOf(path)) {
    if (hasValues === undefined) hasValues = bannerOf(text, where)
    else if (text.startsWith('%') || text.trim() === '') continue
    else if (size === undefined) size = sizeOf(text, where)
    else {
      if (++entries > size.entries)
        throw new Error(`${where}: the size line says ${size.entries} entries; here is one more`)
      const {row, column, isPresent} = entryOf(text, hasValues, size, where)
      if (!isPresent) continue
      const columns = columnsOf.get(row) ?? []
      if (columns.includes(column)) throw new Error(`${where}: row ${row}, column ${column} is there twice; remove one`)
      columns.push(column)
      columnsOf.set(row, columns)
    }
  }
  if (size === undefined || entries < size.entries)
    throw new Error(
      `${path}: ${entries} entries, and the size line says ${size?.entries ?? 'nothing'}; copy the file again`
    )
  for (let row = 1; row <= size.rows; row++) {
    const columns = columnsOf.get(row) ?? []
    yield {id: row, features: columns.sort((a, b) => a - b).map(String)}
  }
}

/** Checks the first line; returns whether entries have a value. */
function bannerOf(text: string, where: string): boolean {
  const [, kind] = /^%%matrixmarket\s+matrix\s+coordinate\s+(pattern|integer|real)\s+general\s*$/i.exec(text) ?? []
  if (kind !== undefined) return kind.toLowerCase() !== 'pattern'
  throw new Error(
    `${where}: the first line must be "%%MatrixMarket matrix coordinate pattern general", or integer or real`
  )
}

function sizeOf(text: string, where: string): Size {
  const numbers = /^\s*(\d+)\s+(\d+)\s+(\d+)\s*$/.exec(text)
  if (numbers === null) throw new Error(`${where}: the size line must hold three whole numbers: rows, columns, entries`)
  const [rows, columns, entries] = numbers.slice(1).map(Number)
  return {rows, columns, entries}
}

function entryOf(text: string, hasValues: boolean, size: Size, where: string) {
  const match = /^\s*(\d+)\s+(\d+)(?:\s+(\S+))?\s*$/.exec(text)
  if (match === null || (match[3] !== undefined) !== hasValues)
    throw new Error(`${where}: an entry is "row column${hasValues ? ' value' : ''}"; got ${text.slice(0, 80)}`)
  const [row, column] = [Number(match[1]), Number(match[2])]
  const value = hasValues ? Number(match[3]) : 1
  if (value !== 0 && value !== 1)
    throw new Error(`${where}: the value is ${match[3]}; values must be 0 or 1; binarise first`)
  if (row < 1 || row > size.rows || column < 1 || column > size.columns)
    throw new Error(
      `${where}: row ${row}, column ${column} is outside of ${size.rows} rows and ${size.columns} columns`
    )
  return {row, column, isPresent: value === 1}
}

await writeDocuments(import.meta.url, 'notes.mtx', matrixMarket)
