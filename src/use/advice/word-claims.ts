import type {EstimatedRates, RateInterval} from '../../learn/noise/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'
import {shareInterval} from './anchor-statistics.ts'

/** Fewer common documents are luck, however good their share looks. */
export const LEAST_TOGETHER = 3

/** How words go with anchors. */
export interface WordCompany {
  readonly conceptCount: number
  readonly wordCount: number
  readonly documentCount: number
  /** Documents with each word. */
  readonly totals: Float64Array
  /** Documents with the anchors of i and k, cell `i*m + k`. */
  readonly pairs: Float64Array
  /** Documents with the anchor of i and word j, cell `i*n + j`. */
  readonly withAnchor: Float64Array
  readonly rates: readonly (EstimatedRates | undefined)[]
  /** P(A=1|Y=1) of each anchor where it is known; else the least it can be, its highest share beside any word. */
  readonly reach: Float64Array
}

/** Rates are taken by the concept's name. Cost: one pass over the counts and O(m n). */
export function wordCompany(counts: Counts, rates: readonly EstimatedRates[]): WordCompany {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const totals = wordTotals(counts)
  const withAnchor = anchorWordCounts(counts)
  const known = counts.lexicon.anchors.map(({concept}) => rates.find(rate => rate.concept === concept))
  const reach = Float64Array.from(known, (rate, i) => {
    if (rate !== undefined) return rate.truePositive
    let highest = 0
    for (let j = 0; j < n; j++)
      if (withAnchor[i * n + j] >= LEAST_TOGETHER)
        highest = Math.max(highest, shareInterval(withAnchor[i * n + j], totals[j]).low)
    return highest
  })
  return {
    conceptCount: m,
    wordCount: n,
    documentCount: counts.documentCount,
    totals,
    pairs: anchorPairCounts(counts),
    withAnchor,
    rates: known,
    reach
  }
}

/** What the counts say of word j as an anchor of concept i. */
export interface WordClaim {
  /** Documents with the word, and those of them where the anchor fires too. */
  readonly documents: number
  readonly together: number
  /** P(A|x): the share of the word's documents where the anchor fires. */
  readonly share: RateInterval
  /** That share over P(A). */
  readonly lift: RateInterval
  /** P(Y|x), from P(A|x) = e + (t - e) P(Y|x); without rates only as large as it can be, for e = 0 and the least t. */
  readonly precision: RateInterval
  /** P(x|Y): by Bayes' rule from the precision; without rates P(x|A), the same for an anchor that never errs. */
  readonly coverage: RateInterval
}

export function wordClaim(company: WordCompany, i: number, j: number): WordClaim {
  const {totals, documentCount, withAnchor, pairs, conceptCount, wordCount, reach} = company
  const documents = totals[j]
  const together = withAnchor[i * wordCount + j]
  const fired = pairs[i * conceptCount + i]
  const share = shareInterval(together, documents)
  const rates = company.rates[i]
  const e = rates?.falsePositive ?? 0
  const precision = mapInterval(share, value => (reach[i] > e ? (value - e) / (reach[i] - e) : 0))
  return {
    documents,
    together,
    share,
    lift: {
      value: (share.value * documentCount) / fired,
      low: (share.low * documentCount) / fired,
      high: (share.high * documentCount) / fired
    },
    precision,
    coverage:
      rates === undefined
        ? shareInterval(together, fired)
        : mapInterval(precision, value => (value * documents) / documentCount / rates.prevalence.value)
  }
}

function mapInterval({value, low, high}: RateInterval, change: (value: number) => number): RateInterval {
  const held = (x: number) => Math.min(1, Math.max(0, change(x)))
  return {value: held(value), low: held(low), high: held(high)}
}

/** Another concept that a word speaks for. */
export interface Rival {
  readonly concept: number
  /** P(A_k|x): how often its anchor fires beside the word. */
  readonly share: number
  /** How often it would if every document with the word had concept i. */
  readonly explained: number
  /** What is left unexplained of P(Y_k|x), as a part of P(Y_i|x); 1 is as much. */
  readonly strength: number
}

/**
 * The concept k whose anchor goes with word j most beyond what concept i explains. If the word were an anchor of i,
 * Cov(x, A_k) / Cov(A_i, A_k) would be one ratio for all k. With a precise anchor of i that ratio is at most the one of
 * a word in documents of i alone, so that P(A_k|x) cannot exceed P(A_k|A_i), nor P(A_k) where the two avoid each other.
 * Limits of confidence take the word's side. Cost: O(m).
 */
export function strongestRival(company: WordCompany, i: number, j: number, own: WordClaim): Rival | undefined {
  const {conceptCount: m, wordCount: n, pairs, withAnchor, totals, documentCount, reach} = company
  let strongest: Rival | undefined
  for (let k = 0; k < m; k++) {
    const together = withAnchor[k * n + j]
    if (k === i || together < LEAST_TOGETHER || own.precision.low === 0) continue
    const share = shareInterval(together, totals[j])
    const explained = Math.max(pairs[k * m + k] / documentCount, shareInterval(pairs[i * m + k], pairs[i * m + i]).high)
    const strength = Math.min(1, (share.low - explained) / reach[k]) / own.precision.low
    if (strength > (strongest?.strength ?? 0)) strongest = {concept: k, share: share.value, explained, strength}
  }
  return strongest
}
