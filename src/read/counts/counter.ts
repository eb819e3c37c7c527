import {withDefaults} from '../../base/checks/index.ts'
import type {Corpus, EncodedDocuments, PackedDocuments} from '../data/index.ts'
import {type Counts, type CountsHeader, CountsWriter, isLabelled} from './counts.ts'
import {addCounts} from './merge-counts.ts'
import {
  addLabels,
  type CountedEvidence,
  type CountOptions,
  checkCountOptions,
  countDefaults,
  DocumentPacker,
  packCorpus
} from './packed-documents.ts'
import {PatternTable} from './pattern-table.ts'
import {WordCells} from './word-cells.ts'

/** Packed documents are counted when they take this many numbers of 4 bytes. */
const BUFFER_SIZE = 8_000_000

/**
 * Counts documents one at a time: packs some, counts them together, and adds the parts up pairwise, as in binary
 * counting. Memory grows with the counts, about twice over, not with the number of documents.
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

  /** Add one document; `labels` are counted only for the share of documents drawn by `key`. */
  add(evidence: CountedEvidence, key: string, labels: Int8Array | undefined): void {
    this.#packer.add(evidence, key, labels)
    if (this.#packer.size >= this.#bufferSize) this.#countPacked()
  }

  finish(): Counts {
    this.#countPacked()
    const counts = this.#parts.length === 1 ? this.#parts[0] : addCounts(this.#header, this.#parts)
    return {...counts, labelled: this.#packer.labelled()}
  }

  #countPacked(): void {
    let part = countPackedRange(this.#header, this.#packer.documents())
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
 * Count the documents from one number up to another, grouped by anchor pattern, without their labels.
 *
 * A hash table numbers the patterns, a counting sort orders the documents by pattern, then each pattern in turn adds up
 * its words in one row of cells that stays in the processor's cache. Cost: one increment per word; memory, besides the
 * result and the patterns, two numbers per document.
 */
export function countPackedRange(
  header: CountsHeader,
  documents: PackedDocuments,
  from = 0,
  to = documents.documentCount
): Counts {
  const {words, wordStarts} = documents
  const wordCount = header.lexicon.words.length
  const {table, starts, order, occurrences} = groupByPattern(documents, from, to)
  const cells = new WordCells(wordCount)
  const most = occurrences.reduce((sum, count) => sum + Math.min(count, wordCount), 0)
  const writer = new CountsWriter(header, most)
  const {members, memberStarts} = table.rows()
  for (const pattern of table.sorted()) {
    for (let at = starts[pattern]; at < starts[pattern + 1]; at++)
      cells.addOccurrences(words, wordStarts[order[at]], wordStarts[order[at] + 1])
    cells.moveTo(writer)
    writer.endPattern(members, memberStarts[pattern], memberStarts[pattern + 1], starts[pattern + 1] - starts[pattern])
  }
  return writer.finish()
}

/** The patterns, the documents of pattern p, `order[starts[p] .. starts[p+1])`, and how many words they have in total. */
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
  const packed = packCorpus(corpus, withDefaults('countCorpus', countDefaults, options))
  return {...countPackedRange(packed.header, packed), labelled: packed.labelled}
}

/** Count the documents of an index: the counts of {@link countCorpus}, to the byte. */
export function countEncoded(encoded: EncodedDocuments, options?: Partial<CountOptions>): Counts {
  const {labelShare, seed} = checkCountOptions(withDefaults('countEncoded', countDefaults, options))
  const {lexicon, documents} = encoded
  const header = {lexicon, labelShare, seed}
  const labelled = new Float64Array(4 * lexicon.anchors.length)
  for (let d = 0; labelShare > 0 && d < documents.documentCount; d++) {
    const labels = encoded.labels(d)
    if (labels !== undefined && isLabelled(header, encoded.key(d))) addLabels(labelled, encoded.anchors(d), labels)
  }
  return {...countPackedRange(header, documents), labelled}
}
