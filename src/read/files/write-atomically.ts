import {once} from 'node:events'
import {closeSync, constants, createWriteStream, openSync} from 'node:fs'
import {access, chmod, mkdir, open, readlink, realpath, rename, stat} from 'node:fs/promises'
import {basename, dirname} from 'node:path'
import type {Writable} from 'node:stream'
import {finished, pipeline} from 'node:stream/promises'
import {createGzip} from 'node:zlib'
import {AdfaError} from '../../base/checks/index.ts'
import {errorCode} from '../reading/index.ts'
import {cannotWrite, folderError} from './file-error.ts'
import {releaseTemporaryFile, removeTemporaryFile, reserveTemporaryFile} from './temporary-files.ts'

/** Writes a file that appears whole or not at all. Await each call before the next. */
export interface AtomicWriter {
  write(chunk: string | Uint8Array): Promise<void>
  commit(): Promise<void>
  /** Leave everything as it was. Does nothing after `commit`. */
  abort(): Promise<void>
}

/** Is given the temporary name of a file that is complete, before it is put in place; not called for standard output, pipes and devices. */
export type OnFinished = (temporary: string) => Promise<void>

/** Write a whole file, or leave the old one untouched. `-` is standard output; a name ending in `.gz` is compressed. */
export function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  return withAtomicWriter(path, writer => writer.write(content))
}

/**
 * Start to write a file. Everything goes to a temporary file in the same folder; `commit` flushes it to disk and renames
 * it, so that readers see the old content or the new, never a part. Any error removes the temporary file.
 * `-`, descriptors such as `/dev/stdout`, and devices and pipes cannot be renamed over and are written directly.
 */
export async function openAtomicWriter(path: string, onFinished?: OnFinished): Promise<AtomicWriter> {
  if (isStandardOutput(path)) return writerTo('standard output', {stream: process.stdout, isShared: true}, false)
  if (path.endsWith('.zst'))
    throw new AdfaError('cannot-write', `${path}: cannot be written: zstd is only read; give a name that ends in .gz`)
  try {
    return writerTo(path, await openTarget(path), path.endsWith('.gz'), onFinished)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

/** Refuse now what `openAtomicWriter` would refuse later, and leave nothing open. */
export async function checkWritable(path: string): Promise<void> {
  // To its reader, a pipe that is opened and closed again is an empty file.
  const isPlain = !isStandardOutput(path) && !(await stat(path).catch(() => undefined))?.isFIFO()
  if (isPlain) await (await openAtomicWriter(path)).abort()
}

/** Whether a path is standard output: `-`, or a name that the system has for it. */
export function isStandardOutput(path: string): boolean {
  return ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'].includes(path)
}

interface Target {
  readonly stream: Writable
  /** Whether others write to it, too, so that it stays open. */
  readonly isShared?: boolean
  /** The temporary file behind the stream and the file that it becomes; none where bytes are written directly. */
  readonly replaces?: {readonly temporary: string; readonly path: string}
}

/** Small writes are gathered until there are so many bytes, since each one costs a call of the system or of the compressor. */
const PIECE = 65_536

function writerTo(
  name: string,
  {stream, isShared, replaces}: Target,
  isCompressed: boolean,
  onFinished?: OnFinished
): AtomicWriter {
  // The errors of a stream reach its writer; without a listener they would end the process.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  // One member, since the decompressor of browsers reads only the first.
  const gzip = isCompressed ? createGzip() : undefined
  const top: Writable = gzip ?? stream
  const piped = gzip && pipeline(gzip, stream)
  piped?.catch(ignore)
  let isOpen = true
  let parts: Uint8Array[] = []
  let length = 0

  async function orAbort(work: () => Promise<void>): Promise<void> {
    if (!isOpen) throw new Error(`internal error: ${name} was written to after it was closed`)
    try {
      await work()
    } catch (error) {
      await abort()
      throw cannotWrite(name, error)
    }
  }

  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE) {
      // A copy, since the caller may fill the same array again before it is written.
      const part = Uint8Array.prototype.slice.call(bytes, at, at + PIECE)
      parts.push(part)
      length += part.length
      if (length >= PIECE) await flush()
    }
  }

  async function flush(): Promise<void> {
    if (stream.errored) throw stream.errored
    const bytes = Buffer.concat(parts)
    parts = []
    length = 0
    if (!top.write(bytes)) await once(top, 'drain')
  }

  async function end(): Promise<void> {
    await flush()
    gzip?.end()
    await piped
    if (isShared)
      await new Promise((resolve, reject) => stream.write('', error => (error ? reject(error) : resolve(0))))
    else await finished(stream.end())
  }

  async function abort(): Promise<void> {
    if (isOpen && !isShared) {
      stream.destroy()
      if (!stream.closed) await new Promise(resolve => stream.once('close', resolve))
    }
    if (isOpen && replaces !== undefined) await removeTemporaryFile(replaces.temporary)
    isOpen = false
  }

  return {
    write: chunk => orAbort(() => write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
    async commit() {
      await orAbort(async () => {
        await end()
        if (replaces === undefined) return
        await onFinished?.(replaces.temporary)
        await putInPlace(replaces.temporary, replaces.path)
      })
      isOpen = false
    },
    abort
  }
}

function ignore(): void {}

async function putInPlace(temporary: string, path: string): Promise<void> {
  const file = await open(temporary, 'r+')
  await file.sync().finally(() => file.close())
  await rename(temporary, path)
  await releaseTemporaryFile(temporary)
}

async function openTarget(path: string): Promise<Target> {
  try {
    const status = await stat(path)
    if (status.isDirectory()) throw folderError()
    // A rename needs no permission on the file it replaces, but a write-protected file must stay.
    await access(path, constants.W_OK)
    // What is behind a descriptor, such as a file to which the shell redirects output, is not ours to replace.
    if (!status.isFile() || /^\/(?:dev|proc)\//.test(path))
      return {stream: (await open(path, constants.O_WRONLY | constants.O_APPEND)).createWriteStream()}
    // Links are followed: the file they lead to is replaced, not the link.
    return await openTemporary(await realpath(path), status.mode & 0o777)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    const link = await readlink(path).catch(() => undefined)
    if (link === undefined) return openTemporary(path)
    throw new AdfaError(
      'cannot-write',
      `${path}: cannot be written: it is a link to ${link}, which does not exist; remove the link, or name the file itself`
    )
  }
}

async function openTemporary(path: string, mode?: number): Promise<Target> {
  // Names may have 255 bytes; a long one is shortened to leave room for the suffix.
  const temporary = reserveTemporaryFile(dirname(path), `.${basename(path).slice(0, 50)}`)
  try {
    // Created at once: an `open` that creates it later could do so after an interruption has cleaned up.
    closeSync(openSync(temporary, 'wx'))
    if (mode !== undefined) await chmod(temporary, mode)
    const stream = createWriteStream(temporary, {flags: 'r+'})
    await once(stream, 'open')
    return {stream, replaces: {temporary, path}}
  } catch (error) {
    await removeTemporaryFile(temporary)
    throw error
  }
}

/** Run `work` with a writer to `path`, and commit when it succeeds or abort when it throws. */
export async function withAtomicWriter<T>(
  path: string,
  work: (writer: AtomicWriter) => Promise<T>,
  onFinished?: OnFinished
): Promise<T> {
  const writer = await openAtomicWriter(path, onFinished)
  try {
    const result = await work(writer)
    await writer.commit()
    return result
  } catch (error) {
    await writer.abort()
    throw error
  }
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, {recursive: true})
  } catch (error) {
    throw cannotWrite(path, error)
  }
}
