import {checkOptions, type Rules, whole, withDefaults, within} from '../../base/checks/index.ts'
import {type Corpus, GrowingArray, type PackedDocuments} from '../data/index.ts'
import {type CountsHeader, isLabelled} from './counts.ts'

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

/** Packed documents and how to count them; their labels are counted already. */
export interface PackedCorpus extends PackedDocuments {
  readonly header: CountsHeader
  readonly labelled: Float64Array
}

interface PackedSizes {
  readonly documents: number
  readonly words: number
  readonly members: number
}

/** What counts of a document; its anchors only where its labels count, too. */
export interface CountedEvidence {
  /** In any order. */
  readonly words: ArrayLike<number>
  readonly members: ArrayLike<number>
  readonly anchors?: readonly number[]
}

/** Packs documents one at a time. */
export class DocumentPacker {
  readonly #header: CountsHeader
  readonly #wordStarts: GrowingArray<Uint32Array>
  readonly #words: GrowingArray<Uint32Array>
  readonly #memberStarts: GrowingArray<Uint32Array>
  readonly #members: GrowingArray<Uint32Array>
  readonly #labelled: Float64Array

  /** `isShared` uses memory that threads may share; `sizes` avoids growing, where known in advance. */
  constructor(header: CountsHeader, isShared = false, sizes: Partial<PackedSizes> = {}) {
    this.#header = header
    const make = (size: number): Uint32Array =>
      isShared ? new Uint32Array(new SharedArrayBuffer(4 * size)) : new Uint32Array(size)
    const {documents = 1024, words, members} = sizes
    this.#wordStarts = new GrowingArray(make, documents + 1)
    this.#words = new GrowingArray(make, words)
    this.#memberStarts = new GrowingArray(make, documents + 1)
    this.#members = new GrowingArray(make, members)
    this.#labelled = new Float64Array(4 * header.lexicon.anchors.length)
    this.clear()
  }

  /** Numbers held: words and members of all documents, and two per document. */
  get size(): number {
    return this.#words.length + this.#members.length + 2 * this.#wordStarts.length
  }

  /** Add one document; `labels` are counted only for the share of documents drawn by `key`. */
  add({words, members, anchors = []}: CountedEvidence, key: string, labels: Int8Array | undefined): void {
    this.#wordStarts.push(this.#words.append(words))
    this.#memberStarts.push(this.#members.append(members))
    if (labels === undefined || !isLabelled(this.#header, key)) return
    addLabels(this.#labelled, anchors, labels)
  }

  /** The documents added, as views that are valid until the next `add` or `clear`. */
  documents(): PackedDocuments {
    return {
      documentCount: this.#wordStarts.length - 1,
      wordStarts: this.#wordStarts.values.subarray(0, this.#wordStarts.length),
      words: this.#words.values.subarray(0, this.#words.length),
      memberStarts: this.#memberStarts.values.subarray(0, this.#memberStarts.length),
      members: this.#members.values.subarray(0, this.#members.length)
    }
  }

  /** The labels counted, including those of cleared documents. */
  labelled(): Float64Array {
    return this.#labelled.slice()
  }

  /** Drop the documents, but not their labels. */
  clear(): void {
    for (const starts of [this.#wordStarts, this.#memberStarts]) {
      starts.length = 0
      starts.push(0)
    }
    this.#words.length = 0
    this.#members.length = 0
  }

  finish(): PackedCorpus {
    return {...this.documents(), header: this.#header, labelled: this.labelled()}
  }
}

/** Count the labels of a document whose `anchors` fire: cell `4*i + 2*y + a`. */
export function addLabels(labelled: Float64Array, anchors: readonly number[], labels: Int8Array): void {
  const fired = new Set(anchors)
  for (let i = 0; i < labels.length; i++) if (labels[i] >= 0) labelled[4 * i + 2 * labels[i] + (fired.has(i) ? 1 : 0)]++
}

/** A corpus in typed arrays, for counting by several threads. */
export function packCorpus(
  corpus: Corpus,
  options?: Partial<CountOptions & {readonly isShared: boolean}>
): PackedCorpus {
  const defaults = {...countDefaults, isShared: false}
  const {labelShare, seed, isShared} = checkCountOptions(withDefaults('packCorpus', defaults, options))
  const header = {lexicon: corpus.lexicon, labelShare, seed}
  // Sizes in advance, so that no array is outgrown.
  let [words, members] = [0, 0]
  for (const document of corpus.documents) {
    words += document.words.length
    members += document.members.length
  }
  const packer = new DocumentPacker(header, isShared, {documents: corpus.documents.length, words, members})
  for (const document of corpus.documents) packer.add(document, document.key, document.labels)
  return packer.finish()
}
