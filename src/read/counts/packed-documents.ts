import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {Corpus, Evidence} from '../data/index.ts'
import {type CountsHeader, isLabelled} from './counts.ts'
import {GrowingArray} from './growing-array.ts'

/**
 * Documents as typed arrays: the words of document d are `words[wordStarts[d] .. wordStarts[d+1])`, its members the like.
 * In shared memory several threads count them without copying.
 */
export interface PackedDocuments {
  readonly documentCount: number
  readonly wordStarts: Uint32Array
  readonly words: Uint32Array
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
}

/** Packed documents and how they are to be counted; their labels are counted already. */
export interface PackedCorpus extends PackedDocuments {
  readonly header: CountsHeader
  readonly labelled: Float64Array
}

interface PackedSizes {
  readonly documents: number
  readonly words: number
  readonly members: number
}

/** Packs documents one at a time. */
export class DocumentPacker {
  readonly #header: CountsHeader
  readonly #wordStarts: GrowingArray<Uint32Array>
  readonly #words: GrowingArray<Uint32Array>
  readonly #memberStarts: GrowingArray<Uint32Array>
  readonly #members: GrowingArray<Uint32Array>
  readonly #labelled: Float64Array

  /** `isShared` puts the documents into memory that threads may share; `sizes` is what there will be, if that is known. */
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

  /** Numbers held: the words and members of all documents and two for each. */
  get size(): number {
    return this.#words.length + this.#members.length + 2 * this.#wordStarts.length
  }

  /** Add one document; `truth` is counted only for the share of documents drawn by `key`. */
  add({words, members, anchors}: Evidence, key: string, truth: Int8Array | undefined): void {
    this.#wordStarts.push(this.#words.append(words))
    this.#memberStarts.push(this.#members.append(members))
    if (truth === undefined || !isLabelled(this.#header, key)) return
    const fired = new Set(anchors)
    for (let i = 0; i < truth.length; i++)
      if (truth[i] >= 0) this.#labelled[4 * i + 2 * truth[i] + (fired.has(i) ? 1 : 0)]++
  }

  /** The documents added, as views that hold until the next one is added or all are cleared. */
  documents(): PackedDocuments {
    return {
      documentCount: this.#wordStarts.length - 1,
      wordStarts: this.#wordStarts.values.subarray(0, this.#wordStarts.length),
      words: this.#words.values.subarray(0, this.#words.length),
      memberStarts: this.#memberStarts.values.subarray(0, this.#memberStarts.length),
      members: this.#members.values.subarray(0, this.#members.length)
    }
  }

  /** What was counted of labels, also of documents that have been cleared. */
  labelled(): Float64Array {
    return this.#labelled.slice()
  }

  /** Forget the documents, but not their labels. */
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

/** A corpus in typed arrays, to be counted by several threads at once. */
export function packCorpus(
  corpus: Corpus,
  options?: Partial<CountOptions & {readonly isShared: boolean}>
): PackedCorpus {
  const {labelShare, seed, isShared} = withDefaults('packCorpus', {...countDefaults, isShared: false}, options)
  const header = {lexicon: corpus.lexicon, ...checkCountOptions({labelShare, seed})}
  // One large piece of memory for each array, and none that is outgrown.
  let [words, members] = [0, 0]
  for (const {evidence} of corpus.documents) {
    words += evidence.words.length
    members += evidence.members.length
  }
  const packer = new DocumentPacker(header, isShared, {documents: corpus.documents.length, words, members})
  for (const {evidence, key, truth} of corpus.documents) packer.add(evidence, key, truth)
  return packer.finish()
}

export interface CountOptions {
  /** Share of the documents whose tags or labels are counted, for noise rates; 0 leaves them unread. */
  readonly labelShare: number
  readonly seed: number
}

export const countDefaults: CountOptions = {labelShare: 0, seed: 0}

/** Refuse values that make no sense. */
export function checkCountOptions<T extends CountOptions>(options: T): T {
  const {labelShare, seed} = options
  if (!(labelShare >= 0 && labelShare <= 1))
    throw new AdfaError('bad-option', `label-share is a share in [0, 1]; got ${labelShare}`)
  if (!Number.isSafeInteger(seed)) throw new AdfaError('bad-option', `seed is a whole number; got ${seed}`)
  return options
}
