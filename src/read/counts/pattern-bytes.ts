import {GrowingArray} from '../../base/numeric/index.ts'

/**
 * Variable-length integers up to 2^53: seven bits per byte, the least significant first; the high bit marks
 * continuation. A list of ascending ids is written as its length and differences to the id before, so a cell of a
 * pattern and a word takes about two bytes.
 */
export class ByteWriter extends GrowingArray<Uint8Array> {
  constructor() {
    super(size => new Uint8Array(size), 1 << 16)
  }

  integer(value: number): void {
    this.length = putInteger(this.reserve(8), this.length, value)
  }

  /** Values from one place of an array up to another. */
  integers(values: ArrayLike<number>, from: number, to: number): void {
    const bytes = this.reserve(8 * (to - from))
    for (let at = from; at < to; at++) this.length = putInteger(bytes, this.length, values[at])
  }

  ascending(ids: ArrayLike<number>, from: number, to: number): void {
    this.integer(to - from)
    const bytes = this.reserve(8 * (to - from))
    for (let at = from; at < to; at++)
      this.length = putInteger(bytes, this.length, at === from ? ids[at] : ids[at] - ids[at - 1])
  }
}

/** Write an integer at a place where there is room for 8 bytes; returns the place behind it. */
function putInteger(bytes: Uint8Array, from: number, value: number): number {
  let at = from
  let left = value
  while (left >= 128) {
    bytes[at++] = (left % 128) + 128
    left = Math.floor(left / 128)
  }
  bytes[at++] = left
  return at
}

export class ByteReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes
    this.#at = from
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  integer(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      if (this.isAtEnd) throw cutShort()
      const byte = this.#bytes[this.#at++]
      value += (byte & 127) * scale
      if (value > Number.MAX_SAFE_INTEGER || scale > Number.MAX_SAFE_INTEGER) throw new Error('a number is too large')
      if (byte < 128) return value
    }
  }

  /**
   * Ascending ids below the length of `ids`, which takes them; returns their number, or undefined where they are not.
   */
  ascending(ids: Uint32Array): number | undefined {
    const count = this.integer()
    if (count > ids.length) return undefined
    for (let place = 0, id = 0; place < count; place++) {
      const step = this.integer()
      id += step
      if (id >= ids.length || (step === 0 && place > 0)) return undefined
      ids[place] = id
    }
    return count
  }

  take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw cutShort()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}

function cutShort(): Error {
  return new Error('the file is cut short')
}
