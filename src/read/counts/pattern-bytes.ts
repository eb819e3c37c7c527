import {GrowingArray} from '../data/index.ts'

/**
 * Writes the patterns of a counts file. A pattern is its members, its number of documents, its words, and their counts: lists of ascending ids are a length and differences to the id before. Numbers are variable-length
 * integers up to 2^53: seven bits per byte, the least significant first; the high bit marks continuation. A cell of a pattern
 * and a word takes about two bytes.
 */
export class ByteWriter extends GrowingArray<Uint8Array> {
  constructor() {
    super(size => new Uint8Array(size), 1 << 16)
  }

  integer(value: number): void {
    this.length = putInteger(this.reserve(8), this.length, value)
  }

  /** Ascending ids, from one place of an array up to another. */
  ascending(ids: ArrayLike<number>, from: number, to: number): void {
    this.integer(to - from)
    const bytes = this.reserve(8 * (to - from))
    let at = this.length
    let before = 0
    for (let place = from; place < to; place++) {
      const step = ids[place] - before
      before = ids[place]
      if (step < 128) bytes[at++] = step
      else at = putInteger(bytes, at, step)
    }
    this.length = at
  }

  integers(values: ArrayLike<number>, from: number, to: number): void {
    const bytes = this.reserve(8 * (to - from))
    let at = this.length
    for (let place = from; place < to; place++) {
      if (values[place] < 128) bytes[at++] = values[place]
      else at = putInteger(bytes, at, values[place])
    }
    this.length = at
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length).set(bytes, this.length)
    this.length += bytes.length
  }

  /** The bytes so far, as a view that is valid until the next is written. */
  written(): Uint8Array {
    return this.values.subarray(0, this.length)
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
  readonly bytes: Uint8Array
  readonly #end: number
  at: number

  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = from
    this.#end = end
  }

  get isAtEnd(): boolean {
    return this.at === this.#end
  }

  integer(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      if (this.at >= this.#end) throw cutShort()
      const byte = this.bytes[this.at++]
      value += (byte & 127) * scale
      if (value > Number.MAX_SAFE_INTEGER || scale > Number.MAX_SAFE_INTEGER) throw new Error('a number is too large')
      if (byte < 128) return value
    }
  }

  /** Ascending ids below the length of `ids`, which takes them; returns their number, or undefined where they are not. */
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

  integers(values: Float64Array, count: number): void {
    for (let place = 0; place < count; place++) values[place] = this.integer()
  }

  take(length: number): Uint8Array {
    if (length > this.#end - this.at) throw cutShort()
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
}

function cutShort(): Error {
  return new Error('the file is cut short')
}
