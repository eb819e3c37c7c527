import {closeSync, constants, fstatSync, openSync, write} from 'node:fs'
import {access, mkdir, open, readlink, realpath, rename, stat} from 'node:fs/promises'
import {basename, dirname, join, resolve} from 'node:path'
import {promisify} from 'node:util'
import {AdfaError} from '../../base/checks/index.ts'
import {errorCode} from '../reading/index.ts'
import {cannotWrite, folderError} from './file-error.ts'
import {bufferedSink, fileSink, gzipSink, type Sink, streamSink} from './sink.ts'
import {releaseTemporaryFile, removeTemporaryFile, reserveTemporaryFile} from './temporary-files.ts'

/** Writes a file that appears whole or not at all. Await each call before the next. */
export interface AtomicWriter {
  write(chunk: string | Uint8Array): Promise<void>
  /** Put the finished file in place. */
  commit(): Promise<void>
  /** Leave everything as it was. Does nothing after `commit`. */
  abort(): Promise<void>
}

/** Write a whole file, or leave the old one untouched. `-` is standard output; a name ending in `.gz` is compressed. */
export function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  return withAtomicWriter(path, writer => writer.write(content))
}

/**
 * Start to write a file. Everything goes to a temporary file in the same folder; `commit` flushes it to disk and renames
 * it, so that readers see the old content or the new, never a part. Any error removes the temporary file.
 * `-`, descriptors such as `/dev/stdout`, and devices and pipes cannot be renamed over and are written directly.
 */
export async function openAtomicWriter(path: string): Promise<AtomicWriter> {
  if (path === '-') return writerOver('standard output', streamSink(process.stdout), unending)
  if (path.endsWith('.zst'))
    throw new AdfaError('cannot-write', `${path}: cannot be written: zstd is only read; give a name that ends in .gz`)
  try {
    const {sink, ending} = await openTarget(await inspectTarget(path))
    return writerOver(path, path.endsWith('.gz') ? gzipSink(sink) : sink, ending)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

/** Refuse now what `openAtomicWriter` would refuse later, and leave nothing open. */
export async function checkWritable(path: string): Promise<void> {
  // To its reader, a pipe that is opened and closed again is an empty file.
  const isPlain = path !== '-' && !(await stat(path).catch(() => undefined))?.isFIFO()
  if (isPlain) await (await openAtomicWriter(path)).abort()
}

/** Whether a path is standard output: `-`, or a path or link that leads to its descriptor, such as `/dev/stdout`. */
export async function isStandardOutput(path: string): Promise<boolean> {
  return path === '-' || (await descriptorOf(path)) === 1
}

async function nothing(): Promise<void> {}

interface Ending {
  commit(): Promise<void>
  abort(): Promise<void>
}

/** Whoever opened it closes it. */
const unending: Ending = {commit: nothing, abort: nothing}

function writerOver(name: string, below: Sink, ending: Ending): AtomicWriter {
  const sink = bufferedSink(below)
  let isOpen = true

  async function orAbort(work: () => Promise<void>): Promise<void> {
    if (!isOpen) throw new Error(`internal error: ${name} was written to after it was closed`)
    try {
      await work()
    } catch (error) {
      isOpen = false
      await ending.abort()
      throw cannotWrite(name, error)
    }
  }

  return {
    write: chunk => orAbort(() => sink.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
    async commit() {
      await orAbort(async () => {
        await sink.end()
        await ending.commit()
      })
      isOpen = false
    },
    async abort() {
      if (isOpen) await ending.abort()
      isOpen = false
    }
  }
}

type Target =
  /** An open file of this process. */
  | {readonly kind: 'descriptor'; readonly descriptor: number}
  | {readonly kind: 'device'; readonly path: string}
  /** Links are followed: the file they lead to is replaced, not the link. `mode`: permissions of that file. */
  | {readonly kind: 'file'; readonly path: string; readonly mode: number | undefined}

async function inspectTarget(path: string): Promise<Target> {
  const descriptor = await descriptorOf(path)
  if (descriptor !== undefined) {
    fstatSync(descriptor)
    return {kind: 'descriptor', descriptor}
  }
  try {
    const status = await stat(path)
    if (status.isDirectory()) throw folderError()
    // A rename needs no permission on the file it replaces, but a write-protected file must stay.
    await access(path, constants.W_OK)
    if (!status.isFile()) return {kind: 'device', path}
    return {kind: 'file', path: await realpath(path), mode: status.mode & 0o777}
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    const link = await readlink(path).catch(() => undefined)
    if (link === undefined) return {kind: 'file', path, mode: undefined}
    throw new AdfaError(
      'cannot-write',
      `${path}: cannot be written: it is a link to ${link}, which does not exist; remove the link, or name the file itself`
    )
  }
}

/**
 * The number of the descriptor that a path leads to, by any number of links: 1 for `/dev/stdout`. What is behind it, such as a
 * file to which the shell redirects output, is not ours to replace.
 */
async function descriptorOf(path: string): Promise<number | undefined> {
  let at = path
  // As many links as the system follows.
  for (let links = 0; links < 40; links++) {
    const folder = await realpath(dirname(at)).catch(() => undefined)
    if (folder === undefined) return undefined
    const isOwn = folder === '/dev/fd' || new RegExp(`^/proc/${process.pid}/(task/\\d+/)?fd$`).test(folder)
    if (isOwn && /^\d+$/.test(basename(at))) return Number(basename(at))
    const next = await readlink(join(folder, basename(at))).catch(() => undefined)
    if (next === undefined) return undefined
    at = resolve(folder, next)
  }
  return undefined
}

interface Opened {
  readonly sink: Sink
  readonly ending: Ending
}

async function openTarget(target: Target): Promise<Opened> {
  if (target.kind === 'file') return openTemporary(target.path, target.mode)
  if (target.kind === 'descriptor') return {sink: descriptorSink(target.descriptor), ending: unending}
  const file = await open(target.path, constants.O_WRONLY)
  return {sink: fileSink(file), ending: {commit: () => file.close(), abort: () => file.close().catch(nothing)}}
}

function descriptorSink(descriptor: number): Sink {
  if (descriptor === 1) return streamSink(process.stdout)
  if (descriptor === 2) return streamSink(process.stderr)
  const writeTo = promisify(write)
  return fileSink({write: (bytes, at, length) => writeTo(descriptor, bytes, at, length)})
}

async function openTemporary(path: string, mode: number | undefined): Promise<Opened> {
  // Names may have 255 bytes; a long one is shortened to leave room for the suffix.
  const temporary = reserveTemporaryFile(dirname(path), `.${basename(path).slice(0, 50)}`)
  try {
    // Created at once: an `open` that creates it later could do so after an interruption has cleaned up.
    closeSync(openSync(temporary, 'wx'))
    const file = await open(temporary, 'r+')
    if (mode !== undefined) await file.chmod(mode)
    const ending: Ending = {
      async commit() {
        await file.sync()
        await file.close()
        await rename(temporary, path)
        await releaseTemporaryFile(temporary)
      },
      async abort() {
        await file.close().catch(nothing)
        await removeTemporaryFile(temporary)
      }
    }
    return {sink: fileSink(file), ending}
  } catch (error) {
    await removeTemporaryFile(temporary)
    throw error
  }
}

/** Run `work` with a writer to `path`, and commit when it succeeds or abort when it throws. */
export async function withAtomicWriter<T>(path: string, work: (writer: AtomicWriter) => Promise<T>): Promise<T> {
  const writer = await openAtomicWriter(path)
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
