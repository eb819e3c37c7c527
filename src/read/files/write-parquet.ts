import type {ColumnSource} from 'hyparquet-writer'
import {ByteWriter, ParquetWriter, schemaFromColumnData} from 'hyparquet-writer'
import type {Cell, CellKind, TableLayout, TableWriter} from '../reading/index.ts'
import type {AtomicWriter} from './write-atomically.ts'

/** A row group ends after so many rows or characters; until then it is in memory. */
const groupRows = 65_536
const groupCharacters = 2 ** 24

const TYPES = {text: 'STRING', number: 'DOUBLE', whole: 'INT64', boolean: 'BOOLEAN'} as const

/** Start to write a Parquet table. Numbers have full precision; an empty cell is null. */
export async function openParquetTable(writer: AtomicWriter, {columns}: TableLayout): Promise<TableWriter> {
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
