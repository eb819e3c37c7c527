import {closeSync, mkdirSync, openSync, readSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {threadId} from 'node:worker_threads'
import {growingIntegers} from '../data/index.ts'

/** Where numbers go that exceed a limit of memory. */
export interface Overflow {
  /** Each thread has a file of its own there. */
  readonly folder: string
  /** Bytes that stay in memory. */
  readonly limit: number
}

/** A block in memory, or its place in the file. Numbers take 2 bytes where all of the block do. */
type StoredNumbers = Uint16Array | Uint32Array | {readonly at: number; readonly length: number; readonly width: 2 | 4}

/** Keeps blocks of numbers in their order: in memory and, beyond the limit, in a temporary file. */
export class NumberStore {
  readonly #overflow: Overflow | undefined
  readonly #blocks: StoredNumbers[] = []
  readonly #open = growingIntegers(1 << 16)
  #most = 0
  #inMemory = 0
  #file: number | undefined
  #fileLength = 0

  constructor(overflow: Overflow | undefined) {
    this.#overflow = overflow
  }

  /** Add how many numbers there are, then the numbers. */
  append(numbers: ArrayLike<number>, count: number): void {
    const open = this.#open.reserve(count + 1)
    let at = this.#open.length
    let most = Math.max(this.#most, count)
    open[at++] = count
    for (let k = 0; k < count; k++) {
      const value = numbers[k]
      open[at++] = value
      if (value > most) most = value
    }
    this.#open.length = at
    this.#most = most
  }

  endBlock(): void {
    const numbers = this.#open.values.subarray(0, this.#open.length)
    const block = this.#most < 65536 ? new Uint16Array(numbers) : new Uint32Array(numbers)
    this.#open.length = 0
    this.#most = 0
    const overflow = this.#overflow
    if (overflow === undefined || this.#inMemory + block.byteLength <= overflow.limit) {
      this.#inMemory += block.byteLength
      this.#blocks.push(block)
      return
    }
    this.#file ??= openFile(overflow.folder)
    const bytes = new Uint8Array(block.buffer)
    for (let from = 0; from < bytes.length; )
      from += writeSync(this.#file, bytes, from, bytes.length - from, this.#fileLength + from)
    this.#blocks.push({at: this.#fileLength, length: block.length, width: block.BYTES_PER_ELEMENT as 2 | 4})
    this.#fileLength += bytes.length
  }

  *blocks(): Generator<Uint16Array | Uint32Array> {
    for (const block of this.#blocks) {
      if (ArrayBuffer.isView(block)) {
        yield block
        continue
      }
      const {at, length, width} = block
      const bytes = new Uint8Array(length * width)
      for (let from = 0; from < bytes.length; ) {
        const count = readSync(this.#file ?? -1, bytes, from, bytes.length - from, at + from)
        if (count === 0) throw new Error('internal error: a temporary file of numbers is cut short')
        from += count
      }
      yield width === 2 ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer)
    }
  }

  /** Forget everything. Whoever named the folder removes it. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#blocks.length = 0
  }
}

function openFile(folder: string): number {
  mkdirSync(folder, {recursive: true, mode: 0o700})
  return openSync(join(folder, String(threadId)), 'wx+', 0o600)
}
