import {createWriteStream} from 'node:fs'
import {tmpdir} from 'node:os'
import type {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {cannotRead, cannotWrite, errorCode} from './file-error.ts'
import {removeTemporaryFile, reserveTemporaryFile} from './temporary-files.ts'

/**
 * Copy a stream that can be read only once (standard input, a pipe) to a temporary file that can be read again, and
 * return its path. Only the user may read it; it goes with `removeTemporaryFile`, at the latest when the process ends.
 */
export async function spool(stream: Readable, name: string, signal?: AbortSignal): Promise<string> {
  const path = reserveTemporaryFile(tmpdir(), 'adfa')
  const copy = createWriteStream(path, {flags: 'wx', mode: 0o600})
  try {
    await pipeline(stream, copy, signal === undefined ? {} : {signal})
    return path
  } catch (error) {
    await removeTemporaryFile(path)
    if (errorCode(error) !== undefined && copy.errored === error && stream.errored !== error)
      throw cannotWrite(`${path} (a copy of ${name}; TMPDIR names another folder for it)`, error)
    throw cannotRead(name, error)
  }
}
