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
  return textEnding.test(path) && path.split(/[\\/]/).every(part => !part.startsWith('.'))
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
  const visit = (inner: string) => {
    for (const entry of readdirSync(join(folder, inner), {withFileTypes: true})) {
      if (entry.name.startsWith('.')) continue
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`
      if (entry.isDirectory()) visit(path)
      else if (textEnding.test(entry.name)) {
        const status = statSync(join(folder, path))
        if (status.isFile()) files.push({path, size: status.size, mtimeMs: status.mtimeMs})
      } else others.push(path)
    }
  }
  try {
    visit('')
  } catch (error) {
    throw cannotRead(folder, error)
  }
  if (files.length === 0)
    throw fileError(
      folder,
      `the folder has no text files (.txt)${others.length === 0 ? '' : `; it has ${nameList(others.sort(), 5)}`}; name the files to read`
    )
  // By code units, so that the order is the same everywhere.
  const byPath = (a: {path: string}, b: {path: string}) => (a.path < b.path ? -1 : 1)
  return {files: files.sort(byPath), others: others.sort()}
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
