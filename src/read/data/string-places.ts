/** Strings by their places in the bytes of a line, and their hashes. */
export class StringPlaces {
  from = new Uint32Array(256)
  to = new Uint32Array(256)
  hash = new Int32Array(256)
  /** -1 where the line has no such list. */
  count = -1

  push(from: number, to: number, hash: number): void {
    if (this.count === this.from.length) this.#grow()
    this.from[this.count] = from
    this.to[this.count] = to
    this.hash[this.count++] = hash
  }

  #grow(): void {
    const size = 2 * this.from.length
    const longer = <T extends Uint32Array | Int32Array>(values: T, more: T): T => {
      more.set(values)
      return more
    }
    this.from = longer(this.from, new Uint32Array(size))
    this.to = longer(this.to, new Uint32Array(size))
    this.hash = longer(this.hash, new Int32Array(size))
  }
}

/** The content of a text field without escapes, lower-cased if need be; or its place, where it is not plain ASCII. */
export interface PlainText {
  /** Whether the line has the field. */
  isThere: boolean
  isAscii: boolean
  /** ASCII, from 0 up to `length`. */
  bytes: Uint8Array
  length: number
  /** The string in the bytes of the line, with its quotes. */
  from: number
  to: number
}
