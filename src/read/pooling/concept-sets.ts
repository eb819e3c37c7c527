/** All sets of at most `order` of m concepts: small sets first, sets of one size in the order of their concepts. */
export function conceptSets(m: number, order: number): readonly (readonly number[])[] {
  const sets: (readonly number[])[] = [[]]
  for (let from = 0, size = 1; size <= order; size++) {
    const end = sets.length
    for (; from < end; from++) for (let i = (sets[from].at(-1) ?? -1) + 1; i < m; i++) sets.push([...sets[from], i])
  }
  return sets
}

/** How many there are. */
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
  if (i === undefined) return 0
  if (k === undefined) return 1 + i
  if (l === undefined) return 1 + m + two(m) - two(m - i) + k - i - 1
  return 1 + m + two(m) + three(m) - three(m - i) + two(m - i - 1) - two(m - k) + l - k - 1
}

function two(n: number): number {
  return (n * (n - 1)) / 2
}

function three(n: number): number {
  return (n * (n - 1) * (n - 2)) / 6
}

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
type DecideNumber = (k: number, low: Float64Array, high: Float64Array) => void

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
