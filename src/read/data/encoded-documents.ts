import type {CorpusDocument} from './corpus.ts'
import {createLabelReader, type Encoder} from './encoder.ts'
import type {Lexicon} from './lexicon.ts'
import {type Labels, type Row, rowKey} from './row.ts'

/**
 * Documents as typed arrays: the words of document d are `words[wordStarts[d] .. wordStarts[d+1])`, its members likewise.
 * In shared memory, several threads count them without copying.
 */
export interface PackedDocuments {
  readonly documentCount: number
  readonly wordStarts: Uint32Array
  readonly words: Uint32Array
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
}

/** All documents of an index as binary variables, with their labels; later edits of the index leave it as it is. */
export class EncodedDocuments {
  readonly lexicon: Lexicon
  readonly documents: PackedDocuments
  /** The number of each document in the index; only a filter by tags leaves some out. */
  readonly numbers: Uint32Array
  readonly #rows: readonly Row[]
  readonly #readLabels: Encoder['labels']
  readonly #memberConcepts: readonly number[]

  /** `labels`, if given, replace the tags and labels of the rows. */
  constructor(
    lexicon: Lexicon,
    documents: PackedDocuments,
    {rows, numbers, labels}: {readonly rows: readonly Row[]; readonly numbers: Uint32Array; readonly labels?: Labels}
  ) {
    this.lexicon = lexicon
    this.documents = documents
    this.numbers = numbers
    this.#rows = rows
    this.#readLabels = createLabelReader(lexicon.anchors, labels)
    this.#memberConcepts = lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  }

  /** Identifies a document when a share is drawn. */
  key(d: number): string {
    return rowKey(this.#row(d))
  }

  /** Per concept 1 present, 0 absent, -1 unknown; undefined when nothing is known. */
  labels(d: number): Int8Array | undefined {
    return this.#readLabels(this.#row(d))
  }

  /** The concepts whose anchors fire. */
  anchors(d: number): number[] {
    return [...new Set(this.#members(d).map(member => this.#memberConcepts[member]))]
  }

  /** A document as `encodeCorpus` gives it. */
  corpusDocument(d: number): CorpusDocument {
    const {words, wordStarts} = this.documents
    return {
      key: this.key(d),
      words: [...words.subarray(wordStarts[d], wordStarts[d + 1])],
      anchors: this.anchors(d),
      members: this.#members(d),
      labels: this.labels(d)
    }
  }

  #row(d: number): Row {
    return this.#rows[this.numbers[d]]
  }

  #members(d: number): number[] {
    const {members, memberStarts} = this.documents
    return [...members.subarray(memberStarts[d], memberStarts[d + 1])]
  }
}
