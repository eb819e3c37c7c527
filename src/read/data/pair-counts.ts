/** A pair of words by their ids, and how often it occurs. */
export interface PairCount {
  readonly a: number
  readonly b: number
  readonly occurrences: number
  readonly documents: number
}

/** Occurrences of numbered things, and the documents they occur in; documents come in order, numbered from 1. */
class Occurrences {
  readonly occurrences: number[]
  readonly documents: number[]
  readonly #lastDocument: number[]

  constructor(count: number) {
    this.occurrences = new Array<number>(count).fill(0)
    this.documents = this.occurrences.slice()
    this.#lastDocument = this.occurrences.slice()
  }

  /** The number of a new thing. */
  grow(): number {
    this.documents.push(0)
    this.#lastDocument.push(0)
    return this.occurrences.push(0) - 1
  }

  see(index: number, document: number): void {
    this.occurrences[index]++
    if (this.#lastDocument[index] === document) return
    this.#lastDocument[index] = document
    this.documents[index]++
  }
}

/** Exact counts of pairs. */
export class PairCounts {
  readonly #wordCount: number
  readonly #indexes = new Map<number, number>()
  readonly #seen = new Occurrences(0)

  constructor(wordCount: number) {
    this.#wordCount = wordCount
  }

  see(a: number, b: number, document: number): void {
    const key = a * this.#wordCount + b
    let index = this.#indexes.get(key)
    if (index === undefined) {
      index = this.#seen.grow()
      this.#indexes.set(key, index)
    }
    this.#seen.see(index, document)
  }

  list(): PairCount[] {
    return Array.from(this.#indexes, ([key, index]) => ({
      a: Math.floor(key / this.#wordCount),
      b: key % this.#wordCount,
      occurrences: this.#seen.occurrences[index],
      documents: this.#seen.documents[index]
    }))
  }
}

/**
 * Approximate counts in bounded memory: 2^bits cells of four bytes, each shared by all things of one hash, so that a cell
 * never holds less than the count of any of them. A full cell stays full.
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

  /** An upper bound on the count of a thing with this hash. */
  most(hash: number): number {
    return this.#cells[hash]
  }

  /** The smallest count among the `count` fullest cells; at least `least`. */
  leastOfFullest(count: number): number {
    if (this.#candidates.length <= count) return this.#least
    return this.#candidates.map(hash => this.#cells[hash]).sort((a, b) => b - a)[count - 1]
  }
}

/**
 * Decides which of two pairs gets a word that they share ("crushing chest pain"): in each run of overlapping pairs, the
 * better ranks win first. Counts how often each pair wins both its words, and in how many documents.
 */
export class PairContest {
  readonly won: Occurrences
  /** Pairs each of which begins with the last word of the one before. */
  #run: {readonly rank: number; readonly document: number}[] = []
  #lastPlace = -1

  constructor(pairCount: number) {
    this.won = new Occurrences(pairCount)
  }

  /** `place` is the position of the pair's second word among all words; places ascend. */
  see(rank: number, document: number, place: number): void {
    if (place !== this.#lastPlace + 1) this.settle()
    this.#run.push({rank, document})
    this.#lastPlace = place
  }

  /** Decide the last run; call at the end. */
  settle(): void {
    const run = this.#run
    this.#run = []
    if (run.length === 1) this.won.see(run[0].rank, run[0].document)
    if (run.length < 2) return
    const isTaken = new Uint8Array(run.length + 2)
    const order = run.map((_, at) => at).sort((x, y) => run[x].rank - run[y].rank || x - y)
    for (const at of order) {
      if (isTaken[at] === 1 || isTaken[at + 2] === 1) continue
      isTaken[at + 1] = 1
      this.won.see(run[at].rank, run[at].document)
    }
  }
}
