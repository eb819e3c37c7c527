import type {Evidence} from '../data/index.ts'
import {hashShare} from '../numeric/index.ts'
import {type Counts, type CountsHeader, comparePatterns, type PatternCount, packCounts} from './counts.ts'

/**
 * Counts documents one at a time. Memory grows with the number of different patterns, never beyond one cell for each
 * pattern and word, and not with the number of documents.
 */
export class Counter {
  readonly #header: CountsHeader
  readonly #patterns = new Map<string, OpenPattern>()
  readonly #labelled: Float64Array

  constructor(header: CountsHeader) {
    this.#header = header
    this.#labelled = new Float64Array(4 * header.lexicon.anchors.length)
  }

  /** Add one document; `truth` is counted only for the share of documents drawn by `key`. */
  add(evidence: Evidence, key: string, truth: Int8Array | undefined): void {
    const name = evidence.members.join()
    let pattern = this.#patterns.get(name)
    if (pattern === undefined) {
      pattern = new OpenPattern(evidence.members, this.#header.lexicon.words.length)
      this.#patterns.set(name, pattern)
    }
    pattern.add(evidence.words)
    const {labelShare, seed} = this.#header
    if (truth === undefined || labelShare === 0 || (labelShare < 1 && hashShare(key, seed) >= labelShare)) return
    const fired = new Set(evidence.anchors)
    for (let i = 0; i < truth.length; i++)
      if (truth[i] >= 0) this.#labelled[4 * i + 2 * truth[i] + (fired.has(i) ? 1 : 0)]++
  }

  finish(): Counts {
    const scratch = new Float64Array(this.#header.lexicon.words.length)
    const patterns = [...this.#patterns.values()]
      .sort((a, b) => comparePatterns(a.members, b.members))
      .map(pattern => pattern.close(scratch))
    return packCounts(this.#header, patterns, this.#labelled)
  }
}

/**
 * The words of one pattern while counting: a list of occurrences as long as that is shorter than one cell per word, then
 * one cell per word. Most patterns are rare and stay lists; the common ones become dense, where adding is one increment.
 */
class OpenPattern {
  readonly members: readonly number[]
  documents = 0
  #occurrences = new Uint32Array(16)
  #length = 0
  readonly #wordCount: number
  #dense: Float64Array | undefined

  constructor(members: readonly number[], wordCount: number) {
    this.members = members
    this.#wordCount = wordCount
  }

  add(words: readonly number[]): void {
    this.documents++
    if (this.#dense === undefined && this.#length + words.length > 2 * this.#wordCount) this.#spread()
    if (this.#dense !== undefined) {
      for (let at = 0; at < words.length; at++) this.#dense[words[at]]++
      return
    }
    const needed = this.#length + words.length
    if (needed > this.#occurrences.length) {
      const longer = new Uint32Array(Math.max(needed, 2 * this.#occurrences.length))
      longer.set(this.#occurrences)
      this.#occurrences = longer
    }
    this.#occurrences.set(words, this.#length)
    this.#length = needed
  }

  /** The words in ascending order with their counts; `scratch` has a zero for every word, and again afterwards. */
  close(scratch: Float64Array): PatternCount {
    const {members, documents} = this
    const seen = this.#dense ?? scratch
    const wordIds = this.#dense === undefined ? this.#countInto(scratch) : nonZeros(this.#dense)
    const wordCounts = new Float64Array(wordIds.length)
    for (let at = 0; at < wordIds.length; at++) {
      wordCounts[at] = seen[wordIds[at]]
      scratch[wordIds[at]] = 0
    }
    return {members, documents, wordIds, wordCounts}
  }

  /** Count the listed occurrences into `counts`, and return the words that there are, ascending. */
  #countInto(counts: Float64Array): Uint32Array {
    const list = this.#occurrences.slice(0, this.#length)
    let distinct = 0
    for (let at = 0; at < list.length; at++) if (counts[list[at]]++ === 0) list[distinct++] = list[at]
    return list.subarray(0, distinct).sort()
  }

  #spread(): void {
    const dense = new Float64Array(this.#wordCount)
    for (let at = 0; at < this.#length; at++) dense[this.#occurrences[at]]++
    this.#dense = dense
    this.#occurrences = new Uint32Array(0)
  }
}

function nonZeros(values: Float64Array): Uint32Array {
  const at: number[] = []
  for (let j = 0; j < values.length; j++) if (values[j] > 0) at.push(j)
  return Uint32Array.from(at)
}
