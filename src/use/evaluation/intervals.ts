/** Intervals of figures by random weights of the documents (the Bayesian bootstrap), the same for every method: their differences are paired. */
import {log, rng} from '../../base/numeric/index.ts'

/** A figure with its 90% interval; NaN where no document gives it. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

export type Interval = Omit<Estimate, 'value'>

export const LEVEL = 0.9

/** Quantiles of the draws, stretched to the value where the prior keeps them from it, as with no miss among few documents. */
export function estimateOf(value: number, draws: ArrayLike<number>): Estimate {
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

/** Exponential weights of documents, with a random stream for each replicate. */
export function* documentWeights(documents: number, replicates: number, seed: number): Generator<Float32Array> {
  for (let replicate = 0; replicate < replicates; replicate++) {
    const random = rng(seed).stream(`weights ${replicate}`)
    yield Float32Array.from({length: documents}, () => -log(1 - random.next()))
  }
}
