import {existsSync} from 'node:fs'
import {AdfaError} from '../../../base/checks/index.ts'
import {csvRecords, readBinaryFile, readTextFile, writeAtomically} from '../../../read/files/index.ts'
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

/** The records of a spreadsheet saved as text, with commas, semicolons or tabs between cells. */
export async function readSheetFile(path: string): Promise<SheetRecord[]> {
  const bytes = await readBinaryFile(path)
  const records: SheetRecord[] = []
  for await (const batch of csvRecords(once(bytes), separatorOf(bytes), path))
    for (const record of batch) records.push(record)
  return records
}

/** The most frequent separator in the first line, which holds column names and no text. */
function separatorOf(bytes: Uint8Array): number {
  const [firstLine] = new TextDecoder().decode(bytes.subarray(0, 100_000)).split(/\r?\n/)
  const bare = firstLine.replace(/"(?:[^"]|"")*"/g, '')
  const counts = [',', ';', '\t'].map(separator => ({separator, count: bare.split(separator).length}))
  return counts.toSorted((a, b) => b.count - a.count)[0].separator.charCodeAt(0)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
