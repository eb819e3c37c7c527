import {withDefaults} from '../../base/checks/index.ts'
import type {Corpus, EncodedDocuments, PackedDocuments} from '../data/index.ts'
import {type CompactCounts, countsOfRun, expandCounts} from './compact-counts.ts'
import {type Counts, type CountsHeader, isLabelled} from './counts.ts'
import {mergeRuns} from './merge-runs.ts'
import {
  addLabels,
  type CountedEvidence,
  type CountOptions,
  checkCountOptions,
  countDefaults,
  DocumentPacker,
  packCorpus
} from './packed-documents.ts'
import {sizesOf} from './pattern-bytes.ts'
import {PatternTable} from './pattern-table.ts'
import {bytesIn, ownMemory, type Run, type RunSpace, RunWriter, storeRun} from './runs.ts'
import {WordCells} from './word-cells.ts'

/** Packed documents are counted when they take this many numbers of 4 bytes. */
const BUFFER_SIZE = 8_000_000

/** More runs in a store than this are merged, since each takes the memory of a piece while it is read. */
const MOST_STORED = 64

/**
 * Counts documents one at a time: packs some, counts them together into a run, and merges the runs where they take more than the
 * memory of their space, and at the end. Memory grows with the counts, about two bytes a cell, not with the number of documents.
 */
export class Counter {
  readonly #header: CountsHeader
  readonly #bufferSize: number
  readonly #packer: DocumentPacker
  readonly #space: RunSpace
  /** In memory and in the store. */
  #runs: Run[] = []
  #stored: Run[] = []
  #limit: number

  constructor(header: CountsHeader, space = ownMemory, bufferSize = BUFFER_SIZE) {
    this.#header = header
    this.#space = space
    this.#limit = space.limit
    this.#bufferSize = bufferSize
    this.#packer = new DocumentPacker(header)
  }

  /** Add one document; `labels` are counted only for the share of documents drawn by `key`. */
  add(evidence: CountedEvidence, key: string, labels: Int8Array | undefined): void {
    this.#packer.add(evidence, key, labels)
    if (this.#packer.size >= this.#bufferSize) this.#countPacked()
  }

  finish(): Counts {
    return expandCounts(this.finishCompact())
  }

  finishCompact(): CompactCounts {
    const {runs, labelled} = this.finishRuns()
    const run = runs.length === 1 ? runs[0] : mergeRuns(sizesOf(this.#header.lexicon), runs, this.#space)
    return countsOfRun(this.#header, run, labelled, this.#space.store)
  }

  /** What was counted, not yet added up: runs that threads may merge, a range of patterns each. */
  finishRuns(): {readonly runs: readonly Run[]; readonly labelled: Float64Array} {
    this.#countPacked()
    return {runs: [...this.#stored, ...this.#runs], labelled: this.#packer.labelled()}
  }

  #countPacked(): void {
    const documents = this.#packer.documents()
    if (documents.documentCount === 0) return
    this.#runs.push(countPackedRange(this.#header, documents, this.#inMemory()))
    this.#packer.clear()
    if (this.#runs.reduce((sum, run) => sum + bytesIn(run), 0) > this.#limit) this.#shrink()
  }

  /** Merge the runs in memory; where the sum is large as well, it goes to the store, or is given more memory. */
  #shrink(): void {
    const sizes = sizesOf(this.#header.lexicon)
    const {store} = this.#space
    const merged = mergeRuns(sizes, this.#runs, this.#inMemory())
    this.#runs = [merged]
    if (2 * bytesIn(merged) <= this.#limit) return
    if (store === undefined) {
      this.#limit = 2 * bytesIn(merged)
      return
    }
    this.#runs = []
    this.#stored.push(storeRun(merged, store))
    if (this.#stored.length > MOST_STORED) this.#stored = [mergeRuns(sizes, this.#stored, {...this.#space, limit: 0})]
  }

  #inMemory(): RunSpace {
    return {...this.#space, store: undefined}
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
  space = ownMemory,
  from = 0,
  to = documents.documentCount
): Run {
  const {words, wordStarts} = documents
  const {table, starts, order} = groupByPattern(documents, from, to)
  const cells = new WordCells(header.lexicon.words.length)
  const writer = new RunWriter(space)
  const {members, memberStarts} = table.rows()
  for (const pattern of table.sorted()) {
    for (let at = starts[pattern]; at < starts[pattern + 1]; at++)
      cells.addOccurrences(words, wordStarts[order[at]], wordStarts[order[at] + 1])
    const count = starts[pattern + 1] - starts[pattern]
    writer.write(members, memberStarts[pattern], memberStarts[pattern + 1], count, cells)
  }
  return writer.finish()
}

/** The patterns, and the documents of pattern p, `order[starts[p] .. starts[p+1])`. */
function groupByPattern({memberStarts, members}: PackedDocuments, from: number, to: number) {
  const table = new PatternTable()
  const patternOf = new Uint32Array(to - from)
  for (let d = from; d < to; d++) patternOf[d - from] = table.numberOf(members, memberStarts[d], memberStarts[d + 1])
  const starts = new Uint32Array(table.size + 1)
  for (const pattern of patternOf) starts[pattern + 1]++
  for (let pattern = 0; pattern < table.size; pattern++) starts[pattern + 1] += starts[pattern]
  const next = starts.slice()
  const order = new Uint32Array(to - from)
  for (let at = 0; at < patternOf.length; at++) order[next[patternOf[at]]++] = from + at
  return {table, starts, order}
}

/** Count the documents of a corpus, grouped by anchor pattern. */
export function countCorpus(corpus: Corpus, options?: Partial<CountOptions>): Counts {
  const packed = packCorpus(corpus, withDefaults('countCorpus', countDefaults, options))
  return expandCounts(countsOfRun(packed.header, countPackedRange(packed.header, packed), packed.labelled))
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
  return expandCounts(countsOfRun(header, countPackedRange(header, documents), labelled))
}
