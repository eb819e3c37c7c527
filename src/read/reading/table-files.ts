import type {Row} from '../data/index.ts'
import type {FileContext} from './format.ts'
import {type ParquetFile, parquetRows, type RowGroup} from './parquet-rows.ts'
import {type SheetCells, sheetRows} from './sheet-rows.ts'
import type {SourceFile} from './source-bytes.ts'

/** Formats that need libraries of their own. */
export type LibraryFormat = 'parquet' | 'xlsx'

/** The libraries, on whatever thread: `createTables` of read/tables. */
export interface TablesApi {
  /** Answers once the libraries are loaded. */
  ready(): Promise<void>
  /** The first sheet of a workbook. */
  sheet(file: SourceFile): Promise<SheetCells>
  parquet(file: SourceFile): Promise<Pick<ParquetFile, 'size' | 'columns' | 'groups'> & {readonly key: number}>
  column(key: number, column: string, group: RowGroup): Promise<ArrayLike<unknown>>
  close(key: number): Promise<void>
}

export async function* tableRows(
  file: SourceFile,
  format: LibraryFormat,
  tables: TablesApi,
  context: FileContext
): AsyncGenerator<readonly Row[]> {
  if (format === 'xlsx') {
    const cells = await tables.sheet(file)
    context.onRead(file.size)
    yield* sheetRows(cells, context)
  } else {
    const {key, ...facts} = await tables.parquet(file)
    const readColumn = (column: string, group: RowGroup) => tables.column(key, column, group)
    yield* parquetRows({...facts, readColumn, close: () => tables.close(key)}, context)
  }
}
