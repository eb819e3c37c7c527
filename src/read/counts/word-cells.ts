import type {CountsWriter} from './counts.ts'

/**
 * Adds up the words of one pattern after another: one cell per word of the vocabulary, and a list of the nonzero ones.
 * Cost: one increment per occurrence, and sorting the words of each pattern: by one bit per word of the vocabulary, or by
 * comparison when the words are few.
 */
export class WordCells {
  readonly #cells: Uint32Array
  readonly #found: Uint32Array
  readonly #bits: Uint32Array
  #count = 0

  constructor(wordCount: number) {
    this.#bits = new Uint32Array(Math.ceil(wordCount / 32))
    this.#cells = new Uint32Array(wordCount)
    this.#found = new Uint32Array(wordCount)
  }

  /** Count the words at `from` to `to` once each. */
  addOccurrences(words: Uint32Array, from: number, to: number): void {
    const cells = this.#cells
    const found = this.#found
    let count = this.#count
    for (let at = from; at < to; at++) {
      const j = words[at]
      if (cells[j]++ === 0) found[count++] = j
    }
    this.#count = count
  }

  /** Write the words in ascending order with their counts, and start over. */
  moveTo({wordIds, wordCounts}: CountsWriter): void {
    const cells = this.#cells
    const found = this.#found
    const count = this.#count
    this.#sortFound()
    wordIds.append(found, 0, count)
    const counts = wordCounts.reserve(count)
    let end = wordCounts.length
    for (let at = 0; at < count; at++) {
      counts[end++] = cells[found[at]]
      cells[found[at]] = 0
    }
    wordCounts.length = end
    this.#count = 0
  }

  #sortFound(): void {
    const found = this.#found
    const count = this.#count
    let ascending = 1
    while (ascending < count && found[ascending - 1] < found[ascending]) ascending++
    if (ascending >= count) return
    if (4 * count < this.#bits.length) found.subarray(0, count).sort()
    else this.#sortByBits()
  }

  #sortByBits(): void {
    const found = this.#found
    const bits = this.#bits
    for (let at = 0; at < this.#count; at++) bits[found[at] >>> 5] |= 1 << (found[at] & 31)
    let at = 0
    for (let group = 0; group < bits.length; group++) {
      for (let left = bits[group]; left !== 0; left &= left - 1)
        found[at++] = 32 * group + 31 - Math.clz32(left & -left)
      bits[group] = 0
    }
  }
}
