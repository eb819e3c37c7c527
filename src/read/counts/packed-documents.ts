import {growingIntegers, type PackedDocuments} from '../data/index.ts'

/** What counts of a document, the words in any order. */
export interface CountedEvidence {
  readonly words: ArrayLike<number>
  readonly members: ArrayLike<number>
}

/** Packs documents one at a time. */
export class DocumentPacker {
  readonly #wordStarts = growingIntegers()
  readonly #words = growingIntegers()
  readonly #memberStarts = growingIntegers()
  readonly #members = growingIntegers()

  constructor() {
    this.clear()
  }

  /** Numbers held: words and members of all documents, and two per document. */
  get size(): number {
    return this.#words.length + this.#members.length + 2 * this.#wordStarts.length
  }

  add({words, members}: CountedEvidence): void {
    this.#wordStarts.push(this.#words.append(words))
    this.#memberStarts.push(this.#members.append(members))
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

  clear(): void {
    for (const starts of [this.#wordStarts, this.#memberStarts]) {
      starts.length = 0
      starts.push(0)
    }
    this.#words.length = 0
    this.#members.length = 0
  }
}
