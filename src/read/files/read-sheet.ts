import {type CsvRecord, csvRecords, openTable, utf8Bytes} from '../reading/index.ts'
import {nodeTools} from './node-tools.ts'
import {readBytes} from './read-bytes.ts'
import {readXlsxRecords} from './read-xlsx.ts'

/** The records of a table that a spreadsheet program saved: a workbook (.xlsx), or text as `readCsvFile` reads it. */
export async function* readSheet(path: string): AsyncGenerator<readonly CsvRecord[]> {
  if (/\.xlsx$/i.test(path)) yield await readXlsxRecords(path)
  else yield* readCsvFile(path)
}

/** The records of a table with commas, semicolons or tabs between cells, in whatever encoding, as spreadsheet programs write it. */
async function* readCsvFile(path: string): AsyncGenerator<readonly CsvRecord[]> {
  const bytes = utf8Bytes(readBytes(path), {name: path, tools: nodeTools})
  const {content, separator, firstLine} = await openTable(bytes, undefined, {name: path})
  yield* csvRecords(content, separator, path, {firstLine, tools: nodeTools})
}
