/**
 * Noise rates of an anchor with two or more members, without labels (Section 3.3, setting 1).
 *
 * Assumption: given the concept, its members fire independently of one another and of everything else. Then two members
 * and a third view determine P(Y) and P(.|Y) of all (three-views.ts). Instead of one further observation, as in the
 * paper, all that depend on both members make one score (third-views.ts); with three members or more the others are
 * among the views (the triplet form), and the pair with the median prevalence is taken.
 *
 * Dependence between the two members given the concept cannot be seen with two members: no view shows it. It is seen
 * where it makes rates impossible, or with more members, where it mostly makes other pairs impossible (`impossiblePairs`) or
 * disagree (`pairSpread`). Views with a way
 * of their own to a member are rejected and named. Standard errors: delta method, raised by the disagreement of the
 * views where that is more than chance. Counts do not hold words together, so that words of one anchor pattern count as
 * independent given the concept; text in which they are not has wider intervals than these. Cost: for each pair a pass over the words of the patterns.
 */

import {AdfaError} from '../../base/checks/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import {type Counts, memberFlags} from '../../read/counts/index.ts'
import {NORMAL_95, type RateInterval} from './rate-interval.ts'
import {DEPENDENCE_ERRORS, dependence, isImpossible} from './tensor-decomposition.ts'
import {chooseViews, type Members, scorePatterns, type ThirdViews} from './third-views.ts'
import {solveThreeViews, type ViewGroups} from './three-views.ts'

/** A probability with its standard error and 95% interval; value and interval are clipped into [0, 1]. */
export interface RateEstimate extends RateInterval {
  readonly standardError: number
}

/** P(.=1|Y=0) and P(.=1|Y=1). */
export interface EstimatedRates {
  readonly falsePositive: RateEstimate
  readonly truePositive: RateEstimate
}

export interface TwoAnchorRates {
  readonly kind: 'estimate'
  readonly concept: string
  readonly prevalence: RateEstimate
  /** Rates of the anchor: any of its members. */
  readonly united: EstimatedRates
  readonly members: readonly (EstimatedRates & {readonly name: string})[]
  readonly certificate: TwoAnchorCertificate
}

export interface TwoAnchorCertificate {
  /** The members that the rest was derived from. */
  readonly pair: readonly [string, string]
  readonly testedViews: number
  readonly dependentViews: number
  readonly usedViews: readonly string[]
  /** Views that contradict the rest: they depend on a member otherwise than through the concept. */
  readonly rejectedViews: readonly string[]
  /** Departure of the used views from one another in standard errors, root mean square: about 1 if all is well. */
  readonly disagreement: number
  /** Pairs that gave rates, and the range of their united true positive rates; 0 for one pair. */
  readonly pairCount: number
  readonly pairSpread: number
  /** Pairs that contradict the assumption: members go together otherwise than through the concept. */
  readonly impossiblePairs: number
}

export interface NoTwoAnchorRates {
  readonly kind: 'unusable'
  readonly concept: string
  readonly reason: string
}

const NO_CONCEPT = 'its members and the words depend on each other in ways that no concept makes'
const NOT_INDEPENDENT = 'its members would need rates outside [0, 1]: given the concept they are not independent'

/** Pairs are tried among this many members, the commonest. */
const PAIRED_MEMBERS = 6

export function twoAnchorRates(counts: Counts, concept: number): TwoAnchorRates | NoTwoAnchorRates {
  const anchor = counts.lexicon.anchors[concept]
  if (anchor === undefined)
    throw new AdfaError(
      'bad-option',
      `twoAnchorRates: concepts are numbered 0 to ${counts.lexicon.anchors.length - 1}; got ${concept}`
    )
  const unusable = (reason: string) => ({kind: 'unusable', concept: anchor.concept, reason}) as const
  const memberCount = anchor.any.length
  if (memberCount < 2) return unusable('its anchor has one member; two or more are needed')
  if (counts.tables !== undefined) return unusable('released tables do not tell the features of an anchor apart')
  const members = {concept, memberCount, flags: memberFlags(counts, concept)}
  const results = memberPairs(counts, members).map(pair => ratesOfPair(counts, members, pair))
  const solved = results.flatMap(result => (typeof result === 'string' ? [] : [result]))
  if (solved.length === 0)
    return unusable([...new Set(results.filter(result => typeof result === 'string'))].join('; '))
  const at = 2 * memberCount + 2
  const best = middlePair(solved)
  const rates = (from: number): EstimatedRates => ({
    falsePositive: estimate(best, from),
    truePositive: estimate(best, from + 1)
  })
  const united = solved.map(({parameters}) => parameters[at])
  return {
    kind: 'estimate',
    concept: anchor.concept,
    prevalence: estimate(best, 0),
    united: rates(at - 1),
    members: anchor.any.map((name, w) => ({name, ...rates(1 + 2 * w)})),
    certificate: {
      pair: [anchor.any[best.pair[0]], anchor.any[best.pair[1]]],
      ...describeViews(counts, concept, best.views),
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
  readonly views: ThirdViews
}

/**
 * The pair with the median prevalence, which all rates hang on, of those with at most 1.5 times its least standard error.
 * The pair of least error itself would be biased, as errors follow the rates; the middle one also outvotes a bad pair.
 */
function middlePair(solved: readonly PairSolution[]): PairSolution {
  const least = Math.min(...solved.map(({errors}) => errors[0]))
  const sharp = solved
    .filter(({errors}) => errors[0] <= 1.5 * least)
    .toSorted((x, y) => x.parameters[0] - y.parameters[0])
  const middle = (sharp.length - 1) / 2
  const [low, high] = [sharp[Math.floor(middle)], sharp[Math.ceil(middle)]]
  return low.errors[0] <= high.errors[0] ? low : high
}

/** All rates from one pair of members, or the reason why there are none. */
function ratesOfPair(counts: Counts, members: Members, pair: readonly [number, number]): PairSolution | string {
  if (!(pairDependence(counts, members, pair) >= DEPENDENCE_ERRORS))
    return 'its members are not seen together more often than by chance'
  const views = chooseViews(counts, members, pair)
  if (views.used.length === 0)
    return views.rejected.length > 0
      ? 'the words and anchors that depend on two of its members contradict one another'
      : 'no word or other anchor is seen to depend on two of its members'
  const {memberCount, flags} = members
  const documents = counts.patternDocuments
  const groups = {memberCount, pair, flags, documents, ...scorePatterns(counts, members, views.weights)}
  const first = solveThreeViews(groups)
  const solution = first && solveThreeViews(withSharedVariance(groups, first.parameters, views))
  if (solution === undefined) return NO_CONCEPT
  const errors = solution.standardErrors.map(error => error * Math.max(1, views.disagreement))
  const rateCount = 2 * memberCount + 3
  if (isImpossible(solution.parameters.subarray(0, rateCount), errors.subarray(0, rateCount))) return NOT_INDEPENDENT
  return {pair, parameters: solution.parameters, errors, views}
}

/**
 * Words of one pattern go together because some of its documents have the concept and some do not. With d_j = C_aj / (v d_a)
 * and c = P(Y=1|members) that adds c (1 - c) w_j w_k d_j d_k to the variance of the score for all words j and k.
 */
function withSharedVariance(groups: ViewGroups, parameters: Float64Array, {sharedByWords}: ThirdViews): ViewGroups {
  const {memberCount: M, pair, flags} = groups
  const p = parameters[0]
  const scale = p * (1 - p) * (parameters[2 + 2 * pair[0]] - parameters[1 + 2 * pair[0]])
  const scoreVariance = groups.scoreVariance.map((variance, g) => {
    let [absent, present] = [1 - p, p]
    for (let w = 0; w < M; w++) {
      const e = clamp(parameters[1 + 2 * w], 0, 1)
      const t = clamp(parameters[2 + 2 * w], 0, 1)
      absent *= flags[g * M + w] === 1 ? e : 1 - e
      present *= flags[g * M + w] === 1 ? t : 1 - t
    }
    const sum = absent + present
    return sum > 0 ? variance + (sharedByWords * absent * present) / (sum * scale) ** 2 : variance
  })
  return {...groups, scoreVariance}
}

/** Pairs of the commonest members, in order. */
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

function describeViews({lexicon}: Counts, concept: number, views: ThirdViews) {
  const names = [...lexicon.anchors.map(anchor => anchor.concept), ...lexicon.anchors[concept].any, ...lexicon.words]
  return {
    testedViews: views.tested,
    dependentViews: views.dependent,
    usedViews: views.used.map(view => names[view]),
    rejectedViews: views.rejected.map(view => names[view]),
    disagreement: views.disagreement
  }
}
