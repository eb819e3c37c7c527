import {accessSync, constants, createReadStream, type Stats, statSync} from 'node:fs'
import {open, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import type {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {type DocumentFormat, formatOfName} from '../reading/index.ts'
import {cannotRead, cannotWrite, fileChanged, folderError} from './file-error.ts'
import {removeTemporaryFile, reserveTemporaryFile} from './temporary-files.ts'
import {listTextFolder, type TextFolder} from './text-folder.ts'

/** One file of documents, or a stream that can be read only once, such as standard input. */
export interface DocumentInput {
  readonly name: string
  /** Where the file is; undefined for standard input and pipes. */
  readonly path: string | undefined
  /** The format, by what is said of it or by its name; undefined where the content must show it. */
  readonly format: DocumentFormat | undefined
  /** A folder of text files, which stands for one file with all of them. */
  readonly folder?: TextFolder
  /** Bytes on disk; undefined while the end of a stream has not been seen. */
  size(): number | undefined
  /** The path to read from. Throws when the file has changed since it was opened. */
  locate(signal?: AbortSignal): Promise<string>
  close(): Promise<void>
}

export function documentInput(path: string, given: DocumentFormat | undefined): DocumentInput {
  const status = path === '-' ? undefined : readableStatus(path)
  if (status?.isDirectory()) return textFolder(path, given)
  const format = given ?? (path === '-' ? undefined : formatOfName(path))
  if (status?.isFile()) return {name: path, path, format, ...regularFile(path, status)}
  return {name: path === '-' ? 'standard input' : path, path: undefined, format, ...onceOnly(path)}
}

type Location = Pick<DocumentInput, 'size' | 'locate' | 'close'>

function regularFile(path: string, opened: Stats): Location {
  return {
    size: () => opened.size,
    async locate() {
      const now = await stat(path).catch(error => {
        throw cannotRead(path, error)
      })
      if (now.size === opened.size && now.mtimeMs === opened.mtimeMs) return path
      throw fileChanged(path)
    },
    close: async () => {}
  }
}

/** Standard input or a pipe: copied to a temporary file when it is first needed. */
function onceOnly(path: string): Location {
  let copy: Promise<string> | undefined
  let size: number | undefined
  return {
    size: () => size,
    async locate(signal) {
      const name = path === '-' ? 'standard input' : path
      copy ??= spool(() => (path === '-' ? process.stdin : createReadStream(path)), name, signal)
      size ??= (await stat(await copy)).size
      return copy
    },
    async close() {
      // A copy that failed has cleaned up, and its reader has the error.
      const made = await copy?.catch(() => undefined)
      if (made !== undefined) await removeTemporaryFile(made)
    }
  }
}

function readableStatus(path: string): Stats {
  try {
    const status = statSync(path)
    if (status.isFile()) accessSync(path, constants.R_OK)
    return status
  } catch (error) {
    throw cannotRead(path, error)
  }
}

function textFolder(path: string, given: DocumentFormat | undefined): DocumentInput {
  if (given !== undefined && given !== 'txt') throw cannotRead(path, folderError())
  const folder = listTextFolder(path)
  return {
    name: path,
    path,
    format: 'txt',
    folder,
    size: () => folder.files.reduce((sum, {size}) => sum + size, 0),
    async locate() {
      if (JSON.stringify(listTextFolder(path).files) !== JSON.stringify(folder.files)) throw fileChanged(path)
      return path
    },
    close: async () => {}
  }
}

/**
 * Copy a stream that can be read only once (standard input, a pipe) to a temporary file that can be read again, and
 * return its path. Only the user may read it; `removeTemporaryFile` removes it, at the latest when the process ends.
 */
async function spool(openStream: () => Readable, name: string, signal?: AbortSignal): Promise<string> {
  const path = reserveTemporaryFile(tmpdir(), 'adfa')
  let stream: Readable | undefined
  try {
    // The file exists before the copy starts: one created after an interruption would stay behind.
    const copy = (await open(path, 'wx', 0o600)).createWriteStream()
    stream = openStream()
    await pipeline(stream, copy, signal === undefined ? {} : {signal})
    return path
  } catch (error) {
    await removeTemporaryFile(path)
    if (stream?.errored) throw cannotRead(name, error)
    throw cannotWrite(`${path} (a copy of ${name}; TMPDIR names another folder for it)`, error)
  }
}
