import type {ColumnSource} from 'hyparquet-writer'
import {AdfaError} from '../../base/checks/index.ts'
import {grouped} from '../../base/text/index.ts'
import {
  type Cell,
  type CellKind,
  documentError,
  rounded,
  type TableColumn,
  type TableLayout,
  type TableWriter,
  tableLines
} from '../reading/index.ts'
import {type AtomicWriter, type OnFinished, withAtomicWriter} from './write-atomically.ts'

export type TableFormat = 'csv' | 'tsv' | 'xlsx' | 'parquet'

/** The table that a file's name stands for; undefined if for none, which is JSON Lines. */
export function tableFormatOf(path: string): TableFormat | undefined {
  const [, ending, isCompressed] = /\.(\w+)(\.gz)?$/.exec(path.toLowerCase()) ?? []
  if (ending === 'csv' || ending === 'tsv') return ending
  if (ending === 'xls' || ending === 'ods')
    throw new AdfaError('bad-option', `${path}: .${ending} cannot be written; give a name that ends in .xlsx or .csv`)
  const format = ending === 'pq' ? 'parquet' : ending
  if (format !== 'xlsx' && format !== 'parquet') return undefined
  if (isCompressed !== undefined)
    throw new AdfaError('bad-option', `${path}: .${ending} is compressed inside; give a name without .gz`)
  return format
}

export function withTable<T>(
  path: string,
  format: TableFormat,
  layout: TableLayout,
  work: (table: TableWriter) => Promise<T>,
  onFinished?: OnFinished
): Promise<T> {
  const write = async (writer: AtomicWriter) => {
    const table = await openTable(writer, format, layout)
    const result = await work(table)
    await table.end()
    return result
  }
  return withAtomicWriter(path, write, onFinished)
}

async function openTable(writer: AtomicWriter, format: TableFormat, layout: TableLayout): Promise<TableWriter> {
  // The packages of these are loaded when they are used, since most runs write neither.
  if (format === 'xlsx') return openXlsx(writer, layout)
  if (format === 'parquet') return openParquet(writer, layout)
  const {head, line} = tableLines(format, layout)
  await writer.write(head)
  return {row: cells => writer.write(line(cells)), text: lines => writer.write(lines), end: async () => {}}
}

/** A row group ends after so many rows or characters; until then it is in memory. */
const groupRows = 65_536
const groupCharacters = 2 ** 24

const TYPES = {text: 'STRING', number: 'DOUBLE', whole: 'INT64', boolean: 'BOOLEAN'} as const

/** Start to write a Parquet table. Numbers have full precision; an empty cell is null. */
async function openParquet(writer: AtomicWriter, {columns}: TableLayout): Promise<TableWriter> {
  const {ByteWriter, ParquetWriter, schemaFromColumnData} = await import('hyparquet-writer')
  const bytes = new ByteWriter()
  const sources = (rows: readonly (readonly Cell[])[]): ColumnSource[] =>
    columns.map(({name, kind}, at) => ({name, type: TYPES[kind], data: rows.map(row => parquetValue(row[at], kind))}))
  const parquet = new ParquetWriter({writer: bytes, schema: schemaFromColumnData({columnData: sources([])})})
  let rows: (readonly Cell[])[] = []
  let characters = 0

  async function flush(): Promise<void> {
    await writer.write(bytes.getBytes())
    bytes.index = 0
  }

  async function endGroup(): Promise<void> {
    if (rows.length > 0) await parquet.write({columnData: sources(rows), rowGroupSize: rows.length})
    rows = []
    characters = 0
    await flush()
  }

  return {
    async row(cells) {
      rows.push(cells)
      for (const cell of cells) characters += typeof cell === 'string' ? cell.length : 0
      if (rows.length >= groupRows || characters >= groupCharacters) await endGroup()
    },
    async end() {
      await endGroup()
      await parquet.finish()
      await flush()
    }
  }
}

function parquetValue(cell: Cell, kind: CellKind): unknown {
  if (kind === 'text') return cell === undefined ? null : String(cell)
  if (cell === undefined || cell === '') return null
  if (kind === 'boolean') return cell
  return kind === 'whole' ? BigInt(cell) : Number(cell)
}

/** What spreadsheet programs take; the first row names the columns. */
const mostRows = 1_048_576
const mostCharacters = 32_767
/** Larger files need an extension of ZIP. */
const mostBytes = 2 ** 32 - 1
/** Rows gathered before they are compressed. */
const pieceLength = 65_536

const NAMESPACE = 'http://schemas.openxmlformats.org'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const RELATION = `${NAMESPACE}/officeDocument/2006/relationships`
const PACKAGE = `${NAMESPACE}/package/2006`
const MAIN = `${NAMESPACE}/spreadsheetml/2006/main`
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of a workbook beside its sheet. Cells have style 1, bold, in the first row; style 2, two decimals, for probabilities; style 3 wraps text. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><sheets><sheet name="TITLE" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATION}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${RELATION}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml':
    `<styleSheet xmlns="${MAIN}"><fonts count="2"><font/><font><b/></font></fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    '<cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="2" applyNumberFormat="1"/>' +
    '<xf xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs>' +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
}

/** Start to write a spreadsheet of one sheet. Only the piece that is being compressed is in memory. */
async function openXlsx(writer: AtomicWriter, {columns, title = 'tagged'}: TableLayout): Promise<TableWriter> {
  const {Zip, ZipDeflate} = await import('fflate')
  const compressed: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    compressed.push(chunk)
  })
  const add = (name: string) => {
    // The time in a ZIP is local time, so this is the same everywhere; it makes the same table the same bytes.
    const part = new ZipDeflate(name, {level: 6})
    part.mtime = new Date(1980, 0, 1)
    zip.add(part)
    return part
  }
  for (const [name, text] of Object.entries(PARTS))
    add(name).push(Buffer.from(XML + text.replace('TITLE', title)), true)
  const sheet = add('xl/worksheets/sheet1.xml')
  const letters = columns.map((_, at) => columnLetters(at))
  let piece = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widths(columns)}<sheetData>`
  let byteCount = 0
  let rowCount = 0

  async function flush(isLast: boolean): Promise<void> {
    const bytes = Buffer.from(piece)
    piece = ''
    byteCount += bytes.length
    if (byteCount > mostBytes) throw tooLarge('the sheet would be larger than 4 GB')
    sheet.push(bytes, isLast)
    if (isLast) zip.end()
    for (const chunk of compressed.splice(0)) await writer.write(chunk)
  }

  async function row(cells: readonly string[]): Promise<void> {
    rowCount++
    if (rowCount > mostRows) throw tooLarge(`a sheet has at most ${grouped(mostRows)} rows`)
    piece += `<row r="${rowCount}">${cells.join('')}</row>`
    if (piece.length > pieceLength) await flush(false)
  }

  const cellAt = (cell: Cell, at: number) =>
    cellText(cell, `${letters[at]}${rowCount + 1}`, columns[at], `row ${rowCount + 1}`)
  await row(columns.map(({name}, at) => textCell(name, `${letters[at]}1`, ' s="1"')))
  return {
    row: cells => row(cells.map(cellAt)),
    async end() {
      const last = `${letters[letters.length - 1]}${rowCount}`
      piece += `</sheetData><autoFilter ref="A1:${last}"/></worksheet>`
      await flush(true)
    }
  }
}

function widths(columns: readonly TableColumn[]): string {
  const wide = columns.flatMap(({width}, at) =>
    width === undefined ? [] : [`<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`]
  )
  return wide.length === 0 ? '' : `<cols>${wide.join('')}</cols>`
}

function tooLarge(why: string): AdfaError {
  return new AdfaError('cannot-write', `${why}; write .csv or .parquet instead`)
}

function cellText(cell: Cell, place: string, column: TableColumn, where: string): string {
  if (cell === undefined || cell === '') return ''
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  const value = typeof cell === 'number' || column.kind === 'text' || column.kind === 'boolean' ? cell : Number(cell)
  if (typeof value === 'number' && Number.isFinite(value))
    return `<c r="${place}"${column.decimals === undefined ? '' : ' s="2"'}><v>${rounded(value, column)}</v></c>`
  const text = String(value)
  if (text.length > mostCharacters)
    throw documentError(
      where,
      `"${column.name}" has ${grouped(text.length)} characters`,
      `a cell of a spreadsheet holds at most ${grouped(mostCharacters)}; write .csv or .parquet instead, or the tags alone`
    )
  return textCell(text, place, column.wraps ? ' s="3"' : '')
}

function textCell(text: string, place: string, style = ''): string {
  return `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

const ENTITIES: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;'}

/** Characters that XML does not have are written _x000B_, and text that looks like that begins with _x005F_. */
function xmlText(text: string): string {
  return text
    .replace(/_(?=x[\da-fA-F]{4}_)/g, '_x005F_')
    .replace(/[&<>]/g, character => ENTITIES[character])
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to write out.
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      character => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
    )
}

/** A, B, ... Z, AA, AB. */
function columnLetters(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26))
  return at < 26 ? letter : `${columnLetters(Math.floor(at / 26) - 1)}${letter}`
}
