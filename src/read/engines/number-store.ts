import {growingIntegers} from '../data/index.ts'

/** Keeps blocks of numbers in memory, in their order: in 2 bytes each where all of a block fit. */
export class NumberStore {
  readonly #limit: number
  #blocks: (Uint16Array | Uint32Array)[] = []
  readonly #open = growingIntegers(1 << 16)
  #most = 0
  #bytes = 0

  /** Beyond `limit` bytes, everything is forgotten. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether all numbers are still here. */
  get isWhole(): boolean {
    return this.#bytes <= this.#limit
  }

  /** Add how many numbers there are, then the numbers. */
  append(numbers: ArrayLike<number>, count: number): void {
    if (!this.isWhole) return
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
    if (!this.isWhole) return
    const numbers = this.#open.values.subarray(0, this.#open.length)
    const block = this.#most >= 65536 ? new Uint32Array(numbers) : new Uint16Array(numbers)
    this.#open.length = 0
    this.#most = 0
    this.#bytes += block.byteLength
    if (this.isWhole) this.#blocks.push(block)
    else this.#blocks = []
  }

  /** The blocks, each of which is forgotten when the next is taken. */
  *takeBlocks(): Generator<Uint16Array | Uint32Array> {
    const blocks = this.#blocks.reverse()
    this.#blocks = []
    for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) yield block
  }
}
