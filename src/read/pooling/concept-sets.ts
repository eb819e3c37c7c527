import {chooseThree, chooseTwo} from '../counts/index.ts'

/** All sets of at most `order` of m concepts: small sets first, sets of one size in lexical order. */
export function conceptSets(m: number, order: number): readonly (readonly number[])[] {
  const sets: (readonly number[])[] = [[]]
  for (let from = 0, size = 1; size <= order; size++) {
    const end = sets.length
    for (; from < end; from++) for (let i = (sets[from].at(-1) ?? -1) + 1; i < m; i++) sets.push([...sets[from], i])
  }
  return sets
}

/** The number of {@link conceptSets}. */
export function conceptSetCount(m: number, order: number): number {
  let [count, ofSize] = [1, 1]
  for (let size = 1; size <= order; size++) {
    ofSize = (ofSize * (m - size + 1)) / size
    count += ofSize
  }
  return count
}

/** The place of an ascending set of at most three concepts among {@link conceptSets}. */
export function conceptSetNumber(m: number, [i, k, l]: readonly number[]): number {
  const pairs = 1 + m + chooseTwo(m)
  if (i === undefined) return 0
  if (k === undefined) return 1 + i
  if (l === undefined) return pairs - chooseTwo(m - i) + k - i - 1
  return pairs + chooseThree(m) - chooseThree(m - i) + chooseTwo(m - i - 1) - chooseTwo(m - k) + l - k - 1
}

/** Visit the subsets of at most `order` of these concepts. */
export function eachSubset(concepts: readonly number[], order: number, visit: (set: readonly number[]) => void): void {
  const grow = (set: readonly number[], next: number): void => {
    visit(set)
    if (set.length < order) for (let at = next; at < concepts.length; at++) grow([...set, concepts[at]], at + 1)
  }
  grow([], 0)
}

/** The place of the subset with the bits of `subset`. */
export function subsetNumber(m: number, set: readonly number[], subset: number): number {
  return conceptSetNumber(
    m,
    set.filter((_, bit) => subset & (1 << bit))
  )
}

/** The variables of the numbers of a release. */
export interface TableShape {
  readonly concepts: number
  readonly words: number
  readonly maxOrder: number
}

export type NumberPlaces = ReturnType<typeof numberPlaces>

/** The places of numbers: those of the sets of at most `maxOrder` concepts, then those of smaller sets with each word. */
export function numberPlaces(shape: TableShape) {
  const {concepts, words, maxOrder} = shape
  const sets = conceptSets(concepts, maxOrder)
  const first = sets.length
  return {
    ...shape,
    sets,
    set: (place: number) => sets[place < first ? place : Math.floor((place - first) / words)],
    /** The word of a number; -1 for that of a set alone. */
    word: (place: number) => (place < first ? -1 : (place - first) % words),
    of(set: readonly number[], word: number): number {
      const at = conceptSetNumber(concepts, set)
      return word < 0 ? at : first + at * words + word
    }
  }
}

/** The exact numbers of a release, before any is withheld, in its layout. */
export interface TableNumbers {
  readonly sets: Float64Array
  readonly words: Float64Array
  readonly labelled: Float64Array
}

/** Numbers as bounds, laid out as in a release. */
export interface NumberRange {
  readonly low: Float64Array
  readonly high: Float64Array
  readonly wordLow: Float64Array
  readonly wordHigh: Float64Array
}

/**
 * Decides a number from those of its smaller tables, which are decided already. Given its size k, and the bounds of its
 * 2^k - 1 smaller numbers and of itself by the bits of their variables, it writes the decided bounds at the end of both.
 * `place` is that of the number among those of sets, or after them among those with words.
 */
export type DecideNumber = (k: number, low: Float64Array, high: Float64Array, place: number) => void

/** Decide every number except that of all documents in place, small tables first. Cost: numbers times 2^k. */
export function eachNumber(shape: TableShape, {low, high, wordLow, wordHigh}: NumberRange, decide: DecideNumber): void {
  const {concepts: m, words: n, maxOrder} = shape
  const [lows, highs] = [new Float64Array(2 ** maxOrder), new Float64Array(2 ** maxOrder)]
  const setsWithWords = conceptSetCount(m, maxOrder - 1)
  const subsets = new Uint32Array(2 ** maxOrder)
  for (const [at, set] of conceptSets(m, maxOrder).entries()) {
    const full = 2 ** set.length - 1
    for (let T = 0; T <= full; T++) {
      subsets[T] = subsetNumber(m, set, T)
      lows[T] = low[subsets[T]]
      highs[T] = high[subsets[T]]
    }
    if (at > 0) {
      decide(set.length, lows, highs, at)
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
      decide(set.length + 1, lows, highs, low.length + at * n + j)
      wordLow[at * n + j] = lows[last]
      wordHigh[at * n + j] = highs[last]
    }
  }
}
