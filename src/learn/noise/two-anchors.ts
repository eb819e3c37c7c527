/**
 * Rates of an anchor with two or more members, without labels (Section 3.3, setting 1).
 *
 * Assumption: given the concept, its members fire independently of one another and of everything else. Then two members
 * and a third observation determine P(Y) and P(.|Y) of all (tensor.ts). Instead of one further observation, as in the
 * paper, all that depend on both members form one score. With three or more members the others are among them (the
 * triplet form), and the pair with the median prevalence is used.
 *
 * Two members that depend on each other given the concept go unnoticed unless their rates become impossible. With more
 * members, other pairs mostly become impossible (`impossiblePairs`) or disagree (`pairSpread`). Observations that depend on
 * a member otherwise are rejected and named. Cost: a pass over the words of the patterns per pair.
 */
import {AdfaError} from '../../base/checks/index.ts'
import {clamp, NORMAL_90} from '../../base/numeric/index.ts'
import {type Counts, memberFlags} from '../../read/counts/index.ts'
import type {RateInterval, Rates, Shares} from './rates.ts'
import {type Cell, centralMoments, decomposeTensor, dependence, standardErrors} from './tensor.ts'

/** The rates of an anchor, which fires where any of its members does, with 90% intervals. */
export interface TwoAnchorRates extends Rates<RateInterval> {
  readonly prevalence: RateInterval
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
  /** Pairs that gave rates, and the range of their true positive rates; 0 for one pair. */
  readonly pairCount: number
  readonly pairSpread: number
  /** Pairs that contradict the assumption: members depend on each other otherwise than through the concept. */
  readonly impossiblePairs: number
}

const NO_CONCEPT = 'no concept explains how its members and the words depend on each other'
const NOT_INDEPENDENT = 'its members would need rates outside [0, 1]: they are not independent given the concept'

/** Pairs are tried among this many members, the most common: 15 pairs. */
const PAIRED_MEMBERS = 6
/** Covariances below this many standard errors are not significant, and their ratios meaningless. */
const DEPENDENCE_ERRORS = 4
/** An observation that departs from the others by more standard errors is rejected. */
const OUTLIER_ERRORS = 4
/** A rate outside [0, 1] by more than this many standard errors means that the assumption has failed. */
const IMPOSSIBLE_ERRORS = 4
/** The score has at most so many observations, the clearest; more add noise, not information. */
const OBSERVATION_LIMIT = 40

/** The rates of a concept by its members, or why there are none. */
export function twoAnchorRates(counts: Counts, concept: number): TwoAnchorRates | string {
  const anchor = counts.lexicon.anchors[concept]
  if (anchor === undefined)
    throw new AdfaError(
      'bad-option',
      `twoAnchorRates: concepts are numbered 0 to ${counts.lexicon.anchors.length - 1}; got ${concept}`
    )
  if (anchor.any.length < 2) return 'its anchor has one member; two or more are needed'
  if (counts.tables !== undefined) return 'released tables do not distinguish the members of an anchor'
  const members = {concept, memberCount: anchor.any.length, flags: memberFlags(counts, concept)}
  const results = memberPairs(counts, members).map(pair => ratesOfPair(counts, members, pair))
  const solved = results.flatMap(result => (typeof result === 'string' ? [] : [result]))
  if (solved.length === 0) return [...new Set(results)].join('; ')
  // Errors follow the rates, so the pair of least error would be biased. The median outvotes a bad pair.
  const ordered = solved.toSorted((x, y) => x.prevalence.value - y.prevalence.value)
  const {pair, score, ...rates} = ordered[(solved.length - 1) >> 1]
  const found = solved.map(({truePositive}) => truePositive.value)
  const {lexicon} = counts
  const names = [...lexicon.anchors.map(other => other.concept), ...anchor.any, ...lexicon.words]
  return {
    ...rates,
    certificate: {
      pair: [anchor.any[pair[0]], anchor.any[pair[1]]],
      usedViews: score.used.map(at => names[at]),
      rejectedViews: score.rejected.map(at => names[at]),
      disagreement: score.disagreement,
      pairCount: solved.length,
      pairSpread: Math.max(...found) - Math.min(...found),
      impossiblePairs: results.filter(result => result === NOT_INDEPENDENT || result === NO_CONCEPT).length
    }
  }
}

/** Prevalence and precision by {@link twoAnchorRates} of an anchor of this firing rate, or why there are none. */
export function twoAnchorShares(counts: Counts, concept: number, firing: number): Shares<RateInterval> | string {
  const found = twoAnchorRates(counts, concept)
  if (typeof found === 'string') return found
  if (found.certificate.impossiblePairs > 0)
    return 'two of its members depend on each other otherwise than through the concept'
  const {prevalence, falsePositive: e} = found
  const precisionAt = (rate: number) => clamp(1 - (rate * (1 - prevalence.value)) / firing, 0, 1)
  return {prevalence, precision: {value: precisionAt(e.value), low: precisionAt(e.high), high: precisionAt(e.low)}}
}

/** Members of one anchor, by pattern: flags lie as `memberFlags` gives them. */
interface Members {
  readonly concept: number
  readonly memberCount: number
  readonly flags: Uint8Array
}

type Pair = readonly [number, number]

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

/** The rates of the anchor by one pair of its members, or the reason why there are none. */
function ratesOfPair(counts: Counts, members: Members, pair: Pair) {
  const {documents, on} = observationTables(counts, members, pair)
  if (!(dependence(documents) >= DEPENDENCE_ERRORS))
    return 'its members do not occur together more often than by chance'
  const score = choosePairScore(documents, on)
  if (score.used.length === 0)
    return score.rejected.length > 0
      ? 'the words and anchors that depend on two of its members contradict one another'
      : 'no word or other anchor depends significantly on two of its members'
  const cells = scoreCells(counts, members, pair, score.weights)
  const values = pairParameters(cells)
  if (values === undefined) return NO_CONCEPT
  const errors = standardErrors(cells, moved => pairParameters(moved) ?? []).map(
    error => error * Math.max(1, score.disagreement)
  )
  const isImpossible = values.some((value, k) => Math.max(-value, value - 1) > IMPOSSIBLE_ERRORS * errors[k] + 1e-9)
  if (isImpossible) return NOT_INDEPENDENT
  const [prevalence, falsePositive, truePositive] = values.map((value, k) => {
    const margin = NORMAL_90 * errors[k]
    return {value: clamp(value, 0, 1), low: clamp(value - margin, 0, 1), high: clamp(value + margin, 0, 1)}
  })
  return {pair, score, prevalence, falsePositive, truePositive}
}

/** The prevalence, P(.=1|Y=0) and P(.=1|Y=1) of any member, then those of single members. */
function pairParameters(cells: readonly Cell[]): number[] | undefined {
  const found = decomposeTensor(cells)
  if (found === undefined) return undefined
  const members = [found.first, found.second, found.further]
  const anyMember = [0, 1].map(y => 1 - members.reduce((silent, rates) => silent * (1 - rates[y]), 1))
  return [found.prevalence, ...anyMember, ...members.flat()]
}

/** The third observation beside two members: a score over words, the anchors of other concepts and further members. */
interface PairScore {
  readonly used: readonly number[]
  readonly rejected: readonly number[]
  /** Weights of the score, one per observation. */
  readonly weights: Float64Array
  readonly disagreement: number
}

/**
 * An observation x depends on a and b through Y alone, so all have the same C_ax / C_bx = d_a / d_b and the same
 * K / C_bx = (1 - 2p) d_a: the matrix of their C_ax, C_bx, K has rank 1. The observations used depend significantly on both
 * members, with one sign; the clearest OBSERVATION_LIMIT of them. The two ratios r and u are their weighted medians. One that
 * departs from them by more than OUTLIER_ERRORS standard errors of C_ax - r C_bx or of K - u C_bx depends on a member
 * otherwise and is rejected. The rest add up to one score, each x by its sign and standard deviation.
 *
 * One score rather than a mean of the observations' estimates: these are ratios, biased by their noise, and the ratio of
 * sums is not. Finer weights, fitted to the same covariances, would inflate them.
 */
function choosePairScore(documents: Float64Array, on: Float64Array): PairScore {
  const observed = Array.from({length: on.length / 4}, (_, at) => {
    const own = on.subarray(4 * at, 4 * at + 4)
    return {at, own, clarity: own.some(count => count > 0) ? clarityOf(documents, own) : 0}
  })
    .filter(({clarity}) => clarity >= DEPENDENCE_ERRORS)
    .sort((x, y) => y.clarity - x.clarity || x.at - y.at)
    .slice(0, OBSERVATION_LIMIT)
    .map(({at, own, clarity}) => {
      const cells = tableCells(documents, own)
      return {at, cells, moments: centralMoments(cells), weight: clarity * clarity}
    })
  const r = weightedMedian(observed.map(({moments: {as, bs}, weight}) => ({value: as / bs, weight})))
  const u = weightedMedian(observed.map(({moments: {abs, bs}, weight}) => ({value: abs / bs, weight})))
  const departures = (cells: readonly Cell[]) => {
    const {as, bs, abs} = centralMoments(cells)
    return [as - r * bs, abs - u * bs]
  }
  const used: number[] = []
  const rejected: number[] = []
  const weights = new Float64Array(on.length / 4)
  let squares = 0
  for (const {at, cells, moments} of observed) {
    const errors = standardErrors(cells, departures)
    const inErrors = departures(cells).map((value, k) => (value === 0 ? 0 : value / errors[k]))
    if (inErrors.some(departure => Math.abs(departure) > OUTLIER_ERRORS)) {
      rejected.push(at)
      continue
    }
    used.push(at)
    squares += inErrors.reduce((sum, departure) => sum + departure * departure, 0)
    const mean = moments.means.third
    weights[at] = Math.sign(moments.as) / Math.sqrt(mean * (1 - mean))
  }
  // Each observation has two departures, and the two medians are fitted.
  const freedom = 2 * used.length - 2
  return {used, rejected, weights, disagreement: freedom > 0 ? Math.sqrt(squares / freedom) : 1}
}

/** The 2x2x2 table of documents in cells `2*a + b`, and of those of them in which a binary third observation is on. */
export function tableCells(documents: ArrayLike<number>, on: ArrayLike<number>): Cell[] {
  return [0, 1, 2, 3].flatMap(cell => {
    const members = {first: cell >> 1, second: cell & 1, further: 0}
    return [
      {...members, third: 0, documents: documents[cell] - on[cell]},
      {...members, third: 1, documents: on[cell]}
    ]
  })
}

/**
 * Documents by whether either member and any further one fires, and by their score. A score of mean m and variance v within a
 * cell has the moments and errors of one that is m - sqrt(v) in one half of its documents and m + sqrt(v) in the other. The
 * words of an anchor pattern count as independent, since counts do not relate the words of a document.
 */
function scoreCells(
  counts: Counts,
  {concept, memberCount: M, flags}: Members,
  pair: Pair,
  weights: Float64Array
): Cell[] {
  const m = counts.lexicon.anchors.length
  const cells = Array.from({length: 8}, () => ({documents: 0, sum: 0, squares: 0}))
  for (let p = 0; p < counts.patternCount; p++) {
    const documents = counts.patternDocuments[p]
    let [score, variance, further] = [0, 0, 0]
    for (let at = counts.conceptStarts[p]; at < counts.conceptStarts[p + 1]; at++)
      if (counts.concepts[at] !== concept) score += weights[counts.concepts[at]]
    for (let w = 0; w < M; w++) {
      score += flags[p * M + w] * weights[m + w]
      if (!pair.includes(w)) further = Math.max(further, flags[p * M + w])
    }
    for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++) {
      const weight = weights[m + M + counts.wordIds[at]]
      const share = counts.wordCounts[at] / documents
      score += weight * share
      variance += weight * weight * share * (1 - share)
    }
    const cell = cells[4 * flags[p * M + pair[0]] + 2 * flags[p * M + pair[1]] + further]
    cell.documents += documents
    cell.sum += documents * score
    cell.squares += documents * (score * score + variance)
  }
  return cells.flatMap(({documents, sum, squares}, at) => {
    if (documents === 0) return []
    const mean = sum / documents
    const deviation = Math.sqrt(Math.max(squares / documents - mean * mean, 0))
    const members = {first: at >> 2, second: (at >> 1) & 1, further: at & 1, documents: documents / 2}
    return [
      {...members, third: mean - deviation},
      {...members, third: mean + deviation}
    ]
  })
}

/**
 * Documents in each cell `2*a + b` of the pair, and those of them in which each observation is on, cell `4*at + 2*a + b`.
 * Observations are numbered concepts, then members, then words; the own anchor and the pair stay empty.
 */
function observationTables(counts: Counts, {concept, memberCount: M, flags}: Members, [a, b]: Pair) {
  const m = counts.lexicon.anchors.length
  const all = new Float64Array(4)
  const on = new Float64Array(4 * (m + M + counts.lexicon.words.length))
  for (let p = 0; p < counts.patternCount; p++) {
    const cell = 2 * flags[p * M + a] + flags[p * M + b]
    const documents = counts.patternDocuments[p]
    all[cell] += documents
    for (let at = counts.conceptStarts[p]; at < counts.conceptStarts[p + 1]; at++)
      if (counts.concepts[at] !== concept) on[4 * counts.concepts[at] + cell] += documents
    for (let w = 0; w < M; w++) if (w !== a && w !== b && flags[p * M + w] === 1) on[4 * (m + w) + cell] += documents
    for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++)
      on[4 * (m + M + counts.wordIds[at]) + cell] += counts.wordCounts[at]
  }
  return {documents: all, on}
}

/** The lesser dependence, in standard errors, of an observation on the two members; 0 where their signs differ. */
function clarityOf(documents: Float64Array, on: Float64Array): number {
  const off = documents.map((count, c) => count - on[c])
  const byFirst = dependence([off[0] + off[1], on[0] + on[1], off[2] + off[3], on[2] + on[3]])
  const bySecond = dependence([off[0] + off[2], on[0] + on[2], off[1] + off[3], on[1] + on[3]])
  return byFirst * bySecond > 0 ? Math.min(Math.abs(byFirst), Math.abs(bySecond)) : 0
}

/** The smallest value with half of the weight at or below it; NaN without items. */
function weightedMedian(items: readonly {value: number; weight: number}[]): number {
  const sorted = items.toSorted((x, y) => x.value - y.value)
  const half = sorted.reduce((sum, {weight}) => sum + weight, 0) / 2
  let below = 0
  const middle = sorted.find(({weight}) => {
    below += weight
    return below >= half
  })
  return middle?.value ?? Number.NaN
}
