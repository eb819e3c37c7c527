/** The documents that were read, and what is found in them. */
import {crc32} from '../../base/numeric/index.ts'
import {
  type Anchors,
  anchorRule,
  type CorpusDocument,
  createFeatureReader,
  encodeCorpus,
  type Labels,
  type Lexicon,
  learnLexicon,
  type Row,
  rowKey,
  type VocabularyOptions
} from '../../read/data/index.ts'
import type {Slices} from './slices.ts'

/** Features whose documents are remembered. */
const REMEMBERED = 50

/** All documents as binary variables; later edits leave it as it is. */
export interface EncodedCorpus {
  readonly lexicon: Lexicon
  document(at: number): CorpusDocument
}

export class Documents {
  readonly options: VocabularyOptions
  readonly #rows: Row[] = []
  readonly #hits = new Map<string, Uint32Array>()

  constructor(options: VocabularyOptions) {
    this.options = options
  }

  add(row: Row): void {
    this.#rows.push(row)
  }

  get count(): number {
    return this.#rows.length
  }

  row(at: number): Row {
    return this.#rows[at]
  }

  /** Its id, or else its number, counted from 1: as in predictions. */
  id(at: number): string | number {
    return this.#rows[at].id ?? at + 1
  }

  encode(anchors: Anchors, labels: Labels | undefined): EncodedCorpus {
    const lexicon = learnLexicon(this.#rows, anchorRule(anchors), this.options)
    const {documents} = encodeCorpus(this.#rows, lexicon, labels)
    return {lexicon, document: at => documents[at]}
  }

  /** The documents with a feature, in order. */
  async hits(feature: string, slices: Slices): Promise<Uint32Array> {
    const known = this.#hits.get(feature)
    if (known !== undefined) return known
    const anchor = {concept: 'any', any: [feature], not: [], rates: undefined}
    const reader = createFeatureReader([anchor], [], this.options)
    const found: number[] = []
    await slices.each(this.count, at => {
      if (reader.read(this.#rows[at], () => {}).length > 0) found.push(at)
    })
    const [oldest] = this.#hits.keys()
    if (this.#hits.size === REMEMBERED) this.#hits.delete(oldest)
    const hits = Uint32Array.from(found)
    this.#hits.set(feature, hits)
    return hits
  }

  /** Identifies the documents, whatever their files are called. */
  hash(): string {
    let sum = 0
    const encoder = new TextEncoder()
    for (const row of this.#rows) sum = (Math.imul(sum, 31) + crc32(encoder.encode(rowKey(row)))) >>> 0
    return sum.toString(16).padStart(8, '0')
  }
}
