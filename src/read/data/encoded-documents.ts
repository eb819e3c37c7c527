import type {CorpusDocument} from './corpus.ts'
import {createLabelReader, type Encoder, type Evidence} from './encoder.ts'
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

/** Reads documents of typed arrays, by their number, as evidence. */
export function evidenceOf({
  lexicon,
  documents
}: Pick<EncodedDocuments, 'lexicon' | 'documents'>): (d: number) => Evidence {
  const conceptOf = lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  const {words, wordStarts, members, memberStarts} = documents
  return d => {
    const fired = Array.from(members.subarray(memberStarts[d], memberStarts[d + 1]))
    return {
      words: Array.from(words.subarray(wordStarts[d], wordStarts[d + 1])),
      anchors: [...new Set(fired.map(member => conceptOf[member]))],
      members: fired
    }
  }
}

/** All documents of an index as binary variables, with their labels; later edits of the index leave it as it is. */
export class EncodedDocuments {
  readonly lexicon: Lexicon
  readonly documents: PackedDocuments
  /** The number of each document in the index; only a filter by tags leaves some out. */
  readonly numbers: Uint32Array
  readonly evidence: (d: number) => Evidence
  readonly #rows: readonly Row[]
  readonly #readLabels: Encoder['labels']

  /** `labels`, if given, replace the tags and labels of the rows. */
  constructor(
    lexicon: Lexicon,
    documents: PackedDocuments,
    {rows, numbers, labels}: {readonly rows: readonly Row[]; readonly numbers: Uint32Array; readonly labels?: Labels}
  ) {
    this.lexicon = lexicon
    this.documents = documents
    this.numbers = numbers
    this.evidence = evidenceOf(this)
    this.#rows = rows
    this.#readLabels = createLabelReader(lexicon.anchors, labels)
  }

  /** Identifies a document when a share is drawn. */
  key(d: number): string {
    return rowKey(this.#rows[this.numbers[d]])
  }

  /** Per concept 1 present, 0 absent, -1 unknown; undefined when nothing is known. */
  labels(d: number): Int8Array | undefined {
    return this.#readLabels(this.#rows[this.numbers[d]])
  }

  /** A document as `encodeCorpus` gives it. */
  corpusDocument(d: number): CorpusDocument {
    return {key: this.key(d), ...this.evidence(d), labels: this.labels(d)}
  }
}
