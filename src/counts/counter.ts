import type {Evidence} from '../data/index.ts'
import {hashShare} from '../numeric/index.ts'
import {type Counts, type CountsHeader, comparePatterns, packCounts} from './counts.ts'

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
    const patterns = [...this.#patterns.values()]
      .sort((a, b) => comparePatterns(a.members, b.members))
      .map(pattern => pattern.close())
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
  #occurrences: Uint32Array<ArrayBuffer> | undefined = new Uint32Array(16)
  #length = 0
  readonly #wordCount: number
  #dense: Float64Array | undefined

  constructor(members: readonly number[], wordCount: number) {
    this.members = members
    this.#wordCount = wordCount
  }

  add(words: readonly number[]): void {
    this.documents++
    if (this.#occurrences !== undefined && this.#length + words.length > 2 * this.#wordCount) this.#spread()
    if (this.#dense !== undefined) {
      for (let at = 0; at < words.length; at++) this.#dense[words[at]]++
      return
    }
    const needed = this.#length + words.length
    let list = this.#occurrences as Uint32Array<ArrayBuffer>
    if (needed > list.length) {
      const longer = new Uint32Array(Math.max(needed, 2 * list.length))
      longer.set(list)
      this.#occurrences = list = longer
    }
    list.set(words, this.#length)
    this.#length = needed
  }

  close(): {members: readonly number[]; documents: number; wordIds: Uint32Array; wordCounts: Float64Array} {
    const {members, documents} = this
    if (this.#dense === undefined && this.#length * 4 > this.#wordCount) this.#spread()
    if (this.#dense !== undefined) {
      const dense = this.#dense
      const wordIds = Uint32Array.from(dense.keys()).filter(j => dense[j] > 0)
      return {members, documents, wordIds, wordCounts: Float64Array.from(wordIds, j => dense[j])}
    }
    const sorted = (this.#occurrences ?? new Uint32Array(0)).slice(0, this.#length).sort()
    const wordIds: number[] = []
    const wordCounts: number[] = []
    for (const j of sorted) {
      if (wordIds.at(-1) === j) wordCounts[wordCounts.length - 1]++
      else {
        wordIds.push(j)
        wordCounts.push(1)
      }
    }
    return {members, documents, wordIds: Uint32Array.from(wordIds), wordCounts: Float64Array.from(wordCounts)}
  }

  #spread(): void {
    const dense = new Float64Array(this.#wordCount)
    const list = this.#occurrences ?? new Uint32Array(0)
    for (let at = 0; at < this.#length; at++) dense[list[at]]++
    this.#dense = dense
    this.#occurrences = undefined
  }
}
