import {existsSync} from 'node:fs'
import {AdfaError} from '../../../base/checks/index.ts'
import {checkWritable, readTextFile, writeAtomically} from '../../../read/files/index.ts'
import {type LabelRow, labelRowsToText, parseLabelRows} from '../../../use/labelling/index.ts'

/** A labels file: the answers in it, and a way to write all of them anew. */
export interface LabelStore {
  readonly rows: readonly LabelRow[]
  save(rows: readonly LabelRow[]): Promise<void>
}

/** Open a labels file, there or not. It is written whole, and never over what somebody else has written meanwhile. */
export async function openLabelStore(path: string): Promise<LabelStore> {
  if (path === '-')
    throw new AdfaError('bad-option', 'labels are saved after every answer, which needs a file; name one with -o')
  await checkWritable(path)
  let known = await read(path)
  const rows = parseLabelRows(known, path)
  return {
    rows,
    async save(answers) {
      const text = labelRowsToText(answers)
      if ((await read(path)) !== known)
        throw new AdfaError(
          'mismatch',
          `${path}: another program has changed it since the last answer was saved; nothing was written over it, ` +
            'and only the latest answer is not in it; start again to go on with the file as it is'
        )
      await writeAtomically(path, text)
      known = text
    }
  }
}

async function read(path: string): Promise<string> {
  return existsSync(path) ? readTextFile(path) : ''
}
