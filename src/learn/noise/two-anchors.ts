/**
 * Rates of an anchor with two or more members, without labels (Section 3.3, setting 1).
 *
 * Assumption: given the concept, its members fire independently of one another and of everything else. Then two members
 * and a third observation determine P(Y) and P(.|Y) of all (tensor.ts). Instead of one further observation, as in the
 * paper, all that depend on both members form one score; with three or more members the others are among them (the
 * triplet form), and the pair with the median prevalence is used.
 *
 * Two members that depend on each other given the concept go unnoticed unless their rates become impossible; with more
 * members, other pairs mostly become impossible (`impossiblePairs`) or disagree (`pairSpread`). Observations that depend on a
 * member otherwise are rejected and named. Standard errors: delta method, raised by the disagreement of the others where
 * that exceeds chance. Counts do not relate the words of a document, so words of one anchor pattern count as independent
 * given the concept; where they are not, true intervals are wider. Cost: a pass over the words of the patterns per pair.
 */
import {AdfaError} from '../../base/checks/index.ts'
import {clamp, NORMAL_90, NORMAL_95} from '../../base/numeric/index.ts'
import {type Counts, memberFlags} from '../../read/counts/index.ts'
import type {RateInterval, Rates, Shares} from './rates.ts'
import {
  C_AS,
  C_BS,
  centralMoments,
  DEPENDENCE_ERRORS,
  dependence,
  FIRST,
  isImpossible,
  K_ABS,
  momentErrors,
  PREVALENCE,
  SCORE,
  SCORE_MEAN,
  solvePair,
  tableGroups,
  UNION
} from './tensor.ts'

/** A probability with its standard error and 95% interval; value and interval are clipped into [0, 1]. */
export interface RateEstimate extends RateInterval {
  readonly standardError: number
}

export interface TwoAnchorRates {
  readonly kind: 'estimate'
  readonly concept: string
  readonly prevalence: RateEstimate
  /** The rates of the anchor: any of its members. */
  readonly united: Rates<RateEstimate>
  readonly certificate: TwoAnchorCertificate
}

export interface TwoAnchorCertificate {
  /** The members that the rates were derived from. */
  readonly pair: readonly [string, string]
  /** The words, other anchors and further members that form the score. */
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
/** Pairs with at most this many times the least standard error compete for the median. */
const SHARP_ERRORS = 1.5
/** The score has at most so many observations, the clearest. */
const OBSERVATION_LIMIT = 40
/** An observation that departs from the others by more standard errors is rejected. */
const OUTLIER_ERRORS = 4

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
  if (counts.tables !== undefined) return unusable('released tables do not distinguish the members of an anchor')
  const members = {concept, memberCount, flags: memberFlags(counts, concept)}
  const results = memberPairs(counts, members).map(pair => ratesOfPair(counts, members, pair))
  const solved = results.flatMap(result => (typeof result === 'string' ? [] : [result]))
  if (solved.length === 0)
    return unusable([...new Set(results.filter(result => typeof result === 'string'))].join('; '))
  const {pair, score, ...best} = middlePair(solved)
  const united = solved.map(({parameters}) => parameters[UNION + 1])
  const {lexicon} = counts
  const names = [...lexicon.anchors.map(other => other.concept), ...anchor.any, ...lexicon.words]
  return {
    kind: 'estimate',
    concept: anchor.concept,
    prevalence: estimateAt(best, PREVALENCE),
    united: {falsePositive: estimateAt(best, UNION), truePositive: estimateAt(best, UNION + 1)},
    certificate: {
      pair: [anchor.any[pair[0]], anchor.any[pair[1]]],
      usedViews: score.used.map(at => names[at]),
      rejectedViews: score.rejected.map(at => names[at]),
      disagreement: score.disagreement,
      pairCount: solved.length,
      pairSpread: Math.max(...united) - Math.min(...united),
      impossiblePairs: results.filter(result => result === NOT_INDEPENDENT || result === NO_CONCEPT).length
    }
  }
}

/** Prevalence and precision by {@link twoAnchorRates}, with 90% intervals, or why there are none. */
export function twoAnchorShares(counts: Counts, concept: number, firing: number): Shares<RateInterval> | string {
  const found = twoAnchorRates(counts, concept)
  if (found.kind === 'unusable') return found.reason
  const {prevalence, united, certificate} = found
  if (certificate.impossiblePairs > 0)
    return 'two of its members depend on each other otherwise than through the concept'
  const ninety = ({value, standardError}: RateEstimate): RateInterval => {
    const margin = NORMAL_90 * standardError
    return {value, low: clamp(value - margin, 0, 1), high: clamp(value + margin, 0, 1)}
  }
  const precisionAt = (e: number) => clamp(1 - (e * (1 - prevalence.value)) / firing, 0, 1)
  const e = ninety(united.falsePositive)
  return {
    prevalence: ninety(prevalence),
    precision: {value: precisionAt(e.value), low: precisionAt(e.high), high: precisionAt(e.low)}
  }
}

/** Members of one anchor, by pattern: flags lie as `memberFlags` gives them. */
interface Members {
  readonly concept: number
  readonly memberCount: number
  readonly flags: Uint8Array
}

type Pair = readonly [number, number]

interface SolvedPair {
  readonly pair: Pair
  /** As in `PairSolution`. */
  readonly parameters: Float64Array
  readonly errors: Float64Array
  readonly score: PairScore
}

/** Pairs of the most common members, in order. */
function memberPairs(counts: Counts, {memberCount: M, flags}: Members): Pair[] {
  const fired = new Float64Array(M)
  for (let p = 0; p < counts.patternCount; p++)
    for (let w = 0; w < M; w++) fired[w] += flags[p * M + w] * counts.patternDocuments[p]
  const common = Array.from(fired, (_, w) => w)
    .sort((x, y) => fired[y] - fired[x] || x - y)
    .slice(0, PAIRED_MEMBERS)
    .sort((x, y) => x - y)
  return common.flatMap((a, at) => common.slice(at + 1).map((b): Pair => [a, b]))
}

/**
 * The pair with the median prevalence, which determines all rates, among those with at most 1.5 times its least standard
 * error. The pair of least error itself would be biased, as errors follow the rates; the median also outvotes a bad pair.
 */
function middlePair(solved: readonly SolvedPair[]): SolvedPair {
  const least = Math.min(...solved.map(({errors}) => errors[PREVALENCE]))
  const sharp = solved
    .filter(({errors}) => errors[PREVALENCE] <= SHARP_ERRORS * least)
    .toSorted((x, y) => x.parameters[PREVALENCE] - y.parameters[PREVALENCE])
  const middle = (sharp.length - 1) / 2
  const [low, high] = [sharp[Math.floor(middle)], sharp[Math.ceil(middle)]]
  return low.errors[PREVALENCE] <= high.errors[PREVALENCE] ? low : high
}

function estimateAt({parameters, errors}: Pick<SolvedPair, 'parameters' | 'errors'>, at: number): RateEstimate {
  const margin = NORMAL_95 * errors[at]
  return {
    value: clamp(parameters[at], 0, 1),
    standardError: errors[at],
    low: clamp(parameters[at] - margin, 0, 1),
    high: clamp(parameters[at] + margin, 0, 1)
  }
}

/** All rates from one pair of members, or the reason why there are none. */
function ratesOfPair(counts: Counts, members: Members, pair: Pair): SolvedPair | string {
  const {memberCount: M, flags} = members
  const {cells, on} = observationTables(counts, members, pair)
  if (!(dependence(cells) >= DEPENDENCE_ERRORS)) return 'its members do not occur together more often than by chance'
  const score = choosePairScore(cells, on, counts.lexicon.anchors.length + M)
  if (score.used.length === 0)
    return score.rejected.length > 0
      ? 'the words and anchors that depend on two of its members contradict one another'
      : 'no word or other anchor depends significantly on two of its members'
  const fires = (w: number) => Uint8Array.from({length: counts.patternCount}, (_, p) => flags[p * M + w])
  const others = Array.from({length: M}, (_, w) => w).filter(w => !pair.includes(w))
  const [a, b] = pair.map(fires)
  const c = Uint8Array.from(a, (_, p) => (others.some(w => flags[p * M + w] === 1) ? 1 : 0))
  const documents = counts.patternDocuments
  const solution = solvePair({documents, a, b, c, ...scorePatterns(counts, members, score.weights)}, (found, g) =>
    sharedVariance(found, [a[g], b[g], c[g]], score)
  )
  if (solution === undefined) return NO_CONCEPT
  const {parameters} = solution
  const errors = solution.standardErrors.map(error => error * Math.max(1, score.disagreement))
  if (isImpossible(parameters.subarray(0, SCORE), errors.subarray(0, SCORE))) return NOT_INDEPENDENT
  return {pair, parameters, errors, score}
}

/**
 * Words of one anchor pattern are correlated because some of its documents have the concept and some do not. With
 * d_j = C_aj / (v d_a) and q = P(Y=1|members) that adds q (1 - q) w_j w_k d_j d_k to the variance of the score for all
 * words j and k.
 */
function sharedVariance(parameters: Float64Array, fired: readonly number[], {sharedByWords}: PairScore): number {
  const p = parameters[PREVALENCE]
  let [absent, present] = [1 - p, p]
  fired.forEach((fires, member) => {
    const [e, t] = [0, 1].map(y => clamp(parameters[FIRST + 2 * member + y], 0, 1))
    absent *= fires === 1 ? e : 1 - e
    present *= fires === 1 ? t : 1 - t
  })
  const scale = p * (1 - p) * (parameters[FIRST + 1] - parameters[FIRST])
  const sum = absent + present
  return sum > 0 ? (sharedByWords * absent * present) / (sum * scale) ** 2 : 0
}

/** The third observation beside two members: a score over words, the anchors of other concepts and further members. */
interface PairScore {
  readonly used: readonly number[]
  readonly rejected: readonly number[]
  /** Weights of the score, one per observation. */
  readonly weights: Float64Array
  /** Sum over pairs of different words of the product of their weighted covariances with member a. */
  readonly sharedByWords: number
  /** Root mean square departure of the used observations from the common ratios, in standard errors: about 1 if all is well. */
  readonly disagreement: number
}

/**
 * An observation x depends on a and b through Y alone, so all have the same C_ax / C_bx = d_a / d_b and the same
 * K / C_bx = (1 - 2p) d_a: the matrix of their C_ax, C_bx, K has rank 1. The observations used depend significantly on both
 * members, with one sign; the clearest OBSERVATION_LIMIT of them. The two ratios are their weighted medians; one that departs
 * from them by more than OUTLIER_ERRORS standard errors of C_ax - r C_bx or of K - u C_bx depends on a member otherwise and
 * is rejected. The rest add up to one score, each x by its sign and standard deviation.
 *
 * One score rather than a mean of the observations' estimates: these are ratios, biased by their noise, and the ratio of
 * sums is not. Finer weights, fitted to the same covariances, would inflate them.
 */
function choosePairScore(cells: Float64Array, on: Float64Array, firstWord: number): PairScore {
  const dependent = Array.from({length: on.length / 4}, (_, at) => {
    const own = on.subarray(4 * at, 4 * at + 4)
    return {at, own, clarity: own.some(documents => documents > 0) ? clarityOf(cells, own) : 0}
  }).filter(({clarity}) => clarity >= DEPENDENCE_ERRORS)
  const chosen = dependent.sort((x, y) => y.clarity - x.clarity || x.at - y.at).slice(0, OBSERVATION_LIMIT)
  const observed = chosen.map(one => {
    const groups = tableGroups(cells, one.own)
    return {...one, groups, moments: centralMoments(groups)}
  })
  const medianOf = (moment: number) =>
    weightedMedian(
      observed.map(({moments, clarity}) => ({value: moments[moment] / moments[C_BS], weight: clarity * clarity}))
    )
  const [r, u] = [medianOf(C_AS), medianOf(K_ABS)]
  const used: number[] = []
  const rejected: number[] = []
  const weights = new Float64Array(on.length / 4)
  let [squares, byWords, byWordsSquared] = [0, 0, 0]
  for (const {at, groups, moments} of observed) {
    const [byRatio, byThird] = [moments[C_AS] - r * moments[C_BS], moments[K_ABS] - u * moments[C_BS]]
    const errors = momentErrors(groups, moments, at => [
      at === C_AS ? 1 : at === C_BS ? -r : 0,
      at === K_ABS ? 1 : at === C_BS ? -u : 0
    ])
    const departures = [byRatio, byThird].map((value, k) => (value === 0 ? 0 : value / errors[k]))
    if (departures.some(departure => Math.abs(departure) > OUTLIER_ERRORS)) {
      rejected.push(at)
      continue
    }
    used.push(at)
    for (const departure of departures) squares += departure * departure
    const mean = moments[SCORE_MEAN]
    weights[at] = Math.sign(moments[C_AS]) / Math.sqrt(mean * (1 - mean))
    const weighted = at < firstWord ? 0 : weights[at] * moments[C_AS]
    byWords += weighted
    byWordsSquared += weighted * weighted
  }
  const freedom = 2 * used.length - 2
  const disagreement = freedom > 0 ? Math.sqrt(squares / freedom) : 1
  return {used, rejected, weights, sharedByWords: byWords * byWords - byWordsSquared, disagreement}
}

/** Mean and variance of the score in each anchor pattern, the latter as if the words of a pattern were independent. */
function scorePatterns(counts: Counts, {concept, memberCount: M, flags}: Members, weights: Float64Array) {
  const m = counts.lexicon.anchors.length
  const score = new Float64Array(counts.patternCount)
  const scoreVariance = new Float64Array(counts.patternCount)
  for (let p = 0; p < counts.patternCount; p++) {
    for (let at = counts.conceptStarts[p]; at < counts.conceptStarts[p + 1]; at++)
      if (counts.concepts[at] !== concept) score[p] += weights[counts.concepts[at]]
    for (let w = 0; w < M; w++) score[p] += flags[p * M + w] * weights[m + w]
    for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++) {
      const weight = weights[m + M + counts.wordIds[at]]
      const share = counts.wordCounts[at] / counts.patternDocuments[p]
      score[p] += weight * share
      scoreVariance[p] += weight * weight * share * (1 - share)
    }
  }
  return {score, scoreVariance}
}

/**
 * Documents in each cell `2*a + b` of the pair, and those of them in which each observation is on, cell `4*at + 2*a + b`.
 * Observations are numbered concepts, then members, then words; the own anchor and the pair stay empty.
 */
function observationTables(counts: Counts, {concept, memberCount: M, flags}: Members, [a, b]: Pair) {
  const m = counts.lexicon.anchors.length
  const cells = new Float64Array(4)
  const on = new Float64Array(4 * (m + M + counts.lexicon.words.length))
  for (let p = 0; p < counts.patternCount; p++) {
    const cell = 2 * flags[p * M + a] + flags[p * M + b]
    const documents = counts.patternDocuments[p]
    cells[cell] += documents
    for (let at = counts.conceptStarts[p]; at < counts.conceptStarts[p + 1]; at++)
      if (counts.concepts[at] !== concept) on[4 * counts.concepts[at] + cell] += documents
    for (let w = 0; w < M; w++) if (w !== a && w !== b && flags[p * M + w] === 1) on[4 * (m + w) + cell] += documents
    for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++)
      on[4 * (m + M + counts.wordIds[at]) + cell] += counts.wordCounts[at]
  }
  return {cells, on}
}

/** The lesser dependence, in standard errors, of an observation on the two members; 0 where their signs differ. */
function clarityOf(cells: Float64Array, on: Float64Array): number {
  const off = cells.map((documents, c) => documents - on[c])
  const byFirst = dependence([off[0] + off[1], on[0] + on[1], off[2] + off[3], on[2] + on[3]])
  const bySecond = dependence([off[0] + off[2], on[0] + on[2], off[1] + off[3], on[1] + on[3]])
  return byFirst * bySecond > 0 ? Math.min(Math.abs(byFirst), Math.abs(bySecond)) : 0
}

/** The smallest value with half of the weight at or below it; NaN without items. */
function weightedMedian(items: readonly {value: number; weight: number}[]): number {
  const sorted = items.toSorted((x, y) => x.value - y.value)
  const half = sorted.reduce((sum, {weight}) => sum + weight, 0) / 2
  let below = 0
  for (const {value, weight} of sorted) {
    below += weight
    if (below >= half) return value
  }
  return Number.NaN
}
