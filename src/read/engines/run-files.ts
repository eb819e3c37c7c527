import {randomUUID} from 'node:crypto'
import {closeSync, mkdirSync, openSync, readSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type CompactCounts, ownMemory, type RunSpace, type RunStore, type StoredBytes} from '../counts/index.ts'
import {cannotWrite, removeTemporaryFile, reserveTemporaryFile} from '../files/index.ts'

/**
 * Bytes of runs in memory, of all threads together; what comes on top goes to temporary files. Merging takes as many again, so
 * that counting stays below a gigabyte, and 60 million cells are counted without a file.
 */
const RUN_MEMORY = 2 ** 28

/** Where the threads of one count keep their runs. */
export interface SharedSpace {
  readonly folder: string
  /** Bytes in the memory of each thread. */
  readonly limit: number
}

/** Reserve a temporary folder for runs of this many threads. It is made when it is needed; `RunFiles.close` removes it. */
export function reserveSharedSpace(threads: number, memory = RUN_MEMORY): SharedSpace {
  return {folder: reserveTemporaryFile(tmpdir(), 'adfa-runs'), limit: memory / threads}
}

/** The space as a thread uses it. */
export function openSharedSpace({folder, limit}: SharedSpace): RunSpace & {readonly store: RunFiles} {
  return {...ownMemory, limit, store: new RunFiles(folder), isShared: true}
}

/** Keeps runs in a file of a temporary folder, and reads those of other threads. */
export class RunFiles implements RunStore {
  readonly #folder: string
  #own: {readonly file: string; readonly descriptor: number; length: number} | undefined
  readonly #opened = new Map<string, number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  put(bytes: Uint8Array): StoredBytes {
    const own = this.#ownFile()
    const stored = {file: own.file, offset: own.length}
    try {
      // A disk that is nearly full takes a part first, and fails only on the rest.
      for (let at = 0; at < bytes.length; )
        at += writeSync(own.descriptor, bytes, at, bytes.length - at, stored.offset + at)
    } catch (error) {
      throw cannotWrite(own.file, error)
    }
    own.length += bytes.length
    return stored
  }

  get({file, offset}: StoredBytes, length: number): Uint8Array {
    const bytes = new Uint8Array(length)
    const descriptor = this.#opened.get(file) ?? openSync(file, 'r')
    this.#opened.set(file, descriptor)
    for (let at = 0; at < length; ) {
      const read = readSync(descriptor, bytes, at, length - at, offset + at)
      if (read === 0) throw new Error(`internal error: ${file} is shorter than what was written to it`)
      at += read
    }
    return bytes
  }

  /** Close the files, and leave them to others. */
  release(): void {
    for (const descriptor of this.#opened.values()) closeSync(descriptor)
    this.#opened.clear()
    this.#own = undefined
  }

  async close(): Promise<void> {
    this.release()
    await removeTemporaryFile(this.#folder)
  }

  #ownFile() {
    if (this.#own !== undefined) return this.#own
    const file = join(this.#folder, randomUUID())
    try {
      mkdirSync(this.#folder, {recursive: true})
      const descriptor = openSync(file, 'wx+')
      this.#opened.set(file, descriptor)
      this.#own = {file, descriptor, length: 0}
      return this.#own
    } catch (error) {
      throw cannotWrite(file, error)
    }
  }
}

/** Counts made with a store: without it where all of them are in memory, and after an error. */
export async function keepingStore(store: RunStore, count: () => Promise<CompactCounts>): Promise<CompactCounts> {
  try {
    const counts = await count()
    if (counts.run.some(({content}) => !(content instanceof Uint8Array))) return {...counts, store}
    await store.close()
    return {...counts, store: undefined}
  } catch (error) {
    await store.close()
    throw error
  }
}
