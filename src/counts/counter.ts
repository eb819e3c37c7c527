import type {Evidence} from '../data/index.ts'
import {type Counts, type CountsHeader, comparePatterns, isLabelled, type PatternCount, packCounts} from './counts.ts'

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
    if (truth === undefined || !isLabelled(this.#header, key)) return
    const fired = new Set(evidence.anchors)
    for (let i = 0; i < truth.length; i++)
      if (truth[i] >= 0) this.#labelled[4 * i + 2 * truth[i] + (fired.has(i) ? 1 : 0)]++
  }

  finish(): Counts {
    const patterns = [...this.#patterns.values()].sort((a, b) => comparePatterns(a.members, b.members))
    return packCounts(this.#header, closeAll(patterns, this.#header.lexicon.words.length), this.#labelled)
  }
}

/** The patterns one by one; their words are views of buffers that the next pattern uses again. */
function* closeAll(patterns: readonly OpenPattern[], wordCount: number): Generator<PatternCount> {
  const buffers = {
    cells: new Float64Array(wordCount),
    wordIds: new Uint32Array(wordCount),
    wordCounts: new Float64Array(wordCount)
  }
  for (const pattern of patterns) yield pattern.close(buffers)
}

interface CloseBuffers {
  /** A zero for every word, and again afterwards. */
  readonly cells: Float64Array
  readonly wordIds: Uint32Array
  readonly wordCounts: Float64Array
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
    for (let at = 0; at < words.length; at++) this.#occurrences[this.#length + at] = words[at]
    this.#length = needed
  }

  /** The words in ascending order with their counts, as views of the buffers. */
  close({cells, wordIds, wordCounts}: CloseBuffers): PatternCount {
    const counts = this.#dense ?? cells
    const distinct = this.#dense === undefined ? this.#countInto(cells, wordIds) : 0
    let found = 0
    // A short list is sorted; for a long one it is quicker to look at every word.
    if (this.#dense === undefined && 16 * distinct < this.#wordCount)
      found = wordIds.subarray(0, distinct).sort().length
    else for (let j = 0; j < counts.length; j++) if (counts[j] > 0) wordIds[found++] = j
    for (let at = 0; at < found; at++) {
      wordCounts[at] = counts[wordIds[at]]
      cells[wordIds[at]] = 0
    }
    const {members, documents} = this
    return {members, documents, wordIds: wordIds.subarray(0, found), wordCounts: wordCounts.subarray(0, found)}
  }

  /** Count the listed occurrences, and put each word that there is into `wordIds`; how many there are. */
  #countInto(cells: Float64Array, wordIds: Uint32Array): number {
    let distinct = 0
    for (let at = 0; at < this.#length; at++) {
      const j = this.#occurrences[at]
      if (cells[j]++ === 0) wordIds[distinct++] = j
    }
    return distinct
  }

  #spread(): void {
    const dense = new Float64Array(this.#wordCount)
    for (let at = 0; at < this.#length; at++) dense[this.#occurrences[at]]++
    this.#dense = dense
    this.#occurrences = new Uint32Array(0)
  }
}
