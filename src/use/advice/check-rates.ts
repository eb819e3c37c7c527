import {type EstimatedRates, MIN_PRECISION, rateDoubts, rateFault} from '../../learn/noise/index.ts'
import type {SkippedAnchor} from '../../read/data/index.ts'
import {type AnchorStatistics, excessErrors, shareInterval} from './anchor-statistics.ts'
import {finding} from './finding.ts'

/**
 * Rates that the documents contradict. Under the anchor condition P(A|anything) lies between e = P(A|Y=0) and
 * t = P(A|Y=1): of all documents, of those with any one word, and of those with another anchor.
 */

/** Confidence limits of P(A|word) in standard errors: of 100,000 words and anchors one exceeds this by chance in 30 corpora. */
const LIMIT_ERRORS = 5

/** `rates[i]` is undefined where unknown. Impossible rates get no other finding. */
export function checkRates(statistics: AnchorStatistics, rates: readonly (EstimatedRates | undefined)[]) {
  return rates.flatMap((known, i) => {
    if (known === undefined) return []
    const impossible = outOfRange(statistics, known, i)
    const others = impossible.length > 0 ? [] : [...doubts(known), ...aboveRate(statistics, known, i)]
    return [...impossible, ...others]
  })
}

/** Concepts that a fit refuses for their rates. */
export function checkRefused(refused: readonly SkippedAnchor[]) {
  return refused.map(({concept, reason}) => finding(concept, 'fault', 'refused-rates', {reason}))
}

/** Rates that a fit uses, but that people should doubt; given ones may be weak. Few labels are no fault of the anchor. */
function doubts(rates: EstimatedRates) {
  const weak = rateFault(rates)
  return [...(weak ? [weak] : []), ...rateDoubts(rates)].map(({rule, reason}) =>
    finding(rates.concept, rule === 'wide-interval' ? 'note' : 'warning', 'doubtful-rates', {
      rule,
      reason,
      truePositive: rates.truePositive,
      precision: rates.precision.value,
      prevalence: rates.prevalence.value
    })
  )
}

/** Rates that no prevalence fits: the anchor fires more often than the larger of t and e, or less often than the smaller. */
function outOfRange({fired, N}: AnchorStatistics, rates: EstimatedRates, i: number) {
  const {low, high} = shareInterval(fired[i], N, LIMIT_ERRORS)
  const ends = [highestTruePositive(rates), lowestFalsePositive(rates)]
  if (low <= Math.max(...ends) && high >= Math.min(...ends) && ends[0] !== ends[1]) return []
  const {concept, truePositive, falsePositive} = rates
  return [finding(concept, 'fault', 'impossible-rates', {truePositive, falsePositive, share: fired[i] / N})]
}

/** Words and other anchors beside which the anchor fires more often than in documents that have the concept. */
function aboveRate(
  {counts, m, n, fired, pairs, words, anchoredWords}: AnchorStatistics,
  rates: EstimatedRates,
  i: number
) {
  const t = Math.max(highestTruePositive(rates), rates.falsePositive)
  const {anchors, words: names} = counts.lexicon
  const above: {name: string; together: number; documents: number; low: number}[] = []
  for (let at = 0; at < n + m; at++) {
    const k = at - n
    const [together, documents] = k < 0 ? [anchoredWords[i * n + at], words[at]] : [pairs[i * m + k], fired[k]]
    // The limit is below the share, which most words have below the rate.
    if (k === i || !(together > t * documents)) continue
    const {low} = shareInterval(together, documents, LIMIT_ERRORS)
    if (low > t) above.push({name: k < 0 ? names[at] : `the anchor of ${anchors[k].concept}`, together, documents, low})
  }
  const [worst] = above.sort((x, y) => y.low - x.low)
  if (worst === undefined) return []
  return [
    finding(rates.concept, 'warning', 'rate-below-word', {
      words: above.map(({name}) => name),
      share: worst.together / worst.documents,
      documents: worst.documents,
      truePositive: rates.truePositive,
      truePositiveAtMost: t
    })
  ]
}

/** t = r P(A) / p at the ends of the intervals where it is largest. */
function highestTruePositive({truePositive, precision, prevalence}: EstimatedRates): number {
  const factor = (precision.high / precision.value) * (prevalence.value / prevalence.low)
  return Number.isFinite(factor) ? Math.min(1, truePositive * Math.max(1, factor)) : 1
}

/** e = (1 - r) P(A) / (1 - p) where the precision is highest. */
function lowestFalsePositive({falsePositive, precision}: EstimatedRates): number {
  const factor = (1 - precision.high) / (1 - precision.value)
  return Number.isFinite(factor) ? falsePositive * Math.min(1, factor) : 0
}

/** The least number of labelled documents with the concept, and with the anchor, to judge by. */
const LEAST_LABELLED = 10
const LABEL_ERRORS = 2
const DEPENDENCE_ERRORS = 3

/** Anchors that labelled documents contradict: no more common with their concept than without, or mostly false. */
export function checkLabels({counts}: AnchorStatistics) {
  return counts.lexicon.anchors.flatMap(({concept}, i) => {
    const [absent, falsely, missed, hit] = counts.labelled.subarray(4 * i, 4 * i + 4)
    const [present, fired, N] = [missed + hit, falsely + hit, absent + falsely + missed + hit]
    if (present < LEAST_LABELLED || fired < LEAST_LABELLED) return []
    const isUnrelated = excessErrors(hit, present, fired, N) < DEPENDENCE_ERRORS
    const {high} = shareInterval(hit, fired, LABEL_ERRORS)
    if (!isUnrelated && high >= MIN_PRECISION) return []
    const evidence = {
      labelled: N,
      withConcept: present,
      withAnchor: fired,
      withBoth: hit,
      precisionAtMost: high,
      isUnrelated
    }
    return [finding(concept, 'fault', 'wrong-labels', evidence)]
  })
}
