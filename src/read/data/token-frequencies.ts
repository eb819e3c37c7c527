import {ownCopy} from './tokenize.ts'

/** Document frequencies of tokens, as passed between threads or machines. */
export interface FrequencyList {
  readonly tokens: readonly string[]
  readonly counts: ArrayLike<number>
}

/**
 * Document frequencies of the tokens of one field in bounded memory: the mergeable summary of Misra and Gries. Up to
 * `capacity` distinct tokens every count is exact. When a batch ends with more, the count of the (capacity + 1)-th most
 * frequent is subtracted from all, and tokens left with nothing are dropped.
 *
 * Guarantee: a true count lies between the stored count (0 for a dropped token) and that count plus `shortfall`, which is
 * at most the sum of all true counts divided by capacity + 1. The state after a batch depends only on the batches and
 * their order, not on who counted them. Cost: one hash look-up per token, and an occasional selection.
 */
export class TokenFrequencies {
  readonly #capacity: number
  readonly #indexes = new Map<string, number>()
  #counts: number[] = []
  #shortfall = 0

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity
  }

  /** By how much counts may be too small; 0 when exact. */
  get shortfall(): number {
    return this.#shortfall
  }

  add({tokens, counts}: FrequencyList): void {
    for (let at = 0; at < tokens.length; at++) this.#counts[this.#indexOf(tokens[at])] += counts[at]
  }

  count(token: string): number {
    const index = this.#indexes.get(token)
    return index === undefined ? 0 : this.#counts[index]
  }

  /** Drop the rarest tokens when there are too many. */
  endBatch(): void {
    // Half as much again, so that dropping, which visits all tokens, is rare.
    if (this.#indexes.size <= 1.5 * this.#capacity) return
    const ranked = Float64Array.from(this.#counts).sort()
    const least = ranked[ranked.length - 1 - this.#capacity]
    const kept = [...this.#indexes].filter(([, index]) => this.#counts[index] > least)
    const counts = kept.map(([, index]) => this.#counts[index] - least)
    this.#indexes.clear()
    kept.forEach(([token], index) => {
      this.#indexes.set(token, index)
    })
    this.#counts = counts
    this.#shortfall += least
  }

  /** The most frequent wanted tokens, ties by name. Only tokens that may be among them are sorted. */
  commonest(count: number, isWanted: (token: string, count: number) => boolean): string[] {
    let unwanted = 0
    for (const [token, index] of this.#indexes) if (!isWanted(token, this.#counts[index])) unwanted++
    const ranked = Float64Array.from(this.#counts).sort()
    const least = ranked[Math.max(0, ranked.length - count - unwanted)]
    return [...this.#indexes]
      .filter(([token, index]) => this.#counts[index] >= least && isWanted(token, this.#counts[index]))
      .sort(([a, x], [b, y]) => this.#counts[y] - this.#counts[x] || byCodeUnit(a, b))
      .slice(0, count)
      .map(([token]) => token)
  }

  #indexOf(token: string): number {
    const known = this.#indexes.get(token)
    if (known !== undefined) return known
    const index = this.#counts.push(0) - 1
    this.#indexes.set(ownCopy(token), index)
    return index
  }
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
