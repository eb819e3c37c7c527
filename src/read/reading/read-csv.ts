import {counted, firstNames} from '../../base/text/index.ts'
import type {Row, TableDialect} from '../data/index.ts'
import {type CsvRecord, csvRecords, headerEnd, tableForm} from './csv-records.ts'
import {documentError} from './document-error.ts'
import {peek} from './peek.ts'
import {type TableRows, tableRows} from './read-table.ts'
import type {ReaderContext} from './reader-context.ts'
import {byteOrderMarkLength, recordLimit} from './utf8.ts'

/**
 * Separated values: the first record names the columns, every other record is a document. Spreadsheet programs write commas,
 * semicolons or tabs between cells; without `delimiter`, the first line shows which.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext,
  delimiter?: string
): AsyncGenerator<readonly Row[]> {
  const {name, tools} = context
  const {content, firstLine, dialect} = await openTable(chunks, context, delimiter)
  let columns: readonly string[] = []
  let table: TableRows | undefined
  for await (const records of csvRecords(content, dialect.delimiter.charCodeAt(0), name, {firstLine, tools})) {
    const rows: Row[] = []
    for (const record of records) {
      const where = `${name}:${record.line}`
      if (table === undefined) {
        columns = record.cells.map(cell => cell.trim())
        table = tableRows(columns, context, {where, dialect})
      } else if (columns.length === 1 || record.cells.length > 1 || record.cells[0].trim() !== '') {
        // A line of blanks is not a document, as in other formats; in a table with one column it may be a text.
        checkCellCount(record, columns, where)
        rows.push(table.read(record.cells, where))
      }
    }
    yield rows
  }
  table?.end()
}

interface OpenTable {
  readonly content: AsyncIterable<Uint8Array>
  readonly firstLine: number
  readonly dialect: TableDialect
}

/** A table behind what only describes it: how it is written, and on which line it begins. */
export async function openTable(
  bytes: AsyncIterable<Uint8Array>,
  {name, onNote}: Pick<ReaderContext, 'name' | 'onNote'>,
  given?: string
): Promise<OpenTable> {
  const {head, chunks} = await peek(bytes, recordLimit, start => headerEnd(start) < start.length)
  const {separator, skipped} = given === undefined ? tableForm(head) : {separator: given.charCodeAt(0), skipped: 0}
  const delimiter = String.fromCharCode(separator)
  if (given === undefined && delimiter !== ',')
    onNote?.(`${name}: cells are separated by ${SEPARATORS[delimiter] ?? JSON.stringify(delimiter)}`)
  const lineEnd = head.indexOf(10)
  const dialect: TableDialect = {
    delimiter,
    hasMark: byteOrderMarkLength(head) > 0,
    lineEnd: lineEnd > 0 && head[lineEnd - 1] === 13 ? '\r\n' : '\n'
  }
  return {dialect, firstLine: skipped > 0 ? 2 : 1, content: skipped > 0 ? without(chunks, skipped) : chunks}
}

const SEPARATORS: Readonly<Record<string, string>> = {'\t': 'tabs', ';': 'semicolons'}

async function* without(chunks: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const chunk of chunks) {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    if (skipped < chunk.length) yield chunk.subarray(skipped)
  }
}

function checkCellCount({cells}: CsvRecord, columns: readonly string[], where: string): void {
  if (cells.length !== columns.length)
    throw documentError(
      where,
      `the record that begins here has ${counted(cells.length, 'cell')}`,
      `the first line names ${counted(columns.length, 'column')} (${firstNames(columns)}), so every record needs as many cells; ` +
        (columns.length === 1
          ? 'delete what is above the names of the columns, such as a title, or put cells with separators in quotes'
          : 'put cells that contain the separator in quotes')
    )
}
