import type {CsvRecord} from './csv-records.ts'
import {readCsvFile} from './read-table.ts'
import {readXlsxRecords} from './read-xlsx.ts'

/** The records of a table that a spreadsheet program saved: a workbook (.xlsx), or text as `readCsvFile` reads it. */
export async function* readSheet(path: string): AsyncGenerator<readonly CsvRecord[]> {
  if (/\.xlsx$/i.test(path)) yield await readXlsxRecords(path)
  else yield* readCsvFile(path)
}
