/**
 * Does the anchor of concept i also fire for another concept k? A test of the anchor condition from counts alone.
 *
 * The *own words* of i occur with A_i (at least OWN_ERRORS standard errors, more than with any other anchor; the clearest
 * OWN_LIMIT) and, in documents with A_k alone, about as rarely as in documents with neither anchor. S_ab is the mean of
 * their sum, each divided by its standard deviation, over the documents with A_i = a and A_k = b.
 *
 * If A_i depends on everything else through Y_i alone and A_i, A_k are positively correlated, then Cov(Y_i, Y_k) > 0 and
 * Y_i is at least as likely given both anchors as given A_i alone. Other effects of A_k can only add words, so
 * S_11 >= S_10. If A_i also fires for k, some documents with both anchors are not about i: S_11 falls towards S_01, and
 * (S_10 - S_11) / (S_10 - S_01) estimates their share. The test misses an anchor that fires for k where k hardly ever
 * occurs without i, or where A_k misses so much that documents with A_i alone are as mixed as those with both.
 *
 * Standard error of S: words independent given Y_i, plus the most that a mixture of documents with and without i can add,
 * (S_10 - S_01)^2 / 4. WARNING_ERRORS of these occur by chance once in 700 tests; 50 concepts make some hundred tests.
 *
 * Layout of the joint counts: `(i*m + k)*OWN_LIMIT + rank of the word among the own words of i`. Cost: one pass over the
 * words of the patterns for each pair of anchors in a pattern, and m^2 OWN_LIMIT.
 */
import type {Lexicon} from '../../read/data/index.ts'
import {type AnchorStatistics, excessErrors} from './anchor-statistics.ts'
import {finding} from './finding.ts'

const OWN_ERRORS = 5
const OWN_LIMIT = 40
/** An own word of i rises with A_k alone by less than this share of its rise with A_i alone. */
const FOREIGN_RISE = 0.25
/** The test needs this many documents with each anchor alone and with both, and this many own words. */
const LEAST_DOCUMENTS = 10
const LEAST_WORDS = 3
const TOGETHER_ERRORS = 3
const WARNING_ERRORS = 3
/** Real concepts look somewhat different where they overlap with others; smaller shares are no more than that. */
const LEAST_ABSENT = 0.25

/** The test of one ordered pair of concepts. */
export interface ForeignTest {
  readonly concept: number
  readonly other: number
  /** Documents where both anchors fire. */
  readonly together: number
  /** S_10 - S_11 in standard errors. */
  readonly errors: number
  /** The estimated share of these documents that are not about the concept. */
  readonly absentShare: number
  /** The own words, clearest first. */
  readonly words: readonly number[]
}

/** At most one finding per concept, about the clearest other concept, with the rest. */
export function checkForeignFiring(statistics: AnchorStatistics) {
  const {lexicon, tables} = statistics.counts
  if (tables !== undefined && tables.maxOrder < 3) return []
  const tests = foreignTests(statistics)
    .filter(({errors, absentShare}) => errors >= WARNING_ERRORS && absentShare >= LEAST_ABSENT)
    .toSorted((x, y) => y.errors - x.errors)
  return lexicon.anchors.flatMap((_, i) => {
    const [worst, ...rest] = tests.filter(test => test.concept === i)
    return worst === undefined ? [] : [describe(lexicon, worst, rest)]
  })
}

function describe({anchors, words: names}: Lexicon, test: ForeignTest, rest: readonly ForeignTest[]) {
  return finding(anchors[test.concept].concept, 'warning', 'fires-for-another', {
    other: anchors[test.other].concept,
    together: test.together,
    absentShare: test.absentShare,
    standardErrors: test.errors,
    words: test.words.map(j => names[j]),
    also: rest.map(({other}) => anchors[other].concept)
  })
}

/** Tests all ordered pairs of concepts whose anchors fire together more often than by chance. */
export function foreignTests(statistics: AnchorStatistics): ForeignTest[] {
  const {m, N, fired, pairs} = statistics
  const own = ownWords(statistics)
  const joint = jointCounts(statistics, own)
  const tests: ForeignTest[] = []
  for (let i = 0; i < m; i++)
    for (let k = 0; k < m; k++) {
      const together = pairs[i * m + k]
      const least = Math.min(together, fired[i] - together, fired[k] - together)
      if (i === k || least < LEAST_DOCUMENTS) continue
      if (excessErrors(together, fired[i], fired[k], N) < TOGETHER_ERRORS) continue
      const at = (i * m + k) * OWN_LIMIT
      const test = testPair(statistics, i, k, own[i], joint.subarray(at, at + OWN_LIMIT))
      if (test !== undefined) tests.push(test)
    }
  return tests
}

function testPair(
  {m, n, N, fired, pairs, words, anchoredWords}: AnchorStatistics,
  i: number,
  k: number,
  own: readonly number[],
  joint: Float64Array
): ForeignTest | undefined {
  const together = pairs[i * m + k]
  const [alone, other] = [fired[i] - together, fired[k] - together]
  const neither = N - together - alone - other
  let [S11, S10, S01, variance] = [0, 0, 0, 0]
  const used = own.filter((j, slot) => {
    const x11 = joint[slot]
    const x10 = anchoredWords[i * n + j] - x11
    const x01 = anchoredWords[k * n + j] - x11
    const p10 = x10 / alone
    const p01 = x01 / other
    const p00 = neither > 0 ? (words[j] - x11 - x10 - x01) / neither : 0
    if (!(p10 > p00 && p01 - p00 < FOREIGN_RISE * (p10 - p00))) return false
    const weight = 1 / Math.sqrt((words[j] / N) * (1 - words[j] / N))
    S11 += (weight * x11) / together
    S10 += weight * p10
    S01 += weight * p01
    variance += weight * weight * p10 * (1 - p10)
    return true
  })
  if (used.length < LEAST_WORDS) return undefined
  variance += (S10 - S01) ** 2 / 4
  const errors = (S10 - S11) / Math.sqrt(variance / together + variance / alone)
  return {concept: i, other: k, together, errors, absentShare: (S10 - S11) / (S10 - S01), words: used}
}

/** By concept, the words that occur with its anchor more clearly than with any other, clearest first. */
function ownWords({m, n, N, fired, words, anchoredWords}: AnchorStatistics): number[][] {
  const own: {j: number; errors: number}[][] = Array.from({length: m}, () => [])
  const errors = new Float64Array(m)
  for (let j = 0; j < n; j++) {
    let highest = OWN_ERRORS
    for (let i = 0; i < m; i++) {
      errors[i] = excessErrors(anchoredWords[i * n + j], fired[i], words[j], N)
      highest = Math.max(highest, errors[i])
    }
    for (let i = 0; i < m; i++) if (errors[i] >= highest) own[i].push({j, errors: errors[i]})
  }
  return own.map(list =>
    list
      .sort((x, y) => y.errors - x.errors || x.j - y.j)
      .slice(0, OWN_LIMIT)
      .map(({j}) => j)
  )
}

/** How many documents have both anchors and each own word of the first. */
function jointCounts({counts, m, n}: AnchorStatistics, own: readonly (readonly number[])[]): Float64Array {
  const slots = new Int16Array(m * n).fill(-1)
  for (const [i, words] of own.entries()) for (const [slot, j] of words.entries()) slots[i * n + j] = slot
  const joint = new Float64Array(m * m * OWN_LIMIT)
  for (let p = 0; p < counts.patternCount; p++) {
    const end = counts.conceptStarts[p + 1]
    if (end - counts.conceptStarts[p] < 2) continue
    for (let a = counts.conceptStarts[p]; a < end; a++)
      for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++) {
        const i = counts.concepts[a]
        const slot = slots[i * n + counts.wordIds[at]]
        if (slot < 0) continue
        for (let b = counts.conceptStarts[p]; b < end; b++)
          joint[(i * m + counts.concepts[b]) * OWN_LIMIT + slot] += counts.wordCounts[at]
      }
  }
  return joint
}
