import {counted, firstNames} from '../../base/text/index.ts'
import {
  checkFeatureCount,
  fieldNames,
  keyFields,
  parseRow,
  type Row,
  type RowFields,
  separatorOf,
  type TableDialect,
  tagSeparatorOf,
  VOTES
} from '../data/index.ts'
import {type CsvRecord, csvRecords, headerEnd, tableForm} from './csv-records.ts'
import {documentError, shorten} from './document-error.ts'
import type {DocumentReader, ReaderContext} from './format.ts'
import {peek} from './peek.ts'
import {namedColumns} from './table-columns.ts'
import {byteOrderMarkLength, recordLimit} from './utf8.ts'

/**
 * Comma-separated values: the first record names the columns, every other record is a document. Spreadsheet programs also
 * write semicolons or tabs between cells; the first line shows which.
 */
export const readCsv: DocumentReader = (chunks, context) => readTable(chunks, undefined, context)

/** Tab-separated values, with the same quoting rules. */
export const readTsv: DocumentReader = (chunks, context) => readTable(chunks, '\t'.charCodeAt(0), context)

/** Turns the cells of a record into a document; they are as many as there are columns. */
type TableLayout = (cells: readonly string[], where: string) => Row

/** Records below a first one that names the columns, each turned into a document by the layout of the columns. */
async function* readTable(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: number | undefined,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const {name, tools} = context
  let columns: readonly string[] | undefined
  let layout: TableLayout | undefined
  let dialect: TableDialect | undefined
  let start: Uint8Array | undefined
  const onStart = (bytes: Uint8Array) => {
    start = bytes
  }
  const bytes = context.fields.keepsRecords ? withStart(chunks, onStart) : chunks
  const {separator, firstLine, content} = await openTable(bytes, delimiter, context)
  for await (const records of csvRecords(content, separator, name, {firstLine, tools})) {
    if (start !== undefined) dialect ??= {...writtenLike(start), delimiter: String.fromCharCode(separator)}
    const rows: Row[] = []
    for (const record of records) {
      const where = `${context.name}:${record.line}`
      if (columns === undefined || layout === undefined) {
        columns = parseHeader(record, where)
        layout = plainLayout(columns, context, {where, separator})
      } else if (columns.length === 1 || record.cells.length > 1 || record.cells[0].trim() !== '') {
        // A line of blanks is no document, as in other formats; in a table with one column it may be a text.
        checkCellCount(record, columns, where)
        const row = layout(record.cells, where)
        rows.push(dialect === undefined ? row : {...row, record: {columns, values: record.cells, dialect}})
      }
    }
    yield rows
  }
}

/** The same pieces of bytes; calls `onStart` with the first. */
async function* withStart(
  chunks: AsyncIterable<Uint8Array>,
  onStart: (bytes: Uint8Array) => void
): AsyncGenerator<Uint8Array> {
  let isStart = true
  for await (const chunk of chunks) {
    if (isStart) onStart(chunk)
    isStart = false
    yield chunk
  }
}

function writtenLike(bytes: Uint8Array): Omit<TableDialect, 'delimiter'> {
  const end = bytes.indexOf(10)
  return {hasMark: byteOrderMarkLength(bytes) > 0, lineEnd: end > 0 && bytes[end - 1] === 13 ? '\r\n' : '\n'}
}

/** A table behind what only describes it: how its cells are separated, and on which line it begins. */
export async function openTable(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: number | undefined,
  {name, onNote}: Pick<ReaderContext, 'name' | 'onNote'>
) {
  if (delimiter !== undefined) return {separator: delimiter, firstLine: 1, content: chunks}
  const {head, chunks: all} = await peek(chunks, recordLimit, start => headerEnd(start) < start.length)
  const {separator, skipped} = tableForm(head)
  if (separator !== comma)
    onNote?.(
      `${name}: cells are separated by ${SEPARATORS[separator] ?? JSON.stringify(String.fromCharCode(separator))}`
    )
  return {separator, firstLine: skipped > 0 ? 2 : 1, content: skipped > 0 ? without(all, skipped) : all}
}

const SEPARATORS: Readonly<Record<number, string>> = {9: 'tabs', 59: 'semicolons'}

async function* without(chunks: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const chunk of chunks) {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    if (skipped < chunk.length) yield chunk.subarray(skipped)
  }
}

function parseHeader({cells}: CsvRecord, where: string): readonly string[] {
  const columns = cells.map(cell => cell.trim())
  checkHeader(columns, where)
  return columns
}

/** Refuses columns without a name, or with the same. */
export function checkHeader(columns: readonly string[], where: string): void {
  checkFeatureCount(columns.length, where, 'table', 'columns')
  const seen = new Set<string>()
  for (const [index, column] of columns.entries()) {
    if (column === '')
      throw documentError(
        where,
        `column ${index + 1} has no name`,
        'the first line must name every column; delete what is above it, such as a title'
      )
    if (seen.size === seen.add(column).size)
      throw documentError(where, `two columns are named "${column}"`, 'every column needs a name of its own')
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

/** Every column is the field of that name. */
function plainLayout(
  columns: readonly string[],
  context: ReaderContext,
  header: {readonly where: string; readonly separator: number}
): TableLayout {
  const names = namedColumns(columns, context, header.where)
  const {fields, onNote, name: file} = context
  const numbers = new Set(header.separator === comma ? [] : fields.numbers?.map(({field}) => field))
  const watchTags = separatorWatch(fields, note => onNote?.(`${file}: ${note}`))
  const {tags} = keyFields(fields)
  let isNoted = false
  return (cells, where) => {
    // Without a prototype, since a column may have any name, `__proto__` among them.
    const value: Record<string, unknown> = Object.create(null)
    for (const [index, name] of names.entries()) {
      const cell = cells[index]
      value[name] = parseCell(cell, name, fields, where)
      if (name === tags) watchTags(cell)
      if (!numbers.has(name) || !DECIMAL_COMMA.test(cell)) continue
      value[name] = cell.replaceAll('.', '').replace(',', '.')
      if (!isNoted) onNote?.(`${file}: numbers have decimal commas: ${cell.trim()} is ${value[name]}`)
      isNoted = true
    }
    return parseRow(value, fields, where)
  }
}

/** Watches the first cells of tags: where none has the separator and most have another, a note asks about it. */
function separatorWatch(fields: RowFields, onNote: (note: string) => void): (cell: string) => void {
  const [used, {tags}] = [tagSeparatorOf(fields), keyFields(fields)]
  const others = [',', ';', '|'].filter(separator => separator !== used).map(separator => ({separator, cells: 0}))
  let seen = 0
  return cell => {
    if (seen >= WATCHED_CELLS || cell.trim() === '' || cell.trimStart().startsWith('[')) return
    seen = cell.includes(used) ? WATCHED_CELLS : seen + 1
    for (const other of others) if (cell.includes(other.separator)) other.cells++
    const likely = others.find(({cells}) => cells > WATCHED_CELLS / 2)
    if (seen === WATCHED_CELLS && !cell.includes(used) && likely !== undefined)
      onNote(
        `most cells of "${tags}" contain "${likely.separator}" and none "${used}", which separates tags; to separate them by "${likely.separator}", use \`tagSeparator\` '${likely.separator}'`
      )
  }
}

const WATCHED_CELLS = 50

/** A number with a decimal comma, perhaps with points between thousands: `12,5`, `1.234,5`. */
const DECIMAL_COMMA = /^\s*[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+(?:e[+-]?\d+)?\s*$/i

/** The value of a text cell, by the meaning of its column. */
export function parseCell(cell: string, column: string, fields: RowFields, where: string): unknown {
  const {id, tags} = keyFields(fields)
  if (fields.lists?.includes(column) || column === 'features')
    return parseList(cell, column, separatorOf(fields), where)
  if (column === tags) return parseList(cell, column, tagSeparatorOf(fields), where)
  // A column of that name may also hold something else, such as numbers.
  if (column === VOTES && cell.trimStart().startsWith('{') && !fieldNames(fields).includes(VOTES))
    return parseJsonCell(cell, column, 'an object such as {"source": "class"}', where)
  if (fields.votes?.includes(column)) return /^\s*(?:true|false)\s*$/i.test(cell) ? cell.toLowerCase() : cell
  if (column === 'labels')
    return cell.trim() === '' ? undefined : parseJsonCell(cell, column, 'an object such as {"concept": true}', where)
  return column === id && cell === '' ? undefined : cell
}

/** The items of a list in one cell: a JSON array, or items between separators. */
function parseList(cell: string, column: string, separator: string, where: string): unknown {
  // An item may begin with a bracket, too: [[prototype]].
  if (/^\s*\[\s*(?:["\]]|-?\d)/.test(cell))
    return parseJsonCell(cell, column, `a JSON array such as ["a", "b"], or items separated by ${separator}`, where)
  const items = cell.split(separator).map(item => item.trim())
  return items.filter(item => item !== '')
}

function parseJsonCell(cell: string, column: string, rule: string, where: string): unknown {
  try {
    return JSON.parse(cell)
  } catch (error) {
    throw documentError(
      where,
      `the cell "${column}" is not valid JSON`,
      `it must be ${rule}; got ${shorten(cell)}`,
      error
    )
  }
}

const comma = ','.charCodeAt(0)
