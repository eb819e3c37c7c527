import {throwIfCancelled} from '../../base/checks/index.ts'
import {counted, firstNames} from '../../base/text/index.ts'
import {csvRecords, eachLine, fileError, formatOfPath, lineBlocks, reasonOf, shorten} from '../reading/index.ts'
import {cannotRead} from './file-error.ts'
import {nodeTools} from './node-tools.ts'
import {openParquet} from './parquet-file.ts'
import {readBytes} from './read-bytes.ts'

/** One record of a table that is not a document: its values by column, and where it is, for errors. */
export interface TableRecord {
  readonly where: string
  /** As in the file: all text in CSV and TSV, values of any type in JSON and Parquet. */
  readonly values: ReadonlyMap<string, unknown>
}

/** The records of a table in CSV, TSV, JSON Lines or Parquet, a batch at a time; `.gz` and `.zst` are decompressed. */
export async function* readRecords(path: string, signal?: AbortSignal): AsyncGenerator<readonly TableRecord[]> {
  const format = formatOfPath(path)
  throwIfCancelled(signal)
  try {
    if (format === 'csv' || format === 'tsv') yield* delimited(path, format === 'csv' ? ',' : '\t', signal)
    else if (format === 'jsonl') yield* jsonLines(path, signal)
    else if (format === 'parquet') yield* parquet(path, signal)
    else
      throw fileError(
        path,
        `a table is CSV, TSV, JSON Lines or Parquet; by its name this is ${format}; rename it or export it again`
      )
  } catch (error) {
    throw cannotRead(path, error)
  }
}

async function* delimited(
  path: string,
  separator: string,
  signal: AbortSignal | undefined
): AsyncGenerator<readonly TableRecord[]> {
  let columns: readonly string[] | undefined
  for await (const records of csvRecords(readBytes(path, {signal}), separator.charCodeAt(0), path, {
    tools: nodeTools
  })) {
    const batch: TableRecord[] = []
    for (const {line, cells} of records) {
      if (columns === undefined) {
        columns = cells.map(cell => cell.trim())
        continue
      }
      if (cells.length !== columns.length)
        throw fileError(
          `${path}:${line}`,
          `the record has ${counted(cells.length, 'cell')} and the first line names ${counted(columns.length, 'column')} ` +
            `(${firstNames(columns)}); put cells that contain the separator in quotes`
        )
      const names = columns
      batch.push({where: `${path}:${line}`, values: new Map(cells.map((cell, at) => [names[at], cell]))})
    }
    yield batch
  }
}

async function* jsonLines(path: string, signal: AbortSignal | undefined): AsyncGenerator<readonly TableRecord[]> {
  for await (const block of lineBlocks(readBytes(path, {signal}), {name: path}, true, nodeTools)) {
    const batch: TableRecord[] = []
    const visit = (text: string, line: number) => {
      const where = `${path}:${line}`
      batch.push({where, values: new Map(Object.entries(parseObject(text, where)))})
    }
    eachLine(block, visit, nodeTools)
    yield batch
  }
}

function parseObject(text: string, where: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw fileError(where, `not valid JSON: ${reasonOf(cause)}; write one whole JSON object per line`, cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fileError(where, `a record is one JSON object per line; got ${shorten(text)}`)
  return value
}

async function* parquet(path: string, signal: AbortSignal | undefined): AsyncGenerator<readonly TableRecord[]> {
  const file = await openParquet(path, path)
  try {
    for (const group of file.groups) {
      throwIfCancelled(signal)
      const columns: [string, ArrayLike<unknown>][] = []
      for (const column of file.columns) columns.push([column, await file.readColumn(column, group)])
      yield Array.from({length: group.rowCount}, (_, row) => ({
        where: `${path}, row ${group.firstRow + row + 1}`,
        values: new Map(columns.map(([column, values]) => [column, values[row]]))
      }))
    }
  } finally {
    await file.close()
  }
}
