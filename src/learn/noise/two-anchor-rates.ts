/**
 * Rates of an anchor with two or more members, without labels (Section 3.3, setting 1).
 *
 * Assumption: given the concept, its members fire independently of one another and of everything else. Then two members
 * and a third observation determine P(Y) and P(.|Y) of all (solve-pair.ts). Instead of one further observation, as in the
 * paper, all that depend on both members form one score (pair-score.ts); with three or more members the others are
 * among them (the triplet form), and the pair with the median prevalence is used.
 *
 * Two members that depend on each other given the concept go unnoticed unless their rates become impossible; with more
 * members, other pairs mostly become impossible (`impossiblePairs`) or disagree (`pairSpread`). Observations that depend on a
 * member otherwise are rejected and named. Standard errors: delta method, raised by the disagreement of the others where
 * that exceeds chance. Counts do not relate the words of a document, so words of one anchor pattern count as independent
 * given the concept; where they are not, true intervals are wider. Cost: a pass over the words of the patterns per pair.
 */

import {AdfaError} from '../../base/checks/index.ts'
import {clamp, NORMAL_95} from '../../base/numeric/index.ts'
import {type Counts, memberFlags} from '../../read/counts/index.ts'
import {choosePairScore, type Members, type PairScore, scorePatterns} from './pair-score.ts'
import type {RateInterval, Rates} from './rates.ts'
import {memberAt, type PairGroups, PREVALENCE, scoreAt, solvePair, unionAt} from './solve-pair.ts'
import {DEPENDENCE_ERRORS, dependence, isImpossible} from './tensor-decomposition.ts'

/** A probability with its standard error and 95% interval; value and interval are clipped into [0, 1]. */
export interface RateEstimate extends RateInterval {
  readonly standardError: number
}

export interface TwoAnchorRates {
  readonly kind: 'estimate'
  readonly concept: string
  readonly prevalence: RateEstimate
  /** Rates of the anchor: any of its members. */
  readonly united: Rates<RateEstimate>
  readonly members: readonly (Rates<RateEstimate> & {readonly name: string})[]
  readonly certificate: TwoAnchorCertificate
}

export interface TwoAnchorCertificate {
  /** The members that the rates were derived from. */
  readonly pair: readonly [string, string]
  /** Observations, words, other anchors and further members: those that occur, that depend on both members, and that were used. */
  readonly testedViews: number
  readonly dependentViews: number
  readonly usedViews: readonly string[]
  /** Observations that contradict the rest: they depend on a member otherwise than through the concept. */
  readonly rejectedViews: readonly string[]
  /** Root mean square disagreement of the used observations in standard errors: about 1 if all is well. */
  readonly disagreement: number
  /** Pairs that gave rates, and the range of their united true positive rates; 0 for one pair. */
  readonly pairCount: number
  readonly pairSpread: number
  /** Pairs that contradict the assumption: members depend on each other otherwise than through the concept. */
  readonly impossiblePairs: number
}

export interface NoTwoAnchorRates {
  readonly kind: 'unusable'
  readonly concept: string
  readonly reason: string
}

const NO_CONCEPT = 'no concept explains how its members and the words depend on each other'
const NOT_INDEPENDENT = 'its members would need rates outside [0, 1]: they are not independent given the concept'

/** Pairs are tried among this many members, the most common. */
const PAIRED_MEMBERS = 6

/** The rates, computed once for the same counts: a fit judges and estimates with them, and the doctor asks for them too. */
export function twoAnchorRates(counts: Counts, concept: number): TwoAnchorRates | NoTwoAnchorRates {
  const before = known.get(counts.patternDocuments)
  const entry = before !== undefined && areSame(before.counts, counts) ? before : {counts, rates: new Map()}
  known.set(counts.patternDocuments, entry)
  const rates = entry.rates.get(concept) ?? findRates(counts, concept)
  entry.rates.set(concept, rates)
  return rates
}

type Found = TwoAnchorRates | NoTwoAnchorRates

const known = new WeakMap<Float64Array, {readonly counts: Counts; readonly rates: Map<number, Found>}>()

/** Whether two counts differ at most in what the rates do not depend on, such as rates that are given. */
function areSame(a: Counts, b: Counts): boolean {
  const arrays = [
    'memberStarts',
    'members',
    'conceptStarts',
    'concepts',
    'wordStarts',
    'wordIds',
    'wordCounts'
  ] as const
  const anchors = b.lexicon.anchors
  return (
    arrays.every(name => a[name] === b[name]) &&
    a.tables === b.tables &&
    a.lexicon.words === b.lexicon.words &&
    a.lexicon.anchors.length === anchors.length &&
    a.lexicon.anchors.every(({concept, any}, i) => concept === anchors[i].concept && any === anchors[i].any)
  )
}

function findRates(counts: Counts, concept: number): Found {
  const anchor = counts.lexicon.anchors[concept]
  if (anchor === undefined)
    throw new AdfaError(
      'bad-option',
      `twoAnchorRates: concepts are numbered 0 to ${counts.lexicon.anchors.length - 1}; got ${concept}`
    )
  const unusable = (reason: string) => ({kind: 'unusable', concept: anchor.concept, reason}) as const
  const memberCount = anchor.any.length
  if (memberCount < 2) return unusable('its anchor has one member; two or more are needed')
  if (counts.tables !== undefined) return unusable('released tables do not distinguish the members of an anchor')
  const members = {concept, memberCount, flags: memberFlags(counts, concept)}
  const results = memberPairs(counts, members).map(pair => ratesOfPair(counts, members, pair))
  const solved = results.flatMap(result => (typeof result === 'string' ? [] : [result]))
  if (solved.length === 0)
    return unusable([...new Set(results.filter(result => typeof result === 'string'))].join('; '))
  const best = middlePair(solved)
  const rates = (from: number): Rates<RateEstimate> => ({
    falsePositive: estimate(best, from),
    truePositive: estimate(best, from + 1)
  })
  const union = unionAt(memberCount)
  const united = solved.map(({parameters}) => parameters[union + 1])
  return {
    kind: 'estimate',
    concept: anchor.concept,
    prevalence: estimate(best, PREVALENCE),
    united: rates(union),
    members: anchor.any.map((name, w) => ({name, ...rates(memberAt(w))})),
    certificate: {
      pair: [anchor.any[best.pair[0]], anchor.any[best.pair[1]]],
      ...describeScore(counts, concept, best.score),
      pairCount: solved.length,
      pairSpread: Math.max(...united) - Math.min(...united),
      impossiblePairs: results.filter(result => result === NOT_INDEPENDENT || result === NO_CONCEPT).length
    }
  }
}

interface PairSolution {
  readonly pair: readonly [number, number]
  readonly parameters: Float64Array
  readonly errors: Float64Array
  readonly score: PairScore
}

/**
 * The pair with the median prevalence, which determines all rates, among those with at most 1.5 times its least standard
 * error. The pair of least error itself would be biased, as errors follow the rates; the median also outvotes a bad pair.
 */
function middlePair(solved: readonly PairSolution[]): PairSolution {
  const least = Math.min(...solved.map(({errors}) => errors[PREVALENCE]))
  const sharp = solved
    .filter(({errors}) => errors[PREVALENCE] <= 1.5 * least)
    .toSorted((x, y) => x.parameters[PREVALENCE] - y.parameters[PREVALENCE])
  const middle = (sharp.length - 1) / 2
  const [low, high] = [sharp[Math.floor(middle)], sharp[Math.ceil(middle)]]
  return low.errors[PREVALENCE] <= high.errors[PREVALENCE] ? low : high
}

/** All rates from one pair of members, or the reason why there are none. */
function ratesOfPair(counts: Counts, members: Members, pair: readonly [number, number]): PairSolution | string {
  if (!(pairDependence(counts, members, pair) >= DEPENDENCE_ERRORS))
    return 'its members do not occur together more often than by chance'
  const score = choosePairScore(counts, members, pair)
  if (score.used.length === 0)
    return score.rejected.length > 0
      ? 'the words and anchors that depend on two of its members contradict one another'
      : 'no word or other anchor depends significantly on two of its members'
  const {memberCount, flags} = members
  const documents = counts.patternDocuments
  const groups = {memberCount, pair, flags, documents, ...scorePatterns(counts, members, score.weights)}
  const first = solvePair(groups)
  const solution = first && solvePair(withSharedVariance(groups, first.parameters, score))
  if (solution === undefined) return NO_CONCEPT
  const errors = solution.standardErrors.map(error => error * Math.max(1, score.disagreement))
  const rateCount = scoreAt(memberCount)
  if (isImpossible(solution.parameters.subarray(0, rateCount), errors.subarray(0, rateCount))) return NOT_INDEPENDENT
  return {pair, parameters: solution.parameters, errors, score}
}

/**
 * Words of one anchor pattern are correlated because some of its documents have the concept and some do not. With
 * d_j = C_aj / (v d_a) and c = P(Y=1|members) that adds c (1 - c) w_j w_k d_j d_k to the variance of the score for all
 * words j and k.
 */
function withSharedVariance(groups: PairGroups, parameters: Float64Array, {sharedByWords}: PairScore): PairGroups {
  const {memberCount: M, pair, flags} = groups
  const p = parameters[PREVALENCE]
  const first = memberAt(pair[0])
  const scale = p * (1 - p) * (parameters[first + 1] - parameters[first])
  const scoreVariance = groups.scoreVariance.map((variance, g) => {
    let [absent, present] = [1 - p, p]
    for (let w = 0; w < M; w++) {
      const e = clamp(parameters[memberAt(w)], 0, 1)
      const t = clamp(parameters[memberAt(w) + 1], 0, 1)
      absent *= flags[g * M + w] === 1 ? e : 1 - e
      present *= flags[g * M + w] === 1 ? t : 1 - t
    }
    const sum = absent + present
    return sum > 0 ? variance + (sharedByWords * absent * present) / (sum * scale) ** 2 : variance
  })
  return {...groups, scoreVariance}
}

/** Pairs of the most common members, in order. */
function memberPairs(counts: Counts, {memberCount: M, flags}: Members): [number, number][] {
  const fired = new Float64Array(M)
  for (let p = 0; p < counts.patternCount; p++)
    for (let w = 0; w < M; w++) fired[w] += flags[p * M + w] * counts.patternDocuments[p]
  const common = Array.from(fired, (_, w) => w)
    .sort((x, y) => fired[y] - fired[x] || x - y)
    .slice(0, PAIRED_MEMBERS)
    .sort((x, y) => x - y)
  return common.flatMap((a, at) => common.slice(at + 1).map((b): [number, number] => [a, b]))
}

function pairDependence(counts: Counts, {memberCount: M, flags}: Members, [a, b]: readonly [number, number]): number {
  const table = new Float64Array(4)
  for (let p = 0; p < counts.patternCount; p++)
    table[2 * flags[p * M + a] + flags[p * M + b]] += counts.patternDocuments[p]
  return dependence(table)
}

function estimate({parameters, errors}: PairSolution, at: number): RateEstimate {
  const margin = NORMAL_95 * errors[at]
  return {
    value: clamp(parameters[at], 0, 1),
    standardError: errors[at],
    low: clamp(parameters[at] - margin, 0, 1),
    high: clamp(parameters[at] + margin, 0, 1)
  }
}

function describeScore({lexicon}: Counts, concept: number, score: PairScore) {
  const names = [...lexicon.anchors.map(anchor => anchor.concept), ...lexicon.anchors[concept].any, ...lexicon.words]
  return {
    testedViews: score.tested,
    dependentViews: score.dependent,
    usedViews: score.used.map(at => names[at]),
    rejectedViews: score.rejected.map(at => names[at]),
    disagreement: score.disagreement
  }
}
