import {clamp} from '../../base/numeric/index.ts'
import type {EstimatedRates, RateInterval} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {type AnchorStatistics, anchorStatistics, shareInterval} from './anchor-statistics.ts'

/** Fewer common documents may be chance, whatever their share. */
export const LEAST_TOGETHER = 3

/** How words occur with anchors. */
export interface WordEvidence extends AnchorStatistics {
  /** By concept; undefined where unknown. */
  readonly rates: readonly (EstimatedRates | undefined)[]
  /** P(A=1|Y=1) of each anchor where known; else its lower bound, the highest share beside any word. */
  readonly reach: Float64Array
}

/** Rates are matched by the concept's name. Cost: one pass over the counts and O(m n). */
export function wordEvidence(counts: Counts, given: readonly EstimatedRates[]): WordEvidence {
  const statistics = anchorStatistics(counts)
  const {n, words, anchoredWords} = statistics
  const rates = counts.lexicon.anchors.map(({concept}) => given.find(rate => rate.concept === concept))
  const reach = Float64Array.from(rates, (rate, i) => {
    if (rate !== undefined) return rate.truePositive
    let highest = 0
    for (let j = 0; j < n; j++)
      if (anchoredWords[i * n + j] >= LEAST_TOGETHER)
        highest = Math.max(highest, shareInterval(anchoredWords[i * n + j], words[j]).low)
    return highest
  })
  return {...statistics, rates, reach}
}

/** The evidence from counts for word j as an anchor of concept i. */
export interface WordClaim {
  /** Documents with the word, and those of them where the anchor fires too. */
  readonly documents: number
  readonly together: number
  /** P(A|x): the share of the word's documents where the anchor fires. */
  readonly share: RateInterval
  /** That share over P(A). */
  readonly lift: RateInterval
  /** P(Y|x), from P(A|x) = e + (t - e) P(Y|x); without rates an upper bound, for e = 0 and the least t. */
  readonly precision: RateInterval
  /** P(x|Y) by Bayes' rule from the precision; without rates P(x|A), the same for a perfect anchor. */
  readonly coverage: RateInterval
}

export function wordClaim(evidence: WordEvidence, i: number, j: number): WordClaim {
  const {n, N, words, anchoredWords, reach} = evidence
  const documents = words[j]
  const together = anchoredWords[i * n + j]
  const fired = evidence.fired[i]
  const share = shareInterval(together, documents)
  const rates = evidence.rates[i]
  const e = rates?.falsePositive ?? 0
  const precision = mapInterval(share, value => inUnit(reach[i] > e ? (value - e) / (reach[i] - e) : 0))
  return {
    documents,
    together,
    share,
    lift: mapInterval(share, value => (value * N) / fired),
    precision,
    coverage:
      rates === undefined
        ? shareInterval(together, fired)
        : mapInterval(precision, value => inUnit((value * documents) / N / rates.prevalence.value))
  }
}

function mapInterval({value, low, high}: RateInterval, change: (value: number) => number): RateInterval {
  return {value: change(value), low: change(low), high: change(high)}
}

function inUnit(x: number): number {
  return clamp(x, 0, 1)
}

/** Another concept that a word indicates. */
export interface Rival {
  readonly concept: number
  /** P(A_k|x): how often its anchor fires beside the word. */
  readonly share: number
  /** How often it would if every document with the word had concept i. */
  readonly explained: number
  /** The unexplained part of P(Y_k|x) relative to P(Y_i|x). */
  readonly strength: number
}

/**
 * The concept k whose anchor occurs with word j most beyond what concept i explains. If the word were an anchor of i,
 * Cov(x, A_k) / Cov(A_i, A_k) would be one ratio for all k. With a precise anchor of i that ratio is at most the one of
 * a word in documents of i alone, so that P(A_k|x) cannot exceed P(A_k|A_i), nor P(A_k) where the two avoid each other.
 * Confidence limits favour the word. Cost: O(m).
 */
export function strongestRival(evidence: WordEvidence, i: number, j: number, own: WordClaim): Rival | undefined {
  const {m, n, N, fired, pairs, words, anchoredWords, reach} = evidence
  let strongest: Rival | undefined
  for (let k = 0; k < m; k++) {
    const together = anchoredWords[k * n + j]
    if (k === i || together < LEAST_TOGETHER || own.precision.low === 0) continue
    const share = shareInterval(together, words[j])
    const explained = Math.max(fired[k] / N, shareInterval(pairs[i * m + k], fired[i]).high)
    const strength = Math.min(1, (share.low - explained) / reach[k]) / own.precision.low
    if (strength > (strongest?.strength ?? 0)) strongest = {concept: k, share: share.value, explained, strength}
  }
  return strongest
}
