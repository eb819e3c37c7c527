/**
 * Rates that the documents contradict. Under the anchor condition P(A|anything) lies between e = P(A|Y=0) and
 * t = P(A|Y=1): of all documents, of those with any one word, and of those with another anchor.
 */

import {type EstimatedRates, rateRefusals} from '../../learn/noise/index.ts'
import type {SkippedAnchor} from '../../read/data/index.ts'
import {type AnchorStatistics, shareLimits} from './anchor-statistics.ts'
import {documentsOf, type Finding, listOf, percent, splitReason} from './finding.ts'

/** Limits of P(A|word) are this far away: of 100,000 words and anchors one comes so far by chance in 30 corpora. */
const LIMIT_ERRORS = 5

/** `rates[i]` is undefined where nothing is known of concept i. Of rates that are impossible nothing else is said. */
export function checkRates(statistics: AnchorStatistics, rates: readonly (EstimatedRates | undefined)[]): Finding[] {
  return rates.flatMap((known, i) => {
    if (known === undefined) return []
    const impossible = outOfRange(statistics, known, i)
    return impossible.length > 0 ? impossible : [...refusals(statistics, known, i), ...aboveRate(statistics, known, i)]
  })
}

/** Concepts whose rates cannot be had. */
export function checkUnrated(unrated: readonly SkippedAnchor[]): Finding[] {
  return unrated.map(({concept, reason}) => ({
    concept,
    severity: 'warning',
    kind: 'refused-rates',
    ...splitReason(reason),
    evidence: {reason}
  }))
}

/** The rules of `rateRefusals`; few documents are reported without rates. */
function refusals({fired}: AnchorStatistics, rates: EstimatedRates, i: number): Finding[] {
  return rateRefusals(rates, fired[i])
    .filter(({rule}) => rule !== 'few-anchored')
    .map(({rule, reason}) => ({
      concept: rates.concept,
      severity: rule === 'wide-interval' || !isCertain(rule, rates) ? 'warning' : 'fault',
      kind: 'refused-rates',
      ...splitReason(reason),
      evidence: {
        rule,
        truePositive: rates.truePositive,
        precision: rates.precision.value,
        prevalence: rates.prevalence.value
      }
    }))
}

/** Whether the rule is broken at the best end of the interval too. */
function isCertain(rule: string, rates: EstimatedRates): boolean {
  const best = {...rates, precision: {value: rates.precision.high}, truePositive: highestTruePositive(rates)}
  return rateRefusals(best, Number.POSITIVE_INFINITY).some(refusal => refusal.rule === rule)
}

/** Rates that no prevalence fits: the anchor fires more often than t, or less often than e. */
function outOfRange({fired, N}: AnchorStatistics, rates: EstimatedRates, i: number): Finding[] {
  const {low, high} = shareLimits(fired[i], N, LIMIT_ERRORS)
  const [t, e] = [highestTruePositive(rates), lowestFalsePositive(rates)]
  if (low <= t && high >= e && t > e) return []
  const share = percent(fired[i] / N)
  return [
    {
      concept: rates.concept,
      severity: 'fault',
      kind: 'impossible-rates',
      message:
        `its rates say that the anchor fires in ${percent(rates.truePositive)} of the documents that have the concept and in ` +
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
  const t = highestTruePositive(rates)
  const {anchors, words: names} = counts.lexicon
  const besides = [
    ...names.map((name, j) => ({name, together: anchoredWords[i * n + j], documents: words[j]})),
    ...anchors.map(({concept}, k) => ({
      name: `the anchor of ${concept}`,
      together: k === i ? 0 : pairs[i * m + k],
      documents: fired[k]
    }))
  ]
  const above = besides
    .map(beside => ({...beside, low: shareLimits(beside.together, beside.documents, LIMIT_ERRORS).low}))
    .filter(({low}) => low > t)
    .sort((x, y) => y.low - x.low)
  if (above.length === 0) return []
  const [{name, together, documents}] = above
  return [
    {
      concept: rates.concept,
      severity: 'warning',
      kind: 'rate-below-word',
      message:
        `its anchor fires in ${percent(together / documents)} of the ${documentsOf(documents)} with '${name}', but its rates say at most ${percent(t)} ` +
        `of any documents${above.length > 1 ? ` (likewise with ${listOf(above.slice(1).map(beside => beside.name))})` : ''}`,
      evidence: {
        words: above.map(beside => beside.name),
        share: together / documents,
        documents,
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
