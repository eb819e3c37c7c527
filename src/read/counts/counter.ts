import type {Evidence} from '../data/index.ts'
import {addCounts} from './add-counts.ts'
import {countPackedRange} from './count-packed.ts'
import type {Counts, CountsHeader} from './counts.ts'
import {DocumentPacker} from './packed-documents.ts'

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
