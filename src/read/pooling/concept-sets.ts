/** All sets of at most `order` of m concepts: small sets first, sets of one size in lexical order. */
export function conceptSets(m: number, order: number): readonly (readonly number[])[] {
  const sets: (readonly number[])[] = [[]]
  for (let from = 0, size = 1; size <= order; size++) {
    const end = sets.length
    for (; from < end; from++) for (let i = (sets[from].at(-1) ?? -1) + 1; i < m; i++) sets.push([...sets[from], i])
  }
  return sets
}

export function conceptSetCount(m: number, order: number): number {
  let count = 0
  for (let size = 0; size <= order; size++) count += choose(m, size)
  return count
}

function choose(n: number, k: number): number {
  return k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k
}

/** The place of an ascending set of at most three concepts among {@link conceptSets}. */
export function conceptSetNumber(m: number, [i, k, l]: readonly number[]): number {
  const pairs = 1 + m + choose(m, 2)
  if (i === undefined) return 0
  if (k === undefined) return 1 + i
  if (l === undefined) return pairs - choose(m - i, 2) + k - i - 1
  return pairs + choose(m, 3) - choose(m - i, 3) + choose(m - i - 1, 2) - choose(m - k, 2) + l - k - 1
}

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

export type NumberPlaces = ReturnType<typeof numberPlaces>

/** Numbers in the order of a release: sets of at most `maxOrder` concepts first, then smaller sets with each word. */
export function numberPlaces(concepts: number, words: number, maxOrder: number) {
  const sets = conceptSets(concepts, maxOrder)
  const first = sets.length
  return {
    concepts,
    words,
    maxOrder,
    sets,
    count: first + conceptSetCount(concepts, maxOrder - 1) * words,
    set: (place: number) => sets[place < first ? place : Math.floor((place - first) / words)],
    /** The word of a number; -1 for that of a set alone. */
    word: (place: number) => (place < first ? -1 : (place - first) % words),
    /** The place of the number with the first word, by the place of the set. */
    rowOf: (set: number) => first + set * words,
    of(set: readonly number[], word: number): number {
      const at = conceptSetNumber(concepts, set)
      return word < 0 ? at : first + at * words + word
    }
  }
}

export interface NumberRange {
  readonly low: Float64Array
  readonly high: Float64Array
}

/**
 * Decides a number from those of its smaller tables, which are decided already. Given its size k, and the bounds of its
 * 2^k - 1 smaller numbers and of itself by the bits of their variables, it writes the decided bounds at the end of
 * both.
 */
export type DecideNumber = (k: number, low: Float64Array, high: Float64Array, place: number) => void

/** Decide every number except that of all documents in place, small tables first. Cost: numbers times 2^k. */
export function eachNumber(
  {concepts: m, words: n, maxOrder, sets, rowOf}: NumberPlaces,
  {low, high}: NumberRange,
  decide: DecideNumber
): void {
  const [lows, highs] = [new Float64Array(2 ** maxOrder), new Float64Array(2 ** maxOrder)]
  const subsets = new Uint32Array(2 ** maxOrder)
  const decideAt = (k: number, placeOf: (T: number) => number) => {
    const full = 2 ** k - 1
    for (let T = 0; T <= full; T++) {
      const place = placeOf(T)
      lows[T] = low[place]
      highs[T] = high[place]
    }
    decide(k, lows, highs, placeOf(full))
    low[placeOf(full)] = lows[full]
    high[placeOf(full)] = highs[full]
  }
  for (const [at, set] of sets.entries()) {
    const size = 2 ** set.length
    for (let T = 0; T < size; T++) subsets[T] = subsetNumber(m, set, T)
    if (at > 0) decideAt(set.length, T => subsets[T])
    if (set.length === maxOrder) continue
    // The word is one more variable, the highest bit.
    for (let j = 0; j < n; j++) decideAt(set.length + 1, T => (T < size ? subsets[T] : rowOf(subsets[T - size]) + j))
  }
}
