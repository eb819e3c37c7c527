import type {SourceRecord} from '../data/index.ts'
import {fileBlocks, fileError, parseBlock} from '../reading/index.ts'
import {diskFile, unpack} from './read-bytes.ts'

/** One record of a table that does not hold documents: its values by column, and where it is, for errors. */
export interface TableRecord {
  readonly where: string
  /** Unchanged: all text in CSV and TSV, values of any type in JSON and Parquet. */
  readonly values: ReadonlyMap<string, unknown>
}

/** The records of a table in any format that has columns, a batch at a time. */
export async function* readRecords(path: string, signal?: AbortSignal): AsyncGenerator<readonly TableRecord[]> {
  const context = {name: path, fields: {text: [], keepsRecords: 'only' as const}, signal, unpack}
  for await (const block of fileBlocks(diskFile(path), undefined, context))
    yield parseBlock(block).map(({record}) => {
      if (record !== undefined) return tableRecord(record)
      throw fileError(path, 'a table has columns: CSV, TSV, JSON Lines, Parquet or a workbook; export it again')
    })
}

function tableRecord({columns, values, where = ''}: SourceRecord): TableRecord {
  return {where, values: new Map(columns.map((column, at) => [column, values[at]]))}
}
