/** Intervals of figures by random weights of the documents (the Bayesian bootstrap), the same for every method: their differences are paired. */
import {log, rng} from '../../base/numeric/index.ts'

/** A figure with its 90% interval; NaN where no document gives it. */
export interface LabelFigure {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Its ends. */
export type Interval = Omit<LabelFigure, 'value'>

export const LEVEL = 0.9

/** Quantiles of the draws, stretched to the value where the prior keeps them from it, as with no miss among few documents. */
export function figureOf(value: number, draws: ArrayLike<number>): LabelFigure {
  const sorted = Float64Array.from(draws)
    .filter(one => !Number.isNaN(one))
    .sort()
  if (Number.isNaN(value) || sorted.length === 0) return {value: Number.NaN, low: Number.NaN, high: Number.NaN}
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]
  return {value, low: Math.min(at((1 - LEVEL) / 2), value), high: Math.max(at((1 + LEVEL) / 2), value)}
}

/** "0.690 to 0.720"; "-" where there is none. */
export function intervalText({low, high}: Interval, digits: number): string {
  return Number.isNaN(low) ? '-' : `${low.toFixed(digits)} to ${high.toFixed(digits)}`
}

/** Whether the interval of a difference leaves out that there is none. */
export function isClear({low, high}: Interval): boolean {
  return low > 0 || high < 0
}

/** Who has the best figure; `level`: who has no clear difference from it. */
export interface Best {
  readonly methods: readonly string[]
  readonly level: readonly string[]
}

export function bestOf<Method>(
  named: readonly (readonly [string, Method])[],
  isBetter: (a: Method, b: Method) => boolean,
  difference: (a: Method, b: Method) => Interval
): Best {
  const best = named.filter(([, own]) => !named.some(([, other]) => isBetter(other, own)))
  const isLevel = (own: Method) => best.some(([, one]) => !isClear(difference(own, one)))
  const level = named.filter(one => !best.includes(one) && isLevel(one[1]))
  return {methods: best.map(([name]) => name), level: level.map(([name]) => name)}
}

/** Weights that are held at a time. */
const MOST_HELD = 2 ** 23

/** Random weights of documents, one list for each replicate; those that do not fit into memory are drawn again each time. */
export class DocumentWeights {
  readonly documents: number
  readonly replicates: number
  readonly #seed: number
  readonly #held: Float32Array[]

  constructor(documents: number, replicates: number, seed: number, held = MOST_HELD) {
    this.documents = documents
    this.replicates = replicates
    this.#seed = seed
    const kept = Math.min(replicates, Math.floor(held / documents))
    this.#held = Array.from({length: kept}, (_, r) => this.#draw(r))
  }

  *[Symbol.iterator](): Iterator<Float32Array> {
    for (let r = 0; r < this.replicates; r++) yield this.#held[r] ?? this.#draw(r)
  }

  /** Exponential, with a stream for each replicate. */
  #draw(replicate: number): Float32Array {
    const random = rng(this.#seed).stream(`weights ${replicate}`)
    return Float32Array.from({length: this.documents}, () => -log(1 - random.next()))
  }
}
