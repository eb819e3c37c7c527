import {checkOptions, type Rules, whole, withDefaults, within} from '../../base/checks/index.ts'
import type {Corpus, EncodedDocuments, PackedDocuments} from '../data/index.ts'
import {type Counts, type CountsHeader, CountsWriter, isLabelled} from './counts.ts'
import {addPatterns} from './merge-counts.ts'
import {type CountedEvidence, DocumentPacker} from './packed-documents.ts'
import {PatternTable} from './pattern-table.ts'
import {WordCells} from './word-cells.ts'

export interface CountOptions {
  /** Share of documents whose tags or labels are counted, to estimate rates; 0 leaves them unread. */
  readonly labelShare: number
  readonly seed: number
}

export const countDefaults: CountOptions = {labelShare: 0, seed: 0}
const rules: Rules<CountOptions> = {labelShare: within(0, 1), seed: whole()}

/** Refuse invalid options. */
export function checkCountOptions<T extends CountOptions>(options: T): T {
  const {labelShare, seed} = options
  checkOptions('counting', countDefaults, rules, {labelShare, seed})
  return options
}

/** Packed documents are counted when they take this many numbers of 4 bytes. */
const BUFFER_SIZE = 16_000_000

/**
 * Counts documents one at a time: packs some, counts them together, and adds the parts up, a part to one that is at most twice
 * as large. Memory grows with the counts, 8 bytes per cell, not with the number of documents.
 */
export class Counter {
  readonly #header: CountsHeader
  readonly #bufferSize: number
  readonly #packer = new DocumentPacker()
  readonly #labelled: Float64Array
  /** From large to small. */
  readonly #parts: Counts[] = []

  constructor(header: CountsHeader, bufferSize = BUFFER_SIZE) {
    this.#header = header
    this.#bufferSize = bufferSize
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
 * A hash table numbers the patterns, a counting sort orders the documents by pattern, then each pattern in turn adds up
 * its words in one row of cells that stays in the processor's cache. Cost: one increment per word; memory, besides the
 * result and the patterns, two numbers per document.
 */
export function countPacked(header: CountsHeader, documents: PackedDocuments, labelled?: Float64Array): Counts {
  const {words, wordStarts} = documents
  const {table, starts, order} = groupByPattern(documents)
  const cells = new WordCells(header.lexicon.words.length)
  const writer = new CountsWriter(header)
  const {members, memberStarts} = table.rows()
  for (const pattern of table.sorted()) {
    for (let at = starts[pattern]; at < starts[pattern + 1]; at++)
      cells.addOccurrences(words, wordStarts[order[at]], wordStarts[order[at] + 1])
    cells.moveTo(writer)
    writer.endPattern(members, memberStarts[pattern], memberStarts[pattern + 1], starts[pattern + 1] - starts[pattern])
  }
  return writer.finish(labelled)
}

/** The patterns, and the documents of pattern p, `order[starts[p] .. starts[p+1])`. */
function groupByPattern({documentCount, memberStarts, members}: PackedDocuments) {
  const table = new PatternTable()
  const patternOf = new Uint32Array(documentCount)
  for (let d = 0; d < documentCount; d++) patternOf[d] = table.numberOf(members, memberStarts[d], memberStarts[d + 1])
  const starts = new Uint32Array(table.size + 1)
  for (const pattern of patternOf) starts[pattern + 1]++
  for (let pattern = 0; pattern < table.size; pattern++) starts[pattern + 1] += starts[pattern]
  const next = starts.slice()
  const order = new Uint32Array(documentCount)
  for (let d = 0; d < documentCount; d++) order[next[patternOf[d]]++] = d
  return {table, starts, order}
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
    if (labels !== undefined && isLabelled(header, encoded.key(d))) addLabels(labelled, encoded.anchors(d), labels)
  }
  return countPacked(header, documents, labelled)
}
