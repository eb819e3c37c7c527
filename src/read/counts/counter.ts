import {checkOptions, type Rules, whole, withDefaults, within} from '../../base/checks/index.ts'
import {
  type Corpus,
  type EncodedDocuments,
  type GrowingArray,
  growingIntegers,
  type PackedDocuments
} from '../data/index.ts'
import {type Counts, type CountsHeader, CountsWriter, compareRows, isLabelled} from './counts.ts'
import {addPatterns} from './merge-counts.ts'

export interface CountOptions {
  /** Share of documents whose tags or labels are counted, to estimate rates; 0 leaves them unread. */
  readonly labelShare: number
  readonly seed: number
}

export const countDefaults: CountOptions = {labelShare: 0, seed: 0}
const rules: Rules<CountOptions> = {labelShare: within(0, 1), seed: whole()}

export function checkCountOptions<T extends CountOptions>(options: T): T {
  const {labelShare, seed} = options
  checkOptions('counting', countDefaults, rules, {labelShare, seed})
  return options
}

/** What counts of a document, the words in any order. */
export interface CountedEvidence {
  readonly words: ArrayLike<number>
  readonly members: ArrayLike<number>
}

export class DocumentPacker {
  readonly #wordStarts = growingIntegers()
  readonly #words: GrowingArray<Uint32Array>
  readonly #memberStarts = growingIntegers()
  readonly #members = growingIntegers()

  /** Has room for so many words; it grows beyond. */
  constructor(words?: number) {
    this.#words = growingIntegers(words)
    this.clear()
  }

  /** Numbers held: words and members of all documents, and two per document. */
  get size(): number {
    return this.#words.length + this.#members.length + 2 * this.#wordStarts.length
  }

  add({words, members}: CountedEvidence): void {
    this.#wordStarts.push(this.#words.append(words))
    this.#memberStarts.push(this.#members.append(members))
  }

  /** Returns the documents added, as views that are valid until the next `add` or `clear`. */
  documents(): PackedDocuments {
    return {
      documentCount: this.#wordStarts.length - 1,
      wordStarts: this.#wordStarts.values.subarray(0, this.#wordStarts.length),
      words: this.#words.values.subarray(0, this.#words.length),
      memberStarts: this.#memberStarts.values.subarray(0, this.#memberStarts.length),
      members: this.#members.values.subarray(0, this.#members.length)
    }
  }

  clear(): void {
    for (const starts of [this.#wordStarts, this.#memberStarts]) {
      starts.length = 0
      starts.push(0)
    }
    this.#words.length = 0
    this.#members.length = 0
  }
}

/**
 * Adds up the words of one pattern after another: one cell per word of the vocabulary, and a list of the nonzero ones.
 */
class WordCells {
  readonly #cells: Uint32Array
  readonly #found: Uint32Array
  readonly #bits: Uint32Array
  #count = 0

  constructor(wordCount: number) {
    this.#cells = new Uint32Array(wordCount)
    this.#found = new Uint32Array(wordCount)
    this.#bits = new Uint32Array(Math.ceil(wordCount / 32))
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
    if (4 * count < this.#bits.length) found.subarray(0, count).sort()
    else this.#sortByBits()
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

  /** One bit per word of the vocabulary is faster than comparisons unless the words are few. */
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

/** Packed documents are counted when they take this many numbers of 4 bytes. */
const BUFFER_SIZE = 16_000_000

/**
 * Counts documents one at a time: packs some, counts them together, and adds the parts up, a part to one that is at
 * most twice as large. Memory grows with the counts, 8 bytes per cell, not with the number of documents.
 */
export class Counter {
  readonly #header: CountsHeader
  readonly #bufferSize: number
  readonly #packer: DocumentPacker
  readonly #labelled: Float64Array
  /** From large to small. */
  readonly #parts: Counts[] = []

  /** `words` is the number of words of all documents together, if it is known. */
  constructor(header: CountsHeader, {bufferSize = BUFFER_SIZE, words = 0} = {}) {
    this.#header = header
    this.#bufferSize = bufferSize
    this.#packer = new DocumentPacker(Math.max(1024, Math.min(words, bufferSize)))
    this.#labelled = new Float64Array(4 * header.lexicon.anchors.length)
  }

  /** Add one document; the labels of its concepts count only in the share of documents drawn by `key`. */
  add(evidence: CountedEvidence & {readonly anchors?: readonly number[]}, key = '', labels?: Int8Array): void {
    this.#packer.add(evidence)
    if (labels !== undefined && isLabelled(this.#header, key)) addLabels(this.#labelled, evidence.anchors ?? [], labels)
    if (this.#packer.size >= this.#bufferSize) this.#countPacked()
  }

  finish(): Counts {
    this.#countPacked()
    while (this.#parts.length > 1) this.#addLastTwo()
    const counts = this.#parts.pop() ?? new CountsWriter(this.#header).finish()
    return {...counts, labelled: this.#labelled.slice()}
  }

  #countPacked(): void {
    const parts = this.#parts
    const documents = this.#packer.documents()
    if (documents.documentCount === 0) return
    parts.push(countPacked(this.#header, documents))
    this.#packer.clear()
    while (parts.length > 1 && parts[parts.length - 2].wordIds.length <= 2 * parts[parts.length - 1].wordIds.length)
      this.#addLastTwo()
  }

  #addLastTwo(): void {
    const [one, other] = this.#parts.splice(-2)
    this.#parts.push(addPatterns(this.#header, one, other))
  }
}

/**
 * Count documents, grouped by anchor pattern, without their labels.
 *
 * Documents are ordered by pattern, then each pattern in turn adds up its words in one row of cells that stays in the
 * processor's cache. Cost: one increment per word; memory, besides the result and the patterns, one number per
 * document.
 */
export function countPacked(header: CountsHeader, documents: PackedDocuments, labelled?: Float64Array): Counts {
  const {words, wordStarts, members, memberStarts} = documents
  const cells = new WordCells(header.lexicon.words.length)
  const writer = new CountsWriter(header, words.length)
  for (const pattern of groupByPattern(documents)) {
    const [first] = pattern
    for (const d of pattern) cells.addOccurrences(words, wordStarts[d], wordStarts[d + 1])
    cells.moveTo(writer)
    writer.endPattern(members, memberStarts[first], memberStarts[first + 1], pattern.length)
  }
  return writer.finish(labelled)
}

/** The documents of each pattern, in the order of {@link compareRows}. */
function groupByPattern(documents: PackedDocuments): readonly (readonly number[])[] {
  const {documentCount, memberStarts, members} = documents
  const patterns = new Map<string, number[]>()
  for (let d = 0; d < documentCount; d++) {
    let key = ''
    for (let at = memberStarts[d]; at < memberStarts[d + 1]; at++) key += `${members[at]},`
    const same = patterns.get(key)
    if (same === undefined) patterns.set(key, [d])
    else same.push(d)
  }
  return [...patterns.values()].sort(([a], [b]) => compareRows(documents, a, documents, b))
}

/** Count the labels of a document whose `anchors` fire: cell `4*i + 2*y + a`. */
export function addLabels(labelled: Float64Array, anchors: readonly number[], labels: Int8Array): void {
  const fired = new Set(anchors)
  for (let i = 0; i < labels.length; i++) if (labels[i] >= 0) labelled[4 * i + 2 * labels[i] + (fired.has(i) ? 1 : 0)]++
}

/** Count the documents of a corpus, grouped by anchor pattern. */
export function countCorpus({lexicon, documents}: Corpus, options?: Partial<CountOptions>): Counts {
  const {labelShare, seed} = checkCountOptions(withDefaults('countCorpus', countDefaults, options))
  const counter = new Counter({lexicon, labelShare, seed})
  for (const document of documents) counter.add(document, document.key, document.labels)
  return counter.finish()
}

/** Count the documents of an index: the counts of {@link countCorpus}, to the byte. */
export function countEncoded(encoded: EncodedDocuments, options?: Partial<CountOptions>): Counts {
  const {labelShare, seed} = checkCountOptions(withDefaults('countEncoded', countDefaults, options))
  const {lexicon, documents} = encoded
  const header = {lexicon, labelShare, seed}
  const labelled = new Float64Array(4 * lexicon.anchors.length)
  for (let d = 0; labelShare > 0 && d < documents.documentCount; d++) {
    const labels = encoded.labels(d)
    if (labels !== undefined && isLabelled(header, encoded.key(d)))
      addLabels(labelled, encoded.evidence(d).anchors, labels)
  }
  return countPacked(header, documents, labelled)
}
