import {GrowingArray, type Lexicon} from '../data/index.ts'

/**
 * Patterns as bytes, in the counts file and while documents are counted. A pattern is its members, its number of documents, its
 * words, and their counts: lists of ascending ids are a length and differences to the id before. Numbers are variable-length
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
export function putInteger(bytes: Uint8Array, from: number, value: number): number {
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
    const {bytes} = this
    let {at} = this
    for (let place = 0, before = 0; place < count; place++) {
      let step = at < this.#end ? bytes[at++] : 128
      if (step >= 128) {
        this.at = at - 1
        step = this.integer()
        at = this.at
      }
      const id = before + step
      if (id >= ids.length || (step === 0 && place > 0)) return undefined
      ids[place] = id
      before = id
    }
    this.at = at
    return count
  }

  /** Fill the first places of an array. */
  integers(values: Float64Array, count: number): void {
    const {bytes} = this
    let {at} = this
    for (let place = 0; place < count; place++) {
      let value = at < this.#end ? bytes[at++] : 128
      if (value >= 128) {
        this.at = at - 1
        value = this.integer()
        at = this.at
      }
      values[place] = value
    }
    this.at = at
  }

  skipIntegers(count: number): void {
    const {bytes} = this
    let {at} = this
    for (let left = count; left > 0; at++) {
      if (at >= this.#end) throw cutShort()
      if (bytes[at] < 128) left--
    }
    this.at = at
  }

  take(length: number): Uint8Array {
    if (length > this.#end - this.at) throw cutShort()
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
}

/** How many members and words there are. */
export interface PatternSizes {
  readonly memberCount: number
  readonly wordCount: number
}

export function sizesOf({anchors, words}: Lexicon): PatternSizes {
  return {memberCount: anchors.reduce((sum, {any}) => sum + any.length, 0), wordCount: words.length}
}

/** The words of one pattern after another, with their counts: room for the whole vocabulary. */
export interface WordList {
  readonly ids: Uint32Array
  readonly counts: Float64Array
}

export function createWordList({wordCount}: PatternSizes): WordList {
  return {ids: new Uint32Array(wordCount), counts: new Float64Array(wordCount)}
}

/** Reads one pattern after another, and checks each: its members and words exist, each once, in order, with possible counts. */
export class PatternReader {
  /** Room for all members; those of the pattern come first. */
  readonly members: Uint32Array
  memberCount = 0
  documents = 0
  /** How many patterns were read. */
  #number = 0

  constructor({memberCount}: PatternSizes) {
    this.members = new Uint32Array(memberCount)
  }

  /** Read the members and the number of documents; the words come next, to be read or skipped. */
  next(input: ByteReader): void {
    this.#number++
    const all = this.members.length
    const count = input.ascending(this.members)
    if (count === undefined) throw this.fault(`must name some of the ${all} anchor features, each once, in order`)
    this.memberCount = count
    this.documents = input.integer()
    if (this.documents === 0) throw this.fault('has no documents')
  }

  /** Read the words; returns their number. */
  words(input: ByteReader, {ids, counts}: WordList): number {
    const count = input.ascending(ids)
    if (count === undefined) throw this.fault(`must name some of the ${ids.length} words, each once, in order`)
    input.integers(counts, count)
    const {documents} = this
    for (let at = 0; at < count; at++)
      if (counts[at] === 0 || counts[at] > documents)
        throw this.fault(
          `has ${documents} documents, so a word occurs in 1 to ${documents} of them, not in ${counts[at]}`
        )
    return count
  }

  fault(what: string): Error {
    return new Error(`its pattern ${this.#number} ${what}`)
  }
}

/** The order of patterns, as that of `compareRows`. */
export function compareMembers(a: Pick<PatternReader, 'members' | 'memberCount'>, b: typeof a): number {
  const [length, other] = [a.memberCount, b.memberCount]
  for (let at = 0; at < length && at < other; at++) {
    const difference = a.members[at] - b.members[at]
    if (difference !== 0) return difference
  }
  return length - other
}

function cutShort(): Error {
  return new Error('the file is cut short')
}
