import {parseRow, type Row} from '../data/index.ts'
import {AdfaError} from '../numeric/index.ts'
import {type CsvRecord, csvRecords} from './csv-records.ts'
import type {ReaderContext} from './document-reader.ts'

/** Comma-separated values: the first record names the columns, every other record is a document. */
export function readCsv(chunks: AsyncIterable<Uint8Array>, context: ReaderContext): AsyncGenerator<readonly Row[]> {
  return readTable(chunks, ','.charCodeAt(0), context)
}

/** Tab-separated values, with the same quoting rules. */
export function readTsv(chunks: AsyncIterable<Uint8Array>, context: ReaderContext): AsyncGenerator<readonly Row[]> {
  return readTable(chunks, '\t'.charCodeAt(0), context)
}

async function* readTable(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: number,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  let columns: readonly string[] | undefined
  for await (const records of csvRecords(chunks, delimiter, context.name)) {
    const rows: Row[] = []
    for (const record of records) {
      if (columns === undefined) columns = parseHeader(record, context.name)
      else rows.push(toRow(record, columns, context))
    }
    yield rows
  }
}

function parseHeader({line, cells}: CsvRecord, name: string): readonly string[] {
  const columns = cells.map(cell => cell.trim())
  for (const [index, column] of columns.entries()) {
    if (column === '')
      throw tableError(`${name}:${line}`, `column ${index + 1} has no name`, 'the first line must name every column')
    if (columns.indexOf(column) < index)
      throw tableError(`${name}:${line}`, `two columns are named "${column}"`, 'every column needs a name of its own')
  }
  return columns
}

function toRow({line, cells}: CsvRecord, columns: readonly string[], {name, fields, separator}: ReaderContext): Row {
  const where = `${name}:${line}`
  if (cells.length !== columns.length)
    throw tableError(
      where,
      `the record that begins here has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`,
      `the first line names ${columns.length} columns (${columns.join(', ')}), so every record needs as many cells; ` +
        'put cells that contain the separator in quotes'
    )
  // Without a prototype, since a column may have any name, `__proto__` among them.
  const value: Record<string, unknown> = Object.create(null)
  for (const [index, column] of columns.entries()) value[column] = parseCell(cells[index], column, separator, where)
  return parseRow(value, fields, where)
}

function parseCell(cell: string, column: string, separator: string, where: string): unknown {
  switch (column) {
    case 'id':
      return cell === '' ? undefined : cell
    case 'features':
    case 'tags':
      return parseList(cell, column, separator, where)
    case 'labels':
      return cell.trim() === '' ? undefined : parseJsonCell(cell, column, 'an object such as {"concept": true}', where)
    default:
      return cell
  }
}

function parseList(cell: string, column: string, separator: string, where: string): unknown {
  if (cell.trimStart().startsWith('['))
    return parseJsonCell(cell, column, `a JSON array such as ["a", "b"], or items separated by ${separator}`, where)
  const items = cell.split(separator).map(item => item.trim())
  return items.filter(item => item !== '')
}

function parseJsonCell(cell: string, column: string, rule: string, where: string): unknown {
  try {
    return JSON.parse(cell)
  } catch (error) {
    const shown = cell.length > 80 ? `${cell.slice(0, 80)}...` : cell
    throw new AdfaError(
      'bad-document',
      `${where}: the cell "${column}" is not valid JSON; it must be ${rule}; got ${shown}`,
      {cause: error}
    )
  }
}

function tableError(where: string, what: string, rule: string): AdfaError {
  return new AdfaError('bad-document', `${where}: ${what}; ${rule}`)
}
