import {setImmediate} from 'node:timers/promises'
import {crc32} from 'node:zlib'
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {fileError, reasonOf} from '../reading/index.ts'

interface SevenZipOptions {
  /** What errors call the archive. */
  readonly name: string
  /** Its size on disk. */
  readonly size: number
  readonly signal?: AbortSignal | undefined
  /** Called with the share of `size` that each piece of the content stands for. */
  readonly onRead?: ((byteCount: number) => void) | undefined
}

/** The whole archive is held in memory, and WebAssembly has 2 GB. */
const sizeLimit = 1024 ** 3

/**
 * The content of one file in a 7z archive, in pieces of 1 MB: `Posts.xml` when there is one, as in Stack Exchange dumps,
 * else the only file.
 *
 * libarchive decompresses (LZMA, LZMA2, BZip2, PPMd, Deflate) and verifies the content. It takes a truncated archive for
 * an empty one, so the length is checked here first. Memory: the archive, at most 1 GB.
 */
export async function* decodeSevenZip(
  chunks: AsyncIterable<Uint8Array>,
  {name, size, signal, onRead}: SevenZipOptions
): AsyncGenerator<Uint8Array> {
  try {
    if (size > sizeLimit) throw fileError(name, tooLarge(size))
    const archive = await load(chunks, name, size)
    checkLength(archive.bytes(), name)
    const {index, lowSize} = choose(archive.entries(), name)
    let given = 0
    let told = 0
    let total = lowSize
    for (const piece of archive.content(index)) {
      given += piece.length
      while (total < given) total += 2 ** 32
      const done = Math.max(told, Math.floor((size * given) / total))
      onRead?.(done - told)
      told = done
      yield piece
      // Nothing here waits for a disk: let timers and signals run.
      await setImmediate()
      throwIfCancelled(signal)
    }
    onRead?.(size - told)
  } catch (error) {
    throw error instanceof AdfaError ? error : fileError(name, explain(error), error)
  }
}

async function load(chunks: AsyncIterable<Uint8Array>, name: string, size: number): Promise<ArchiveMemory> {
  const archive = await archiveMemory(size)
  const bytes = archive.bytes()
  let at = 0
  for await (const chunk of chunks) {
    if (at + chunk.length > size) throw fileError(name, 'the file grew while it was read; wait until it is whole')
    bytes.set(chunk, at)
    at += chunk.length
  }
  if (at < size) throw fileError(name, cutShort)
  return archive
}

const cutShort = 'the 7z data ends too early; the file is cut short; copy or download it again'
const damaged = 'the 7z data is damaged; copy or download the file again'

/** The signature header says where the header at the end of the file is: offset and size at 12 and 20; its own check sum is at 8. */
function checkLength(bytes: Uint8Array, name: string): void {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (start.length < 32) throw fileError(name, cutShort)
  if (crc32(start.subarray(12, 32)) !== start.readUInt32LE(8)) throw fileError(name, damaged)
  const end = 32n + start.readBigUInt64LE(12) + start.readBigUInt64LE(20)
  if (end > BigInt(start.length)) throw fileError(name, cutShort)
}

function choose(entries: readonly ArchiveEntry[], name: string): {index: number; lowSize: number} {
  const files = entries.filter(entry => entry.isFile)
  const posts = files.filter(({path}) => /(^|[/\\])posts\.xml$/i.test(path))
  const [chosen, ...others] = posts.length > 0 ? posts : files
  if (chosen === undefined)
    throw fileError(name, 'the archive holds no files; check that it is the right one and was written to its end')
  if (others.length > 0) throw fileError(name, ambiguous(posts.length > 0 ? posts : files))
  return {index: entries.indexOf(chosen), lowSize: chosen.lowSize}
}

function ambiguous(files: readonly ArchiveEntry[]): string {
  const shown = files.slice(0, 10).map(({path}) => path)
  const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : ''
  return (
    `the archive holds ${files.length} files to choose from: ${shown.join(', ')}${more}; one file is read, Posts.xml or the only one; ` +
    'unpack the one you mean and name it instead'
  )
}

const encrypted = 'the archive is protected by a password; unpack it first and name the file inside'

function tooLarge(size: number): string {
  return (
    `the archive has ${(size / 1024 ** 3).toFixed(1)} GB; up to 1 GB is read directly, since it is held in memory; unpack it as it is read, ` +
    'for instance 7z x -so ARCHIVE.7z Posts.xml, read as standard input with the `format` stackexchange'
  )
}

function explain(error: unknown): string {
  const reason = reasonOf(error)
  if (/encrypted/i.test(reason)) return encrypted
  if (/codec|unsupported|not supported/i.test(reason))
    return `the archive is compressed in a way that cannot be read here (${reason}); unpack it first`
  if (/memory/i.test(reason)) return `the archive cannot be held in memory (${reason}); unpack it first`
  return `the 7z data is damaged (${reason}); copy or download the file again`
}

/** A file or folder in an archive. */
interface ArchiveEntry {
  readonly path: string
  readonly isFile: boolean
  /** The lower 32 bits of its size; the library gives no more. */
  readonly lowSize: number
}

/** An archive in the memory of libarchive. Failures of the library are thrown as an Error with its message. */
interface ArchiveMemory {
  /** A view of the archive, to fill and to read; valid until another method is called. */
  bytes(): Uint8Array
  /** All entries, in order. */
  entries(): readonly ArchiveEntry[]
  /** The content of the entry with this index, in pieces of 1 MB, with its checksum verified. Each piece blocks. */
  content(index: number): Generator<Uint8Array>
}

interface Heap {
  readonly HEAPU8: Uint8Array
  _malloc(size: number): number
}

const pieceSize = 1024 * 1024
const regularFile = 0o100000

/**
 * Memory for an archive of `size` bytes in a new libarchive (WebAssembly, loaded by the first call). There is nothing to
 * close: the memory is freed with the object.
 */
async function archiveMemory(size: number): Promise<ArchiveMemory> {
  const {libarchiveWasm} = await import('libarchive-wasm')
  const library = await libarchiveWasm({print: () => {}, printErr: () => {}})
  const heap: Heap = library.module
  const piece = heap._malloc(pieceSize)
  const start = heap._malloc(Math.max(1, size))
  if (piece === 0 || start === 0) throw new Error('there is not enough memory for it')

  /** Call `visit` with every entry until it returns false. */
  function walk(visit: (entry: number, archive: number) => boolean): number {
    const archive = library.read_new_memory(start, size)
    for (;;) {
      const entry = library.read_next_entry(archive)
      if (entry === 0) {
        const problem = library.error_string(archive)
        if (problem) throw new Error(problem)
        return archive
      }
      if (!visit(entry, archive)) return archive
    }
  }

  return {
    // The heap is another array whenever it has grown.
    bytes: () => heap.HEAPU8.subarray(start, start + size),
    entries() {
      const found: ArchiveEntry[] = []
      const archive = walk(entry => {
        found.push({
          path: library.entry_pathname(entry),
          isFile: library.entry_filetype(entry) === regularFile,
          lowSize: library.entry_size(entry) >>> 0
        })
        return true
      })
      library.read_free(archive)
      return found
    },
    *content(index) {
      let at = 0
      const archive = walk(() => at++ < index)
      for (;;) {
        const count = library.read_data(archive, piece, pieceSize)
        if (count === 0) break
        yield heap.HEAPU8.slice(piece, piece + count)
      }
      library.read_free(archive)
    }
  }
}
