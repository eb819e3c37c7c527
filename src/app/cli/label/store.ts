import {existsSync} from 'node:fs'
import {AdfaError} from '../../../base/checks/index.ts'
import {counted} from '../../../base/text/index.ts'
import {readRecords, readTextFile, tableFormatOf, withTable, writeAtomically} from '../../../read/files/index.ts'
import {
  escapeTyped,
  finishedLines,
  type LabelRow,
  labelRowsToText,
  labelSheet,
  parseLabelRows,
  type Question,
  type SheetRecord,
  sheetCells
} from '../../../use/labelling/index.ts'
import {holdsWork, refusedFile} from '../check-outputs.ts'
import {usageError} from '../common-options.ts'

/** A labels file: its answers, and a way to rewrite it. */
export interface LabelStore {
  readonly rows: readonly LabelRow[]
  save(rows: readonly LabelRow[]): Promise<void>
}

/**
 * Opens a labels file, if there is one: else `held` are its first answers. It is always written as a whole, and never over
 * changes by others.
 */
export async function openLabelStore(path = '-', held: readonly LabelRow[] = []): Promise<LabelStore> {
  const read = async () => (path !== '-' && existsSync(path) ? readTextFile(path) : '')
  let known = await read()
  const rows = known === '' ? held : parseLabelRows(known, path)
  return {
    rows,
    async save(answers) {
      const text = labelRowsToText(answers)
      if ((await read()) !== known)
        throw new AdfaError(
          'mismatch',
          `${path}: another program has changed it since the last answer was saved; it was not overwritten, ` +
            'and lacks only the latest answer; start again to continue with the file as it is'
        )
      await writeAtomically(path, text)
      known = text
    }
  }
}

export async function readSheetFile(path: string): Promise<SheetRecord[]> {
  const records: SheetRecord[] = []
  for await (const batch of readRecords(path))
    for (const {where, values} of batch) {
      if (records.length === 0) records.push({line: 1, cells: [...values.keys()]})
      records.push({
        line: Number(/\d*$/.exec(where)?.[0]),
        cells: Array.from(values.values(), cell => String(cell ?? ''))
      })
    }
  if (records.length === 0)
    throw new AdfaError('bad-file', `${path}: the sheet has no lines below its first; give the one with the answers`)
  return records
}

/** Refuses to write a sheet over answers, or over a file that is no sheet. */
export async function refuseFilled(path: string): Promise<void> {
  if (!holdsWork(path)) return
  const finished = await readSheetFile(path).then(finishedLines, () => undefined)
  if (finished === undefined) throw refusedFile(path, ' and is not a sheet of adfa label')
  if (finished > 0)
    throw refusedFile(path, ` and has ${counted(finished, 'finished line')}`, `read them with --from-sheet ${path}`)
}

/** Writes the questions as the file's name says: a workbook, or text. */
export async function writeSheetFile(
  path: string,
  questions: readonly Question[],
  {concepts, fields}: SheetColumns
): Promise<void> {
  if (sheetFormat(path) !== 'xlsx')
    return writeAtomically(path, labelSheet(questions, concepts, fields, /\.tsv$/i.test(path) ? '\t' : ','))
  const [header, ...rows] = sheetCells(questions, concepts, fields, escapeTyped)
  const columns = header.map(name => {
    const isText = name.startsWith('[')
    return {name, kind: 'text' as const, wraps: true, ...(isText && {width: TEXT_WIDTH})}
  })
  await withTable(path, 'xlsx', {columns, title: 'labels'}, async table => {
    for (const row of rows) await table.row(row)
  })
}

export interface SheetColumns {
  readonly concepts: readonly string[]
  readonly fields: readonly string[]
}

/** Characters of a document's text in a row of a workbook. */
const TEXT_WIDTH = 90

/** The format of a sheet by its name; refuses those that cannot be filled in. */
export function sheetFormat(path: string): 'csv' | 'tsv' | 'xlsx' {
  const format = tableFormatOf(path)
  if (format === 'parquet' || /\.(jsonl?|ndjson)$/i.test(path))
    throw usageError(`${path}: a sheet to fill in is .xlsx, .csv or .tsv; give another name`)
  return format ?? 'csv'
}
