import {mixBits} from '../../base/numeric/index.ts'
import {growingIntegers} from '../data/index.ts'
import {compareRows, type MemberRows} from './counts.ts'

/**
 * Numbers anchor patterns by first occurrence. A hash table with open addressing over typed arrays; known patterns
 * allocate nothing.
 */
export class PatternTable {
  readonly #starts = growingIntegers()
  readonly #members = growingIntegers()
  readonly #hashes = growingIntegers()
  /** Pattern number plus one; 0 is free. At most half of the slots are taken. */
  #slots = new Uint32Array(2048)

  constructor() {
    this.#starts.push(0)
  }

  get size(): number {
    return this.#hashes.length
  }

  /** The number of the pattern with the ascending members at `from` to `to`. */
  numberOf(members: Uint32Array, from: number, to: number): number {
    let hash = 0x811c9dc5
    for (let at = from; at < to; at++) hash = mixBits(hash ^ members[at])
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const taken = this.#slots[slot]
      if (taken === 0) {
        this.#slots[slot] = this.size + 1
        this.#hashes.push(hash)
        this.#starts.push(this.#members.append(members, from, to))
        if (2 * this.size > this.#slots.length) this.#grow()
        return this.size - 1
      }
      if (this.#hashes.values[taken - 1] === hash && this.#isSame(taken - 1, members, from, to)) return taken - 1
    }
  }

  /** Pattern numbers in the order of {@link compareRows}. */
  sorted(): Uint32Array {
    const rows = this.rows()
    return Uint32Array.from({length: this.size}, (_, p) => p).sort((a, b) => compareRows(rows, a, rows, b))
  }

  /** The members of all patterns, as views that are valid until the next new pattern. */
  rows(): MemberRows {
    return {memberStarts: this.#starts.values, members: this.#members.values}
  }

  #isSame(pattern: number, members: Uint32Array, from: number, to: number): boolean {
    const start = this.#starts.values[pattern]
    if (this.#starts.values[pattern + 1] - start !== to - from) return false
    const known = this.#members.values
    for (let at = from; at < to; at++) if (known[start + at - from] !== members[at]) return false
    return true
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length)
    const mask = slots.length - 1
    for (let pattern = 0; pattern < this.size; pattern++) {
      let slot = this.#hashes.values[pattern] & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = pattern + 1
    }
    this.#slots = slots
  }
}
