/** A pair of words by their numbers, and how often it was seen. */
export interface PairCount {
  readonly a: number
  readonly b: number
  readonly occurrences: number
  readonly documents: number
}

/** Occurrences and documents of single pairs. */
export class PairCounts {
  readonly #wordCount: number
  readonly #indexes = new Map<number, number>()
  readonly #occurrences: number[] = []
  readonly #documents: number[] = []
  readonly #lastDocument: number[] = []

  constructor(wordCount: number) {
    this.#wordCount = wordCount
  }

  /** Documents come one after the other, numbered from 1. */
  see(a: number, b: number, document: number): void {
    const key = a * this.#wordCount + b
    let index = this.#indexes.get(key)
    if (index === undefined) {
      index = this.#occurrences.push(0) - 1
      this.#indexes.set(key, index)
      this.#documents.push(0)
      this.#lastDocument.push(0)
    }
    this.#occurrences[index]++
    if (this.#lastDocument[index] === document) return
    this.#lastDocument[index] = document
    this.#documents[index]++
  }

  list(): PairCount[] {
    return Array.from(this.#indexes, ([key, index]) => ({
      a: Math.floor(key / this.#wordCount),
      b: key % this.#wordCount,
      occurrences: this.#occurrences[index],
      documents: this.#documents[index]
    }))
  }
}
