import {checkOptions, type Rules, whole, withDefaults, within} from '../../base/checks/index.ts'
import {growingIntegers} from '../../base/numeric/index.ts'
import type {Corpus, EncodedDocuments, PackedDocuments} from '../data/index.ts'
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

class DocumentPacker {
  readonly #wordStarts = growingIntegers()
  readonly #words = growingIntegers()
  readonly #memberStarts = growingIntegers()
  readonly #members = growingIntegers()

  constructor() {
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

/** Packed documents are counted when they take this many numbers of 4 bytes. */
const BUFFER_SIZE = 16_000_000

/**
 * Counts documents one at a time, without their labels: packs some, counts them together, and adds the parts up, a part to one that is at
 * most twice as large. Memory grows with the counts, 8 bytes per cell, not with the number of documents.
 */
export class Counter {
  readonly #header: CountsHeader
  readonly #bufferSize: number
  readonly #packer = new DocumentPacker()
  /** From large to small. */
  readonly #parts: Counts[] = []

  constructor(header: CountsHeader, bufferSize = BUFFER_SIZE) {
    this.#header = header
    this.#bufferSize = bufferSize
  }

  add(evidence: CountedEvidence): void {
    this.#packer.add(evidence)
    if (this.#packer.size >= this.#bufferSize) this.#countPacked()
  }

  finish(): Counts {
    this.#countPacked()
    while (this.#parts.length > 1) this.#addLastTwo()
    return this.#parts[0] ?? new CountsWriter(this.#header).finish()
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

/** Documents whose members and words are read in any order, as lists that are valid until the next call. */
export interface NumberedDocuments {
  readonly documentCount: number
  members(document: number): ArrayLike<number>
  /** Not fewer than the words. */
  mostWords(document: number): number
  words(document: number): Uint32Array
}

/**
 * Count documents, grouped by anchor pattern, without their labels.
 *
 * Documents are ordered by pattern, then each pattern in turn adds up its words in one row of cells that stays in the
 * processor's cache. Cost: one increment per word; memory, besides the result and the patterns, two numbers per
 * document.
 */
export function countNumbered(header: CountsHeader, documents: NumberedDocuments): Counts {
  const {patterns, rows, sizes, most, ordered} = orderByPattern(documents)
  const n = header.lexicon.words.length
  const cells = new Uint32Array(n)
  /** One bit for each cell that is not 0. */
  const bits = new Uint32Array(Math.ceil(n / 32))
  // Memory that is never written to is never taken, but a list that grows is there twice.
  const writer = new CountsWriter(
    header,
    patterns.reduce((sum, p) => sum + Math.min(n, most[p]), 1)
  )
  let at = 0
  for (const p of patterns) {
    for (const end = at + sizes[p]; at < end; at++) {
      const words = documents.words(ordered[at])
      for (let place = 0; place < words.length; place++) {
        const j = words[place]
        cells[j]++
        bits[j >>> 5] |= 1 << (j & 31)
      }
    }
    for (let group = 0; group < bits.length; group++) {
      for (let left = bits[group]; left !== 0; left &= left - 1) {
        const j = 32 * group + 31 - Math.clz32(left & -left)
        writer.addWord(j, cells[j])
        cells[j] = 0
      }
      bits[group] = 0
    }
    writer.endPattern(rows.members, rows.memberStarts[p], rows.memberStarts[p + 1], sizes[p])
  }
  return writer.finish()
}

/** The patterns of documents in order, by the place of each in `rows`, and all documents in the order of their patterns. */
function orderByPattern({documentCount, members: membersOf, mostWords}: NumberedDocuments) {
  const numbers = new Map<string, number>()
  const patternOf = new Uint32Array(documentCount)
  const [members, starts, sizes, most] = [0, 0, 0, 0].map(() => growingIntegers())
  starts.push(0)
  for (let d = 0; d < documentCount; d++) {
    const own = membersOf(d)
    let key = ''
    for (let at = 0; at < own.length; at++) key += `${own[at]},`
    const known = numbers.get(key)
    patternOf[d] = known ?? numbers.size
    if (known === undefined) {
      numbers.set(key, numbers.size)
      starts.push(members.append(own))
      sizes.push(0)
      most.push(0)
    }
    sizes.values[patternOf[d]]++
    most.values[patternOf[d]] += mostWords(d)
  }
  const rows = {members: members.values, memberStarts: starts.values}
  const patterns = Uint32Array.from(numbers.values()).sort((p, q) => compareRows(rows, p, rows, q))
  const places = new Uint32Array(patterns.length)
  let end = 0
  for (const p of patterns) {
    places[p] = end
    end += sizes.values[p]
  }
  const ordered = new Uint32Array(documentCount)
  for (let d = 0; d < documentCount; d++) ordered[places[patternOf[d]]++] = d
  return {patterns, rows, sizes: sizes.values, most: most.values, ordered}
}

/** {@link countNumbered} of packed documents. */
export function countPacked(header: CountsHeader, documents: PackedDocuments): Counts {
  const {documentCount, words, wordStarts, members, memberStarts} = documents
  return countNumbered(header, {
    documentCount,
    members: d => members.subarray(memberStarts[d], memberStarts[d + 1]),
    mostWords: d => wordStarts[d + 1] - wordStarts[d],
    words: d => words.subarray(wordStarts[d], wordStarts[d + 1])
  })
}

/** Count the labels of a document whose `anchors` fire: cell `4*i + 2*y + a`. */
export function addLabels(labelled: Float64Array, anchors: readonly number[], labels: Int8Array): void {
  const fired = new Set(anchors)
  for (let i = 0; i < labels.length; i++) if (labels[i] >= 0) labelled[4 * i + 2 * labels[i] + (fired.has(i) ? 1 : 0)]++
}

/** Count the documents of a corpus, grouped by anchor pattern. */
export function countCorpus({lexicon, documents}: Corpus, options?: Partial<CountOptions>): Counts {
  const header = {lexicon, ...checkCountOptions(withDefaults('countCorpus', countDefaults, options))}
  const counter = new Counter(header)
  const labelled = new Float64Array(4 * lexicon.anchors.length)
  for (const document of documents) {
    counter.add(document)
    const {key, anchors, labels} = document
    if (labels !== undefined && isLabelled(header, key)) addLabels(labelled, anchors, labels)
  }
  return {...counter.finish(), labelled}
}

/** Count the documents of an index: the counts of {@link countCorpus}, to the byte. */
export function countEncoded(encoded: EncodedDocuments, options?: Partial<CountOptions>): Counts {
  const {lexicon, documents} = encoded
  const header = {lexicon, ...checkCountOptions(withDefaults('countEncoded', countDefaults, options))}
  const labelled = new Float64Array(4 * lexicon.anchors.length)
  for (let d = 0; header.labelShare > 0 && d < documents.documentCount; d++) {
    const labels = encoded.labels(d)
    if (labels !== undefined && isLabelled(header, encoded.key(d)))
      addLabels(labelled, encoded.evidence(d).anchors, labels)
  }
  return {...countPacked(header, documents), labelled}
}
