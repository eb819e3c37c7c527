import {mixBits} from '../../base/numeric/index.ts'
import {GrowingArray, growingIntegers} from './growing-array.ts'

/** The start of a hash of bytes; each byte is added by `Math.imul(hash ^ byte, HASH_FACTOR)` (FNV-1a). */
export const HASH_START = 0x811c9dc5 | 0
export const HASH_FACTOR = 0x01000193

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', {ignoreBOM: true})

/** Half of a surrogate pair, which UTF-8 cannot hold. */
const LONE_SURROGATE = /\p{Cs}/u

/**
 * Numbers the tokens of each field by first occurrence. A token is found by its bytes in UTF-8, so that reading a known one
 * makes no string; or by its text. A hash table with open addressing over typed arrays.
 */
export class TokenTable {
  readonly #names: string[] = []
  readonly #fields = growingIntegers()
  readonly #hashes = growingIntegers()
  readonly #starts = growingIntegers()
  readonly #bytes = new GrowingArray(size => new Uint8Array(size), 1 << 14)
  /** Per field: the tokens that were asked for as text. */
  readonly #texts: Map<string, number>[] = []
  /** Token number plus one; 0 is free. At most half of the slots are taken. */
  #slots = new Uint32Array(4096)

  constructor() {
    this.#starts.push(0)
  }

  get size(): number {
    return this.#names.length
  }

  name(token: number): string {
    return this.#names[token]
  }

  field(token: number): number {
    return this.#fields.values[token]
  }

  /** The number of the token with the bytes at `from` to `to`, which are valid UTF-8 with this hash. */
  numberOf(field: number, bytes: Uint8Array, from: number, to: number, hash: number): number {
    // FNV leaves the lowest bits alike for similar bytes. Mixing loses nothing, so equal bytes of different fields differ here.
    const mixed = mixBits(hash ^ Math.imul(field, 0x9e3779b1))
    const mask = this.#slots.length - 1
    for (let slot = mixed & mask; ; slot = (slot + 1) & mask) {
      const taken = this.#slots[slot]
      if (taken === 0) {
        const token = this.#add(field, bytes, from, to, mixed)
        this.#slots[slot] = token + 1
        if (2 * this.size > this.#slots.length) this.#grow()
        return token
      }
      if (this.#hashes.values[taken - 1] === mixed && this.#isSame(taken - 1, bytes, from, to)) return taken - 1
    }
  }

  /** The number of the token with this text. */
  numberOfText(field: number, text: string): number {
    while (this.#texts.length <= field) this.#texts.push(new Map())
    const known = this.#texts[field].get(text)
    if (known !== undefined) return known
    const token = LONE_SURROGATE.test(text)
      ? this.#addText(field, text)
      : this.#numberOfBytes(field, encoder.encode(text))
    // The copy of the table: a slice would keep the whole text alive.
    this.#texts[field].set(this.#names[token], token)
    return token
  }

  #numberOfBytes(field: number, bytes: Uint8Array): number {
    let hash = HASH_START
    for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ bytes[at], HASH_FACTOR)
    return this.numberOf(field, bytes, 0, bytes.length, hash)
  }

  #add(field: number, bytes: Uint8Array, from: number, to: number, hash: number): number {
    const token = this.#names.push(decoder.decode(bytes.subarray(from, to))) - 1
    this.#fields.push(field)
    this.#hashes.push(hash)
    this.#starts.push(this.#bytes.append(bytes, from, to))
    return token
  }

  /** A token that only its text finds. */
  #addText(field: number, text: string): number {
    this.#fields.push(field)
    this.#hashes.push(0)
    // A byte that no UTF-8 has, so that no bytes are the same.
    this.#starts.push(this.#bytes.append([0xff]))
    return this.#names.push(text.split('').join('')) - 1
  }

  #isSame(token: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts.values[token]
    const length = to - from
    if (this.#starts.values[token + 1] - start !== length) return false
    const known = this.#bytes.values
    for (let at = 0; at < length; at++) if (known[start + at] !== bytes[from + at]) return false
    return true
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length)
    const mask = slots.length - 1
    for (let token = 0; token < this.size; token++) {
      let slot = this.#hashes.values[token] & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = token + 1
    }
    this.#slots = slots
  }
}
