import {log} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'

/** What the rates say of one anchor. */
export interface AnchorFacts {
  readonly prevalence: number
  /** log P(A=0|Y=1) / P(A=0|Y=0). */
  readonly silent: number
  /** P(Y=1|A=1), the anchor's precision. */
  readonly precision: number
  /** P(Y=1|A=0): how common the concept is where the anchor did not fire. */
  readonly missed: number
}

/** Bayes' rule on each anchor by itself. */
export function anchorFacts({truePositive, falsePositive, prevalence}: NoiseRates): AnchorFacts[] {
  return Array.from(truePositive, (t, i) => {
    const e = falsePositive[i]
    const p = prevalence[i]
    const a = e + (t - e) * p
    return {
      prevalence: p,
      silent: log((1 - t) / (1 - e)),
      precision: (t * p) / a,
      missed: ((1 - t) * p) / (1 - a)
    }
  })
}
