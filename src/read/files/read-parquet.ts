import type {Row} from '../data/index.ts'
import {type FileContext, parquetRows} from '../reading/index.ts'
import {openParquet} from './parquet-file.ts'

export async function* readParquet(path: string, context: FileContext): AsyncGenerator<readonly Row[]> {
  yield* parquetRows(await openParquet(path, context.name), context)
}
