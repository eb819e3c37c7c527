import {csvRecords, readBinaryFile} from '../../../read/files/index.ts'
import type {SheetRecord} from '../../../use/labelling/index.ts'

/** The records of a spreadsheet saved as text: whatever separates its cells, commas, semicolons or tabs. */
export async function readSheetFile(path: string): Promise<SheetRecord[]> {
  const bytes = await readBinaryFile(path)
  const records: SheetRecord[] = []
  for await (const batch of csvRecords(once(bytes), separatorOf(bytes), path)) records.push(...batch)
  return records
}

/** Of the separators that programs use, the commonest in the first line, which names columns and holds no text. */
function separatorOf(bytes: Uint8Array): number {
  const [firstLine] = new TextDecoder().decode(bytes.subarray(0, 100_000)).split(/\r?\n/)
  const bare = firstLine.replace(/"(?:[^"]|"")*"/g, '')
  const counts = [',', ';', '\t'].map(separator => ({separator, count: bare.split(separator).length}))
  return counts.toSorted((a, b) => b.count - a.count)[0].separator.charCodeAt(0)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
