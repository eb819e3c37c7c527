import {counted, nameList, percent} from '../../base/text/index.ts'
import {type EstimatedRates, MIN_PRECISION, rateDoubts, rateFault} from '../../learn/noise/index.ts'
import type {SkippedAnchor} from '../../read/data/index.ts'
import {type AnchorStatistics, excessErrors, shareInterval} from './anchor-statistics.ts'
import {type Finding, splitReason} from './finding.ts'

/**
 * Rates that the documents contradict. Under the anchor condition P(A|anything) lies between e = P(A|Y=0) and
 * t = P(A|Y=1): of all documents, of those with any one word, and of those with another anchor.
 */

/** Confidence limits of P(A|word) in standard errors: of 100,000 words and anchors one exceeds this by chance in 30 corpora. */
const LIMIT_ERRORS = 5

/** `rates[i]` is undefined where unknown. Impossible rates get no other finding. */
export function checkRates(statistics: AnchorStatistics, rates: readonly (EstimatedRates | undefined)[]): Finding[] {
  return rates.flatMap((known, i) => {
    if (known === undefined) return []
    const impossible = outOfRange(statistics, known, i)
    return impossible.length > 0 ? impossible : [...doubts(known), ...aboveRate(statistics, known, i)]
  })
}

/** Concepts that a fit refuses for their rates. */
export function checkRefused(refused: readonly SkippedAnchor[]): Finding[] {
  return refused.map(({concept, reason}) => ({
    concept,
    severity: 'fault',
    kind: 'refused-rates',
    ...splitReason(reason),
    evidence: {reason}
  }))
}

/** Rates that a fit uses, but that people should doubt; given ones may be weak. Few labels are no fault of the anchor. */
function doubts(rates: EstimatedRates): Finding[] {
  const weak = rateFault(rates)
  return [...(weak ? [weak] : []), ...rateDoubts(rates)].map(({rule, reason}) => ({
    concept: rates.concept,
    severity: rule === 'wide-interval' ? 'note' : 'warning',
    kind: 'doubtful-rates',
    ...splitReason(reason),
    evidence: {
      rule,
      truePositive: rates.truePositive,
      precision: rates.precision.value,
      prevalence: rates.prevalence.value
    }
  }))
}

/** Rates that no prevalence fits: the anchor fires more often than the larger of t and e, or less often than the smaller. */
function outOfRange({fired, N}: AnchorStatistics, rates: EstimatedRates, i: number): Finding[] {
  const {low, high} = shareInterval(fired[i], N, LIMIT_ERRORS)
  const ends = [highestTruePositive(rates), lowestFalsePositive(rates)]
  if (low <= Math.max(...ends) && high >= Math.min(...ends) && ends[0] !== ends[1]) return []
  const share = percent(fired[i] / N)
  return [
    {
      concept: rates.concept,
      severity: 'fault',
      kind: 'impossible-rates',
      message:
        `by its rates the anchor fires in ${percent(rates.truePositive)} of the documents that have the concept and in ` +
        `${percent(rates.falsePositive)} of those that do not, yet it fires in ${share} of all: no share of documents with the concept fits`,
      evidence: {truePositive: rates.truePositive, falsePositive: rates.falsePositive, share: fired[i] / N},
      remedy: 'check the rates; was the anchor swapped with another one?'
    }
  ]
}

/** Words and other anchors beside which the anchor fires more often than in documents that have the concept. */
function aboveRate(
  {counts, m, n, fired, pairs, words, anchoredWords}: AnchorStatistics,
  rates: EstimatedRates,
  i: number
): Finding[] {
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
  const [worst, ...others] = above.sort((x, y) => y.low - x.low)
  if (worst === undefined) return []
  const share = worst.together / worst.documents
  const also = others.length > 0 ? ` (likewise with ${nameList(others.map(({name}) => name))})` : ''
  return [
    {
      concept: rates.concept,
      severity: 'warning',
      kind: 'rate-below-word',
      message:
        `its anchor fires in ${percent(share)} of the ${counted(worst.documents, 'document')} with '${worst.name}', ` +
        `but by its rates in at most ${percent(t)} of any documents${also}`,
      evidence: {
        words: above.map(({name}) => name),
        share,
        documents: worst.documents,
        truePositive: rates.truePositive,
        truePositiveAtMost: t
      },
      remedy:
        'the rate is too low, or these belong to the anchor: parts of the same phrase, or its own words in another field; raise the rate or add them to the anchor'
    }
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
export function checkLabels({counts}: AnchorStatistics): Finding[] {
  return counts.lexicon.anchors.flatMap(({concept}, i): Finding[] => {
    const [absent, falsely, missed, hit] = counts.labelled.subarray(4 * i, 4 * i + 4)
    const [present, fired, N] = [missed + hit, falsely + hit, absent + falsely + missed + hit]
    if (present < LEAST_LABELLED || fired < LEAST_LABELLED) return []
    const isUnrelated = excessErrors(hit, present, fired, N) < DEPENDENCE_ERRORS
    const {high} = shareInterval(hit, fired, LABEL_ERRORS)
    if (!isUnrelated && high >= MIN_PRECISION) return []
    const [t, e] = [hit / present, falsely / Math.max(1, absent + falsely)]
    return [
      {
        concept,
        severity: 'fault',
        kind: 'wrong-labels',
        message: isUnrelated
          ? `by the labels its anchor fires in ${percent(t)} of the documents that have the concept and in ${percent(e)} of those that do not: it does not indicate it`
          : `by the labels only ${percent(hit / fired)} of the documents where its anchor fires have the concept; ${percent(MIN_PRECISION)} or more is usual`,
        evidence: {labelled: N, withConcept: present, withAnchor: fired, withBoth: hit, precisionAtMost: high},
        remedy: 'was it swapped with the anchor of another concept? if not, choose narrower words or veto with "not"'
      }
    ]
  })
}
