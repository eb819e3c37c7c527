import type {Anchors} from './anchors.ts'
import type {TextOptions} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import type {Row} from './row.ts'
import {valueFieldNames} from './row-fields.ts'
import {ownCopy} from './tokenize.ts'

/** Frequencies of words and anchors; surveys of different documents add up. */
export interface WordSurvey {
  readonly documentCount: number
  /** Per text field, then for `features`, then per category, number and list. */
  readonly frequencies: readonly FrequencyList[]
  /** Documents in which each member fired, and in which each concept's anchor fired. */
  readonly memberHits: readonly number[]
  readonly conceptHits: readonly number[]
}

/** Learns in how many documents each word occurs and each anchor fires. */
export class DocumentSurvey {
  readonly reader: NumberedReader
  readonly #text: TextOptions
  readonly #memberHits: number[]
  readonly #conceptHits: number[]
  #documents = 0

  constructor(anchors: Anchors, phrases: readonly string[], reading: TextOptions) {
    this.reader = new NumberedReader(anchors, phrases, reading)
    this.#text = reading
    this.#memberHits = this.reader.index.memberConcepts.map(() => 0)
    this.#conceptHits = anchors.map(() => 0)
  }

  add(row: Row): void {
    const {reader} = this
    reader.read(row)
    this.#documents++
    for (const member of reader.members) this.#memberHits[member]++
    if (reader.members.length > 0) for (const concept of reader.firedConcepts()) this.#conceptHits[concept]++
  }

  /** The survey since the last call. */
  take(): WordSurvey {
    const {table} = this.reader
    const counts = this.reader.takeFrequencies()
    const survey = {
      documentCount: this.#documents,
      frequencies: frequenciesByField(this.#text, table.size, token => ({
        field: table.field(token),
        name: table.name(token),
        documents: counts[token]
      })),
      memberHits: [...this.#memberHits],
      conceptHits: [...this.#conceptHits]
    }
    this.#memberHits.fill(0)
    this.#conceptHits.fill(0)
    this.#documents = 0
    return survey
  }
}

/**
 * The frequencies of a survey, from those of each token; tokens that no document has are left out. A token of `features` is
 * counted in the list of its category, number or list, if it is of one.
 */
export function frequenciesByField(
  reading: TextOptions,
  tokenCount: number,
  tokenAt: (token: number) => {readonly field: number; readonly name: string; readonly documents: number}
): FrequencyList[] {
  const features = reading.text.length
  const prefixes = valueFieldNames(reading).map(name => `${name}:`)
  const lists = Array.from({length: features + 1 + prefixes.length}, () => ({
    tokens: [] as string[],
    counts: [] as number[]
  }))
  for (let token = 0; token < tokenCount; token++) {
    const {field, name, documents} = tokenAt(token)
    if (documents === 0) continue
    const place = field < features ? field : field + 1 + prefixes.findIndex(prefix => name.startsWith(prefix))
    lists[place].tokens.push(name)
    lists[place].counts.push(documents)
  }
  return lists
}

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
