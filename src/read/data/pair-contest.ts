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
