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
  #counts = new Map<string, number>()
  #shortfall = 0

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity
  }

  /** By how much counts may be too small; 0 when exact. */
  get shortfall(): number {
    return this.#shortfall
  }

  add({tokens, counts}: FrequencyList): void {
    tokens.forEach((token, at) => {
      const known = this.#counts.get(token)
      this.#counts.set(known === undefined ? ownCopy(token) : token, (known ?? 0) + counts[at])
    })
  }

  /** Drop the rarest tokens when there are too many. */
  endBatch(): void {
    // Half as much again, so that dropping, which visits all tokens, is rare.
    if (this.#counts.size <= 1.5 * this.#capacity) return
    const ranked = Float64Array.from(this.#counts.values()).sort()
    const least = ranked[ranked.length - 1 - this.#capacity]
    const kept = [...this.#counts].filter(([, count]) => count > least)
    this.#counts = new Map(kept.map(([token, count]) => [token, count - least]))
    this.#shortfall += least
  }

  /** All tokens, in the order in which they came. */
  list(): FrequencyList {
    return {tokens: [...this.#counts.keys()], counts: [...this.#counts.values()]}
  }

  /** The most frequent wanted tokens with their counts, ties by name. Only tokens that may be among them are sorted. */
  commonest(most: number, isWanted = (_token: string, _count: number) => true): [token: string, count: number][] {
    const wanted = [...this.#counts].filter(([token, count]) => isWanted(token, count))
    const ranked = Float64Array.from(wanted, ([, count]) => count).sort()
    const least = ranked[Math.max(0, ranked.length - most)]
    return wanted
      .filter(([, count]) => count >= least)
      .sort(([a, x], [b, y]) => y - x || byCodeUnit(a, b))
      .slice(0, most)
  }
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
