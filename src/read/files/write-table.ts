import {AdfaError} from '../../base/checks/index.ts'
import {type TableLayout, type TableWriter, tableLines} from '../reading/index.ts'
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
  // Loaded here, since most runs write neither.
  if (format === 'xlsx') return (await import('./write-xlsx.ts')).openXlsx(writer, layout)
  if (format === 'parquet') return (await import('./write-parquet.ts')).openParquetTable(writer, layout)
  return openText(writer, format, layout)
}

async function openText(writer: AtomicWriter, format: 'csv' | 'tsv', layout: TableLayout): Promise<TableWriter> {
  const {head, line} = tableLines(format, layout)
  await writer.write(head)
  return {row: cells => writer.write(line(cells)), text: lines => writer.write(lines), end: async () => {}}
}
