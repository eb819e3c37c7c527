import type {RunStore, StoredBytes} from '../counts/index.ts'
import {growingIntegers} from '../data/index.ts'

/** A block in memory or in the store. Numbers take 2 bytes where all of the block do. */
interface StoredNumbers {
  readonly content: Uint8Array | StoredBytes
  readonly byteLength: number
  readonly isWide: boolean
}

/** Keeps blocks of numbers in their order: in memory and, beyond `limit` bytes, in a store. */
export class NumberStore {
  readonly #limit: number
  readonly #store: RunStore
  readonly #blocks: StoredNumbers[] = []
  readonly #open = growingIntegers(1 << 16)
  #most = 0
  #inMemory = 0

  constructor({limit, store}: {readonly limit: number; readonly store: RunStore}) {
    this.#limit = limit
    this.#store = store
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
    const isWide = this.#most >= 65536
    const block = isWide ? new Uint32Array(numbers) : new Uint16Array(numbers)
    this.#open.length = 0
    this.#most = 0
    const {byteLength} = block
    const bytes = new Uint8Array(block.buffer)
    const isKept = this.#inMemory + byteLength <= this.#limit
    if (isKept) this.#inMemory += byteLength
    this.#blocks.push({content: isKept ? bytes : this.#store.put(bytes), byteLength, isWide})
  }

  *blocks(): Generator<Uint16Array | Uint32Array> {
    for (const {content, byteLength, isWide} of this.#blocks) {
      const {buffer} = content instanceof Uint8Array ? content : this.#store.get(content, byteLength)
      yield isWide ? new Uint32Array(buffer) : new Uint16Array(buffer)
    }
  }
}
