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

/**
 * Counts things without end in little memory: 2^bits cells of four bytes, each for all things of one hash, so that a
 * cell is never less than the count of one of them. A full cell stays full.
 */
export class PairCells {
  readonly #cells: Uint32Array
  readonly #least: number
  /** Cells that hold `least` or more. */
  readonly #candidates: number[] = []

  /** Things seen fewer than `least` times do not matter. */
  constructor(bits: number, least: number) {
    this.#cells = new Uint32Array(2 ** bits)
    this.#least = least
  }

  see(hash: number): void {
    const held = this.#cells[hash]
    if (held < 0xffffffff) this.#cells[hash] = held + 1
    if (held + 1 === this.#least) this.#candidates.push(hash)
  }

  /** The most that a thing of this hash can have been seen. */
  most(hash: number): number {
    return this.#cells[hash]
  }

  /** What a cell holds at least that is among the `count` fullest, equal ones included; no less than `least`. */
  leastOfFullest(count: number): number {
    if (this.#candidates.length <= count) return this.#least
    return this.#candidates.map(hash => this.#cells[hash]).sort((a, b) => b - a)[count - 1]
  }
}

/** A pair where it stands: which of the ranked pairs it is, and in which document. */
interface PlacedPair {
  readonly rank: number
  readonly document: number
}

/**
 * Settles which pair has a word that two of them share ("crushing chest pain"): the one of the better rank, in each run of
 * pairs the best first. Counts how often each pair has both its words, and in how many documents.
 */
export class PairContest {
  readonly occurrences: Float64Array
  readonly documents: Float64Array
  readonly #lastDocument: Float64Array
  /** Pairs each of which begins with the last word of the one before. */
  #run: PlacedPair[] = []
  #lastPlace = -1

  constructor(pairCount: number) {
    this.occurrences = new Float64Array(pairCount)
    this.documents = new Float64Array(pairCount)
    this.#lastDocument = new Float64Array(pairCount)
  }

  /** `place` is that of the pair's second word among all words; places ascend, documents are numbered from 1. */
  see(rank: number, document: number, place: number): void {
    if (place !== this.#lastPlace + 1) this.settle()
    this.#run.push({rank, document})
    this.#lastPlace = place
  }

  /** Settle what was seen last; to be called at the end. */
  settle(): void {
    const run = this.#run
    this.#run = []
    if (run.length === 1) this.#win(run[0])
    if (run.length < 2) return
    const isTaken = new Uint8Array(run.length + 2)
    const order = run.map((_, at) => at).sort((x, y) => run[x].rank - run[y].rank || x - y)
    for (const at of order) {
      if (isTaken[at] === 1 || isTaken[at + 2] === 1) continue
      isTaken[at + 1] = 1
      this.#win(run[at])
    }
  }

  #win({rank, document}: PlacedPair): void {
    this.occurrences[rank]++
    if (this.#lastDocument[rank] === document) return
    this.#lastDocument[rank] = document
    this.documents[rank]++
  }
}
