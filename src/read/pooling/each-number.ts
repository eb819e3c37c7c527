import {conceptSetCount, conceptSetNumber, conceptSets} from './concept-sets.ts'

/** What the numbers of a release are over. */
export interface TableShape {
  readonly concepts: number
  readonly words: number
  readonly maxOrder: number
}

/** Numbers as bounds, laid out as in a release. */
export interface NumberRange {
  readonly low: Float64Array
  readonly high: Float64Array
  readonly wordLow: Float64Array
  readonly wordHigh: Float64Array
}

/**
 * Decides every number but that of all documents from those of its smaller tables, which were decided before it.
 * Given its place and size k, and the bounds of the number itself and of its 2^k - 1 smaller ones by the bits of their
 * variables, it leaves the bounds decided on at the end of both.
 */
export type DecideNumber = (k: number, low: Float64Array, high: Float64Array) => void

/** Go through the numbers, small tables first, and decide each in place. Cost: numbers times 2^k. */
export function eachNumber(shape: TableShape, {low, high, wordLow, wordHigh}: NumberRange, decide: DecideNumber): void {
  const {concepts: m, words: n, maxOrder} = shape
  const [lows, highs] = [new Float64Array(2 ** maxOrder), new Float64Array(2 ** maxOrder)]
  const setsWithWords = conceptSetCount(m, maxOrder - 1)
  const subsets = new Uint32Array(2 ** maxOrder)
  for (const [at, set] of conceptSets(m, maxOrder).entries()) {
    const full = 2 ** set.length - 1
    for (let T = 0; T <= full; T++) {
      subsets[T] = conceptSetNumber(
        m,
        set.filter((_, bit) => T & (1 << bit))
      )
      lows[T] = low[subsets[T]]
      highs[T] = high[subsets[T]]
    }
    if (at > 0) {
      decide(set.length, lows, highs)
      low[at] = lows[full]
      high[at] = highs[full]
    }
    if (at >= setsWithWords) continue
    // The word is one more variable, the highest bit.
    const last = 2 * full + 1
    for (let j = 0; j < n; j++) {
      for (let T = 0; T <= full; T++) {
        lows[full + 1 + T] = wordLow[subsets[T] * n + j]
        highs[full + 1 + T] = wordHigh[subsets[T] * n + j]
      }
      decide(set.length + 1, lows, highs)
      wordLow[at * n + j] = lows[last]
      wordHigh[at * n + j] = highs[last]
    }
  }
}
