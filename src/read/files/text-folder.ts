import {readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {throwIfCancelled} from '../../base/checks/index.ts'
import {counted, nameList} from '../../base/text/index.ts'
import type {Row} from '../data/index.ts'
import {fileError, type ReaderContext, readTextDocument, sourceBytes, textEnding, utf8Bytes} from '../reading/index.ts'
import {cannotRead} from './file-error.ts'
import {diskFile} from './read-bytes.ts'

/** Whether a file in a folder of text files is read: `path` is that within the folder. */
export function isTextFile(path: string): boolean {
  return textEnding.test(path) && !isHidden(path)
}

function isHidden(path: string): boolean {
  return path.split(/[\\/]/).some(part => part.startsWith('.'))
}

/** The text files in a folder and the folders in it, by name; what begins with a dot is hidden. */
export interface TextFolder {
  /** Paths in the folder, with `/`. */
  readonly files: readonly {readonly path: string; readonly size: number; readonly mtimeMs: number}[]
  /** What else is in it. */
  readonly others: readonly string[]
}

export function listTextFolder(folder: string): TextFolder {
  const files: {path: string; size: number; mtimeMs: number}[] = []
  const others: string[] = []
  try {
    const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).map(path => path.replaceAll('\\', '/'))
    // By code units, so that the order is the same everywhere.
    for (const path of paths.filter(path => !isHidden(path)).sort()) {
      const status = statSync(join(folder, path), {throwIfNoEntry: false})
      if (!status?.isFile()) continue
      if (isTextFile(path)) files.push({path, size: status.size, mtimeMs: status.mtimeMs})
      else others.push(path)
    }
  } catch (error) {
    throw cannotRead(folder, error)
  }
  if (files.length > 0) return {files, others}
  const found = others.length === 0 ? '' : `; it has ${nameList(others, 5)}`
  throw fileError(folder, `the folder has no text files (.txt)${found}; name the files to read`)
}

const BATCH = 256

/** Every text file of a folder is a document; its id is the path in the folder, without its ending. */
export async function* readTextFolder(
  {files, others}: TextFolder,
  folder: string,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const {onNote} = context
  if (others.length > 0)
    onNote?.(`${folder}: ${counted(others.length, 'file')} without the ending .txt ignored: ${nameList(others, 5)}`)
  const noted: string[] = []
  for (let from = 0; from < files.length; from += BATCH) {
    const rows: Row[] = []
    for (const {path, ...opened} of files.slice(from, from + BATCH)) {
      throwIfCancelled(context.signal)
      const place = join(folder, path)
      const own = {...context, name: place, onNote: () => noted.push(path), textId: path.replace(textEnding, '')}
      for await (const batch of readTextDocument(utf8Bytes(sourceBytes(diskFile(place, opened), own), own), own))
        rows.push(...batch)
    }
    yield rows
  }
  if (noted.length > 0)
    onNote?.(
      `${folder}: ${counted(noted.length, 'file')} read as Windows-1252 (Latin-1) or UTF-16: ${nameList(noted, 5)}`
    )
}
