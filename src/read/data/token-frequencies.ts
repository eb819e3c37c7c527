import {ownCopy} from './tokenize.ts'

/** In how many documents each token occurs, as it is handed from one thread or machine to another. */
export interface FrequencyList {
  readonly tokens: readonly string[]
  readonly counts: Float64Array
}

/**
 * In how many documents each token of one field occurs, in bounded memory: a mergeable summary after Misra and Gries. Up to
 * `capacity` different tokens every count is exact. When a batch ends with more, the count of the (capacity + 1)-th commonest
 * is taken from all, and those left with nothing are forgotten.
 *
 * Guarantee: a true count lies between the count kept (0 for a forgotten token) and that count plus `shortfall`, which is
 * at most the sum of all true counts divided by capacity + 1. The state after a batch depends on the batches and their
 * order alone, not on who counted them. Cost: one hash look-up a token, and a selection now and then.
 */
export class TokenFrequencies {
  readonly #capacity: number
  readonly #indexes = new Map<string, number>()
  #counts: number[] = []
  #lastDocument: number[] = []
  #shortfall = 0

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity
  }

  /** By how much counts may be too small; 0 when they are exact. */
  get shortfall(): number {
    return this.#shortfall
  }

  /** Count a token of a document; the numbers of documents begin at 1 and ascend. */
  see(token: string, document: number): void {
    const index = this.#indexOf(token)
    if (this.#lastDocument[index] === document) return
    this.#lastDocument[index] = document
    this.#counts[index]++
  }

  /** Add the counts of other documents. */
  add({tokens, counts}: FrequencyList): void {
    for (let at = 0; at < tokens.length; at++) this.#counts[this.#indexOf(tokens[at])] += counts[at]
  }

  /** Forget the rarest when there are too many. */
  endBatch(): void {
    // Room for a half more, so that forgetting, which looks at all, is rare.
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
    this.#lastDocument = counts.map(() => 0)
    this.#shortfall += least
  }

  /** All counts, and begin anew. */
  take(): FrequencyList {
    const list = {tokens: [...this.#indexes.keys()], counts: Float64Array.from(this.#counts)}
    this.#indexes.clear()
    this.#counts = []
    this.#lastDocument = []
    return list
  }

  /** The commonest wanted tokens, equal ones by name. Only those above the last one's count are sorted by name. */
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
    this.#lastDocument.push(0)
    return index
  }
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
