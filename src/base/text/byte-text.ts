import {writeDecimal} from './decimal-bytes.ts'

/** More than any number has as text. */
const NUMBER_ROOM = 32

/** Text that grows as UTF-8: for files with millions of numbers, far faster than strings. */
export class ByteText {
  readonly #encoder = new TextEncoder()
  #bytes = new Uint8Array(1024)
  #length = 0

  /** In bytes. */
  get length(): number {
    return this.#length
  }

  text(text: string): void {
    this.#reserve(3 * text.length)
    const bytes = this.#bytes
    let at = this.#length
    for (let k = 0; k < text.length; k++) {
      const code = text.charCodeAt(k)
      if (code > 127) {
        at += this.#encoder.encodeInto(text.slice(k), bytes.subarray(at)).written
        break
      }
      bytes[at++] = code
    }
    this.#length = at
  }

  bytes(part: Uint8Array): void {
    this.#reserve(part.length)
    const bytes = this.#bytes
    const from = this.#length
    // A loop, since `set` takes longer for some tens of bytes.
    for (let k = 0; k < part.length; k++) bytes[from + k] = part[k]
    this.#length += part.length
  }

  /** As `String` writes it. */
  number(value: number): void {
    this.#reserve(NUMBER_ROOM)
    const end = writeDecimal(value, this.#bytes, this.#length)
    if (end < 0) this.text(String(value))
    else this.#length = end
  }

  /** All of it, in an ArrayBuffer of its own; the next text begins empty. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = new Uint8Array(this.#bytes.length)
    this.#length = 0
    return taken
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
