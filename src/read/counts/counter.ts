import {withDefaults} from '../../base/checks/index.ts'
import type {Corpus, Evidence} from '../data/index.ts'
import {type Counts, type CountsHeader, CountsWriter} from './counts.ts'
import {addCounts} from './merge-counts.ts'
import {type CountOptions, countDefaults, DocumentPacker, type PackedDocuments, packCorpus} from './packed-documents.ts'

import {PatternTable} from './pattern-table.ts'
import {WordCells} from './word-cells.ts'

/** Numbers that documents may take, at 4 bytes each, before they are counted. */
const BUFFER_SIZE = 8_000_000

/**
 * Counts documents one at a time: some are packed, then counted together, and the counts of such parts added up two by two, as
 * when one counts in binary. Memory grows with the counts, twice over, and not with the number of documents.
 */
export class Counter {
  readonly #header: CountsHeader
  readonly #bufferSize: number
  readonly #packer: DocumentPacker
  /** Each has at most half as many words and patterns as the one before. */
  readonly #parts: Counts[] = []

  constructor(header: CountsHeader, bufferSize = BUFFER_SIZE) {
    this.#header = header
    this.#bufferSize = bufferSize
    this.#packer = new DocumentPacker(header)
  }

  /** Add one document; `truth` is counted only for the share of documents drawn by `key`. */
  add(evidence: Evidence, key: string, truth: Int8Array | undefined): void {
    this.#packer.add(evidence, key, truth)
    if (this.#packer.size >= this.#bufferSize) this.#countPacked()
  }

  finish(): Counts {
    this.#countPacked()
    const counts = this.#parts.length === 1 ? this.#parts[0] : addCounts(this.#header, this.#parts)
    return {...counts, labelled: this.#packer.labelled()}
  }

  #countPacked(): void {
    const documents = this.#packer.documents()
    const noLabels = new Float64Array(4 * this.#header.lexicon.anchors.length)
    let part = countPackedRange(this.#header, documents, 0, documents.documentCount, noLabels)
    this.#packer.clear()
    for (let last = this.#parts.at(-1); last !== undefined; last = this.#parts.at(-1)) {
      if (last.wordIds.length >= 2 * part.wordIds.length && last.patternCount >= 2 * part.patternCount) break
      part = addCounts(this.#header, [last, part])
      this.#parts.pop()
    }
    this.#parts.push(part)
  }
}

/**
 * Count the documents from one number up to another, grouped by anchor pattern, labels apart (`labelled`).
 *
 * Patterns are numbered through a hash table, documents dealt out by pattern (a counting sort), then each pattern in turn
 * adds up its words in one row of cells that stays in the processor's cache. Cost: one increment a word; memory, beside
 * the result, two numbers a document and what the patterns take.
 */
export function countPackedRange(
  header: CountsHeader,
  documents: PackedDocuments,
  from: number,
  to: number,
  labelled: Float64Array
): Counts {
  const {words, wordStarts} = documents
  const wordCount = header.lexicon.words.length
  const {table, starts, order, occurrences} = groupByPattern(documents, from, to)
  const cells = new WordCells(wordCount)
  const most = occurrences.reduce((sum, count) => sum + Math.min(count, wordCount), 0)
  const writer = new CountsWriter(header, most)
  for (const pattern of table.sorted()) {
    for (let at = starts[pattern]; at < starts[pattern + 1]; at++)
      cells.addOccurrences(words, wordStarts[order[at]], wordStarts[order[at] + 1])
    cells.moveTo(writer)
    const place = table.membersOf(pattern)
    writer.endPattern(place.members, place.from, place.to, starts[pattern + 1] - starts[pattern])
  }
  return writer.finish(labelled)
}

/** The patterns, the documents of pattern p, `order[starts[p] .. starts[p+1])`, and how many words these have together. */
function groupByPattern({memberStarts, members, wordStarts}: PackedDocuments, from: number, to: number) {
  const table = new PatternTable()
  const patternOf = new Uint32Array(to - from)
  for (let d = from; d < to; d++) patternOf[d - from] = table.numberOf(members, memberStarts[d], memberStarts[d + 1])
  const starts = new Uint32Array(table.size + 1)
  const occurrences = new Float64Array(table.size)
  for (let d = from; d < to; d++) {
    const pattern = patternOf[d - from]
    starts[pattern + 1]++
    occurrences[pattern] += wordStarts[d + 1] - wordStarts[d]
  }
  for (let pattern = 0; pattern < table.size; pattern++) starts[pattern + 1] += starts[pattern]
  const next = starts.slice()
  const order = new Uint32Array(to - from)
  for (let at = 0; at < patternOf.length; at++) order[next[patternOf[at]]++] = from + at
  return {table, starts, order, occurrences}
}

/** Count the documents of a corpus, grouped by anchor pattern. */
export function countCorpus(corpus: Corpus, options?: Partial<CountOptions>): Counts {
  const {labelShare, seed} = withDefaults('countCorpus', countDefaults, options)
  const {header, labelled, ...documents} = packCorpus(corpus, {labelShare, seed})
  return countPackedRange(header, documents, 0, documents.documentCount, labelled)
}
