import type {ColumnSource} from 'hyparquet-writer'
import {AdfaError} from '../../base/checks/index.ts'
import {type Cell, type CellKind, type TableLayout, type TableWriter, tableLines} from '../reading/index.ts'
import {type AtomicWriter, withAtomicWriter} from './write-atomically.ts'

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

/** Write a table that appears whole or not at all, in the format that its name stands for. */
export function withTable<T>(
  path: string,
  format: TableFormat,
  layout: TableLayout,
  work: (table: TableWriter) => Promise<T>
): Promise<T> {
  return withAtomicWriter(path, async writer => {
    const table = await openTable(writer, format, layout)
    const result = await work(table)
    await table.end()
    return result
  })
}

async function openTable(writer: AtomicWriter, format: TableFormat, layout: TableLayout): Promise<TableWriter> {
  // Their packages are loaded here, since most runs write neither.
  if (format === 'xlsx') return (await import('./write-xlsx.ts')).openXlsx(writer, layout)
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
