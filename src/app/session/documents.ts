/** The documents that were read, and what is found in them. */
import {
  type Anchors,
  DocumentIndex,
  type EncodedDocuments,
  isHeldOut,
  type Labels,
  labelKey,
  type Row,
  type SeenFeature,
  type VocabularyOptions
} from '../../read/data/index.ts'
import {documentsHash} from '../project/index.ts'
import type {Slices} from './job.ts'

export class Documents {
  readonly options: VocabularyOptions
  readonly #holdsOut: boolean
  readonly #heldOut = new Map<number, Row>()
  /** Documents that are never learned from, numbered after the others: those held out, then those of other files. */
  #aside: readonly Row[] | undefined
  #others: readonly Row[] = []
  /** The place of each document among all of the files. */
  readonly #places: number[] = []
  readonly #index: DocumentIndex
  readonly #tags = new Map<string, number>()
  #tagged = 0
  #numbers: Map<string, number> | undefined
  #repeated: number | undefined

  /** `holdsOut`: a quarter of the tagged documents is kept apart. */
  constructor(options: VocabularyOptions, holdsOut = false) {
    this.options = options
    this.#holdsOut = holdsOut
    this.#index = new DocumentIndex(options)
  }

  add(row: Row): void {
    if (this.#holdsOut && isHeldOut(row)) {
      this.#heldOut.set(this.total, row)
      return
    }
    this.#places.push(this.total)
    this.#index.add(row)
    if (row.tags !== undefined) this.#tagged++
    for (const tag of new Set(row.tags)) this.#tags.set(tag, (this.#tags.get(tag) ?? 0) + 1)
  }

  /** Documents that are learned from, shown and labelled. */
  get count(): number {
    return this.#index.documentCount
  }

  /** The others, by their place among all documents of the files: for evaluation alone, never learned from. */
  get heldOut(): ReadonlyMap<number, Row> {
    return this.#heldOut
  }

  get total(): number {
    return this.count + this.#heldOut.size
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

  /** Other documents to judge on, in place of earlier ones. */
  judgeOn(rows: readonly Row[]): void {
    this.#others = rows
    this.#aside = undefined
  }

  /** All documents that have a number: those learned from, those held out, those of other files. */
  get numbered(): number {
    return this.total + this.#others.length
  }

  /** The numbers of the documents that were read, held out or not, in the order of the files. */
  *inOrder(): Generator<number> {
    let [at, held] = [0, this.count]
    for (let place = 0; place < this.total; place++) yield this.#heldOut.has(place) ? held++ : at++
  }

  row(at: number): Row {
    if (at < this.count) return this.#index.row(at)
    this.#aside ??= [...this.#heldOut.values(), ...this.#others]
    return this.#aside[at - this.count]
  }

  /** How many documents have the id of an earlier one: labels could not tell them apart. */
  get repeated(): number {
    this.#repeated ??= repeatedIn(Array.from({length: this.count}, (_, at) => this.row(at).id))
    return this.#repeated
  }

  /** Its id, or else its number in the files, counted from 1: as in predictions. */
  id(at: number): string | number {
    return this.row(at).id ?? this.#place(at) + 1
  }

  #place(at: number): number {
    if (at < this.count) return this.#places[at]
    if (at >= this.total) return at - this.total
    return [...this.#heldOut.keys()][at - this.count]
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
    return this.#index.encode(anchors, labels)
  }

  /** The documents with a feature, in order. */
  async hits(feature: string, slices: Slices): Promise<Uint32Array> {
    return slices.steps(this.#index.scan(feature))
  }

  /** Every feature of the documents, as it is without anchors. */
  words(): Generator<SeenFeature> {
    return this.#index.words()
  }

  /** Identifies the documents, also those held out, whatever their files are called. */
  hash(): string {
    return documentsHash(this.#keys())
  }

  *#keys(): Generator<string> {
    for (let at = 0; at < this.count; at++) yield labelKey(this.row(at))
    for (const row of this.#heldOut.values()) yield labelKey(row)
  }
}

function repeatedIn(ids: readonly Row['id'][]): number {
  const given = ids.filter(id => id !== undefined)
  return given.length - new Set(given.map(String)).size
}
