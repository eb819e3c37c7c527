/** The documents that were read, and what is found in them. */
import {
  type Anchors,
  DocumentIndex,
  type EncodedDocuments,
  type Evidence,
  type Labels,
  labelKey,
  type Row,
  type SeenFeature,
  type VocabularyOptions
} from '../../read/data/index.ts'
import {documentsHash} from './documents-mark.ts'
import type {Slices} from './slices.ts'

export class Documents {
  readonly options: VocabularyOptions
  readonly #index: DocumentIndex
  readonly #tags = new Map<string, number>()
  #tagged = 0
  #numbers: Map<string, number> | undefined

  constructor(options: VocabularyOptions) {
    this.options = options
    this.#index = new DocumentIndex(options)
  }

  add(row: Row): void {
    this.#index.add(row)
    if (row.tags !== undefined) this.#tagged++
    for (const tag of new Set(row.tags)) this.#tags.set(tag, (this.#tags.get(tag) ?? 0) + 1)
  }

  get count(): number {
    return this.#index.documentCount
  }

  /** Documents with tags. */
  get tagged(): number {
    return this.#tagged
  }

  /** The most frequent tags first. */
  tags(): {readonly tag: string; readonly documents: number}[] {
    const all = Array.from(this.#tags, ([tag, documents]) => ({tag, documents}))
    return all.sort((a, b) => b.documents - a.documents || (a.tag < b.tag ? -1 : 1))
  }

  row(at: number): Row {
    return this.#index.row(at)
  }

  /** Its id, or else its number, counted from 1: as in predictions. */
  id(at: number): string | number {
    return this.row(at).id ?? at + 1
  }

  name(at: number): string {
    return String(this.id(at))
  }

  /** The number of the document with this key (`labelKey`); of several, the last. */
  numberOf(key: string): number | undefined {
    this.#numbers ??= new Map(Array.from({length: this.count}, (_, at) => [labelKey(this.row(at)), at]))
    return this.#numbers.get(key)
  }

  /** All documents by these anchors; refused anchors leave everything as it was. */
  encode(anchors: Anchors, labels: Labels | undefined): EncodedDocuments {
    this.#index.setAnchors(anchors)
    return this.#index.encode(labels)
  }

  /** The documents with a feature, in order. */
  async hits(feature: string, slices: Slices): Promise<Uint32Array> {
    return slices.steps(this.#index.scan(feature))
  }

  /** Every feature of the documents, as it is without anchors. */
  words(): Generator<SeenFeature> {
    return this.#index.words()
  }

  /** Identifies the documents, whatever their files are called. */
  hash(): string {
    const {count} = this
    const row = (at: number) => this.row(at)
    return documentsHash(
      (function* () {
        for (let at = 0; at < count; at++) yield labelKey(row(at))
      })()
    )
  }
}

/** A document of an encoding as binary variables. */
export function evidenceOf({lexicon, documents}: EncodedDocuments): (at: number) => Evidence {
  const conceptOf = lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  const {words, wordStarts, members, memberStarts} = documents
  return at => {
    const fired = Array.from(members.subarray(memberStarts[at], memberStarts[at + 1]))
    return {
      words: Array.from(words.subarray(wordStarts[at], wordStarts[at + 1])),
      anchors: [...new Set(fired.map(member => conceptOf[member]))],
      members: fired
    }
  }
}
