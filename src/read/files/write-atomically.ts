import {closeSync, constants, openSync} from 'node:fs'
import {access, type FileHandle, mkdir, open, realpath, rename, stat} from 'node:fs/promises'
import {basename, dirname} from 'node:path'
import {AdfaError} from '../../base/checks/index.ts'
import {cannotWrite, errorCode, folderError} from './file-error.ts'
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
 * `-`, and devices and pipes such as `/dev/null`, cannot be renamed over and are written directly.
 */
export async function openAtomicWriter(path: string): Promise<AtomicWriter> {
  if (path === '-') return writerOver('standard output', streamSink(process.stdout), {commit: nothing, abort: nothing})
  if (path.endsWith('.zst'))
    throw new AdfaError('cannot-write', `${path}: cannot be written: zstd is only read; give a name that ends in .gz`)
  try {
    const target = await inspectTarget(path)
    const destination = target.isDevice ? await openDevice(path) : await openTemporary(target)
    const sink = fileSink(destination.file)
    return writerOver(path, path.endsWith('.gz') ? gzipSink(sink) : sink, destination)
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

async function nothing(): Promise<void> {}

interface Ending {
  commit(): Promise<void>
  abort(): Promise<void>
}

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

interface Target {
  /** Links followed: the file they lead to is replaced, not the link. */
  readonly path: string
  /** Permissions of the file that will be replaced. */
  readonly mode: number | undefined
  readonly isDevice: boolean
}

async function inspectTarget(path: string): Promise<Target> {
  try {
    const status = await stat(path)
    if (status.isDirectory()) throw folderError()
    // A rename needs no permission on the file it replaces, but a write-protected file must stay.
    await access(path, constants.W_OK)
    return {path: await realpath(path), mode: status.mode & 0o777, isDevice: !status.isFile()}
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return {path, mode: undefined, isDevice: false}
  }
}

async function openDevice(path: string): Promise<Ending & {file: FileHandle}> {
  const file = await open(path, 'w')
  return {file, commit: () => file.close(), abort: () => file.close()}
}

async function openTemporary({path, mode}: Target): Promise<Ending & {file: FileHandle}> {
  // Names may have 255 bytes; a long one is shortened to leave room for the suffix.
  const temporary = reserveTemporaryFile(dirname(path), `.${basename(path).slice(0, 50)}`)
  try {
    // Created at once: an `open` that creates it later could do so after an interruption has cleaned up.
    closeSync(openSync(temporary, 'wx'))
    const file = await open(temporary, 'r+')
    if (mode !== undefined) await file.chmod(mode)
    return {
      file,
      async commit() {
        await file.sync()
        await file.close()
        await rename(temporary, path)
        releaseTemporaryFile(temporary)
      },
      async abort() {
        await file.close().catch(nothing)
        await removeTemporaryFile(temporary)
      }
    }
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

/** Make a folder and those above it, unless they exist. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, {recursive: true})
  } catch (error) {
    throw cannotWrite(path, error)
  }
}
