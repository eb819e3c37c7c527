import {existsSync} from 'node:fs'
import {AdfaError} from '../../../base/checks/index.ts'
import {readCsvFile, readTextFile, writeAtomically} from '../../../read/files/index.ts'
import {type LabelRow, labelRowsToText, parseLabelRows, type SheetRecord} from '../../../use/labelling/index.ts'

/** A labels file: its answers, and a way to rewrite it. */
export interface LabelStore {
  readonly rows: readonly LabelRow[]
  save(rows: readonly LabelRow[]): Promise<void>
}

/** Opens a labels file, which need not exist. It is always written as a whole, and never over changes by others. */
export async function openLabelStore(path: string): Promise<LabelStore> {
  let known = await read(path)
  const rows = parseLabelRows(known, path)
  return {
    rows,
    async save(answers) {
      const text = labelRowsToText(answers)
      if ((await read(path)) !== known)
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

async function read(path: string): Promise<string> {
  return path !== '-' && existsSync(path) ? readTextFile(path) : ''
}

/** The records of a spreadsheet saved as text. */
export async function readSheetFile(path: string): Promise<SheetRecord[]> {
  const records: SheetRecord[] = []
  for await (const batch of readCsvFile(path)) for (const record of batch) records.push(record)
  return records
}
