import {stat} from 'node:fs/promises'
import {throwIfCancelled} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {type CsvRecord, cellText, type FileContext, type SheetCells, sheetRows} from '../reading/index.ts'
import {checkWorkbookSize, sheetCells} from '../tables/index.ts'
import {readBinaryFile} from './read-bytes.ts'
import {unpackZip} from './unpack-zip.ts'

/** A sheet of an Excel workbook, `.xlsx`. */
export async function* readXlsx(path: string, context: FileContext): AsyncGenerator<readonly Row[]> {
  const {size} = await stat(path)
  throwIfCancelled(context.signal)
  const cells = await cellsOf(path, context)
  context.onRead(size)
  yield* sheetRows(cells, context)
}

/** The records of a workbook's first sheet, as of a table of text. */
export async function readXlsxRecords(path: string): Promise<CsvRecord[]> {
  const rows = await cellsOf(path, {name: path})
  return rows.map((cells, at) => ({line: at + 1, cells: cells.map(cellText)}))
}

async function cellsOf(path: string, context: Pick<FileContext, 'name' | 'worksheet'>): Promise<SheetCells> {
  checkWorkbookSize((await stat(path)).size, context.name)
  return sheetCells(await readBinaryFile(path), context, unpackZip)
}
