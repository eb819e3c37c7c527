/**
 * Estimates the rates of an anchor with two or more members, without labels (Section 3.3, setting 1).
 *
 * Assumption: given the concept, its members fire independently of one another and of everything else. Then two members
 * and a third observation determine P(Y) and P(.|Y) of all three ({@link decomposeTensor}). Instead of one third observation, as
 * in the paper, all observations that depend on both members form one score: words, other anchors and further members of the
 * anchor. With three or more members, the pair with the median prevalence is used.
 *
 * Two members that depend on each other given the concept go unnoticed unless their rates become impossible. With more
 * members, other pairs mostly become impossible (`impossiblePairs`) or disagree (`pairSpread`). Observations that depend on
 * a member otherwise than through the concept are rejected and named. Cost: a pass over the words of the patterns per pair.
 */
import {clamp, log} from '../../base/numeric/index.ts'
import {type Counts, memberFlags, memberTotals} from '../../read/counts/index.ts'
import type {Rates} from './rates.ts'

/** The rates of an anchor, which fires if any of its members does. */
export interface TwoAnchorRates extends Rates {
  readonly prevalence: number
  readonly certificate: {
    /** The members that the rates were derived from. */
    readonly pair: readonly [string, string]
    /** The words, other anchors and further members that form the score. */
    readonly usedViews: readonly string[]
    /** Observations that contradict the others: they depend on a member otherwise than through the concept. */
    readonly rejectedViews: readonly string[]
    /** The largest minus the smallest P(A=1|Y=1) by any pair; 0 for one pair. */
    readonly pairSpread: number
    /** The number of pairs that contradict the assumption: their members depend on each other given the concept. */
    readonly impossiblePairs: number
  }
}

const NO_CONCEPT = 'no concept explains how its members and the words depend on each other'
const NOT_INDEPENDENT = 'its members would need rates outside [0, 1]: they are not independent given the concept'

/** Only the most common members are paired, so that there are at most 15 pairs. */
const PAIRED_MEMBERS = 6
/** A covariance of fewer standard errors than this is not significant, and a ratio of such covariances is meaningless. */
const DEPENDENCE_ERRORS = 4
/** An observation whose ratios depart from the medians by more standard errors than this is rejected. */
const OUTLIER_ERRORS = 4
/**
 * If a rate lies outside [0, 1] by more than this over the root of the number of documents, the assumption has failed. Standard
 * errors on generated documents are 0.5 to 2 over that root.
 */
const MAX_OUTSIDE = 4

/** Returns the rates of a concept by the members of its anchor, or the reason why there are none. */
export function twoAnchorRates(counts: Counts, concept: number): TwoAnchorRates | string {
  const anchor = counts.lexicon.anchors[concept]
  if (anchor.any.length < 2) return 'its anchor has one member; two or more are needed'
  if (counts.tables !== undefined) return 'released tables do not distinguish the members of an anchor'
  const members = {concept, memberCount: anchor.any.length, flags: memberFlags(counts, concept)}
  const results = memberPairs(memberTotals(counts)[concept]).map(pair => ratesOfPair(counts, members, pair))
  const solved = results.flatMap(result => (typeof result === 'string' ? [] : [result]))
  if (solved.length === 0) return [...new Set(results)].join('; ')
  // The median outvotes a bad pair. Choosing the least standard error would be biased, since the error depends on the rates.
  const ordered = solved.toSorted((x, y) => x.prevalence - y.prevalence)
  const {pair, score, ...rates} = ordered[(solved.length - 1) >> 1]
  const truePositives = solved.map(({truePositive}) => truePositive)
  const {lexicon} = counts
  const names = [...lexicon.anchors.map(other => other.concept), ...anchor.any, ...lexicon.words]
  return {
    ...rates,
    certificate: {
      pair: [anchor.any[pair[0]], anchor.any[pair[1]]],
      usedViews: score.used.map(index => names[index]),
      rejectedViews: score.rejected.map(index => names[index]),
      pairSpread: Math.max(...truePositives) - Math.min(...truePositives),
      impossiblePairs: results.filter(result => result === NOT_INDEPENDENT || result === NO_CONCEPT).length
    }
  }
}

/** The members of one anchor that fire in each pattern, in the layout of `memberFlags`: member w of pattern p at `p*M + w`. */
interface Members {
  readonly concept: number
  readonly memberCount: number
  readonly flags: Uint8Array
}

type Pair = readonly [number, number]

/** Returns all pairs of the most common members, given the number of documents where each fires. */
function memberPairs(totals: readonly number[]): Pair[] {
  const common = [...totals.keys()].sort((x, y) => totals[y] - totals[x] || x - y).slice(0, PAIRED_MEMBERS)
  return common.flatMap((a, rank) => common.slice(rank + 1).map((b): Pair => [a, b]))
}

/** Returns the rates of the anchor by one pair of its members, or the reason why there are none. */
function ratesOfPair(counts: Counts, members: Members, pair: Pair) {
  const m = counts.lexicon.anchors.length
  const {documents, on} = observationTables(counts, members, pair)
  if (!(dependence(documents) >= DEPENDENCE_ERRORS))
    return 'its members do not occur together more often than by chance'
  const score = choosePairScore(documents, on)
  if (score.used.length === 0)
    return score.rejected.length > 0
      ? 'the words and anchors that depend on two of its members contradict one another'
      : 'no word or other anchor depends significantly on two of its members'
  const found = decomposeMoments(score.moments)
  if (found === undefined) return NO_CONCEPT
  const {prevalence: p, first, second} = found
  const differences = first[1] - first[0] + second[1] - second[0]
  const further = Array.from({length: members.memberCount}, (_, w) => w).filter(w => !pair.includes(w))
  const furtherRates = further.map(w => {
    // A further member c has cov(c, a + b) = v d_c (d_a + d_b), where v = p (1 - p) and d = P(.|Y=1) - P(.|Y=0).
    const {means, covAS, covBS} = centralMoments(tripleTable(documents, on.subarray(4 * (m + w), 4 * (m + w + 1))))
    return conditional(p, means[2], (covAS + covBS) / (p * (1 - p) * differences))
  })
  const memberRates = [first, second, ...furtherRates]
  const outside = Math.max(...[p, ...memberRates.flat()].map(value => Math.max(-value, value - 1)))
  if (outside > MAX_OUTSIDE / Math.sqrt(counts.documentCount)) return NOT_INDEPENDENT
  // The anchor fires unless no member does.
  const [falsePositive, truePositive] = [0, 1].map(y =>
    clamp(1 - memberRates.reduce((none, own) => none * (1 - own[y]), 1), 0, 1)
  )
  return {pair, score, prevalence: clamp(p, 0, 1), falsePositive, truePositive}
}

/**
 * Chooses the observations that form the score of a pair, and returns the moments of this score.
 *
 * An observation x depends on members a and b through Y alone, so in the terms of {@link decomposeTensor} all observations have
 * the same r = C_ax / C_bx = d_a / d_b and the same u = K / C_bx = (1 - 2p) d_a. Observations are considered if they depend
 * significantly on both members, with the same sign for both. Both r and u are estimated by medians. If C_ax - r C_bx or
 * K - u C_bx differs from 0 by more than OUTLIER_ERRORS standard errors, x depends on a member otherwise than through Y, and is
 * rejected. The score is the sum of the other observations, each divided by its standard deviation, with the sign of its C_ax.
 * A mean of one estimate per observation would be worse: estimates are ratios, which noise biases more than the ratio of sums.
 * Weights fitted to the same covariances would inflate the covariances of the score.
 *
 * `documents` has the number of documents in each cell `2*a + b` of the pair. `on` has four numbers for each observation x: how
 * many documents of each cell have x.
 */
function choosePairScore(documents: Float64Array, on: Float64Array) {
  const observed = Array.from({length: on.length / 4}, (_, index) => {
    const own = on.subarray(4 * index, 4 * index + 4)
    return {index, own, significance: own.some(count => count > 0) ? jointSignificance(documents, own) : 0}
  })
    .filter(({significance}) => significance >= DEPENDENCE_ERRORS)
    .sort((x, y) => y.significance - x.significance || x.index - y.index)
    .map(({index, own}) => ({index, moments: centralMoments(tripleTable(documents, own))}))
  const r = medianOf(observed.map(({moments: {covAS, covBS}}) => covAS / covBS))
  const u = medianOf(observed.map(({moments: {K, covBS}}) => K / covBS))
  const [used, rejected]: [number[], number[]] = [[], []]
  // C_as, C_bs and K are linear in the third observation s, so those of the score are weighted sums.
  let [mean, covAS, covBS, K] = [0, 0, 0, 0]
  for (const {index, moments} of observed) {
    if (departures(moments, r, u).some(departure => Math.abs(departure) > OUTLIER_ERRORS)) {
      rejected.push(index)
      continue
    }
    used.push(index)
    const share = moments.means[2]
    const weight = Math.sign(moments.covAS) / Math.sqrt(share * (1 - share))
    mean += weight * share
    covAS += weight * moments.covAS
    covBS += weight * moments.covBS
    K += weight * moments.K
  }
  // The moments of a and b do not depend on the third observation; here it is one that is always 1.
  const {means, covAB} = centralMoments(tripleTable(documents, documents))
  return {used, rejected, moments: {means: [means[0], means[1], mean], covAB, covAS, covBS, K}}
}

/** Builds the 2x2x2 table, cell `4*a + 2*b + s`, from the documents in each cell `2*a + b` and how many of them have s = 1. */
function tripleTable(documents: Float64Array, on: Float64Array): number[] {
  return [0, 1, 2, 3].flatMap(cell => [documents[cell] - on[cell], on[cell]])
}

/**
 * Counts the documents in each cell `2*a + b` of the pair, and how many of them have observation x, at `4*x + 2*a + b`.
 * Observations are numbered concepts first, then members, then words. The counts of the concept's own anchor and of the pair
 * stay 0.
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

/** Returns the weaker of an observation's dependences on the two members, in standard errors; 0 if their signs differ. */
function jointSignificance(documents: Float64Array, on: Float64Array): number {
  const off = documents.map((count, c) => count - on[c])
  const byFirst = dependence([off[0] + off[1], on[0] + on[1], off[2] + off[3], on[2] + on[3]])
  const bySecond = dependence([off[0] + off[2], on[0] + on[2], off[1] + off[3], on[1] + on[3]])
  return byFirst * bySecond > 0 ? Math.min(Math.abs(byFirst), Math.abs(bySecond)) : 0
}

/** Returns the median, or the upper one of two middle values. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((x, y) => x - y)[values.length >> 1]
}

/** The mean of an observation given Y=0 and given Y=1; the mean of a binary observation is its probability. */
export type Conditional = readonly [number, number]

/** The joint distribution of two members and a third observation as a mixture of two components, Y=0 and Y=1. */
export interface Decomposition extends Readonly<Record<'first' | 'second' | 'third', Conditional>> {
  readonly prevalence: number
}

/**
 * Decomposes P(a, b, s) = sum_y P(y) P(a|y) P(b|y) P(s|y), where cell `4*a + 2*b + s` of `table` has a number of documents, in
 * closed form (supplement, "two anchors per latent variable"; the paper refers to ten Berge for an algorithm).
 *
 * Members a, b and an observation s with E[a b s | Y] = E[a|Y] E[b|Y] E[s|Y] have, with p = P(Y=1), v = p (1 - p) and
 * d_a = P(a=1|Y=1) - P(a=1|Y=0), the covariances C_ab = v d_a d_b (C_as, C_bs alike), and the mean product of a, b and s, each
 * less its mean, is K = v (1 - 2p) d_a d_b d_s. So
 *
 *     u = (1 - 2p) d_a = K / C_bs,   d_a^2 = u^2 + 4 C_ab C_as / C_bs,   d_b = d_a C_bs / C_as,   p = (1 - u / d_a) / 2.
 *
 * d_a C_bs is the root of the hyperdeterminant K^2 + 4 C_ab C_as C_bs. Y=1 is the component with the larger P(a=1|.), so
 * d_a > 0. Observation s enters by its mean alone: it may be a word, or a score of many words. The result is undefined if
 * C_ab C_as C_bs is not positive: no two components have such moments. Values outside [0, 1] are returned unchanged.
 */
export function decomposeTensor(table: readonly number[]): Decomposition | undefined {
  return decomposeMoments(centralMoments(table))
}

type CentralMoments = ReturnType<typeof centralMoments>

function decomposeMoments(moments: Omit<CentralMoments, 'count' | 'meanOf'>): Decomposition | undefined {
  const {means, covAB, covAS, covBS, K} = moments
  if (!(covAB * covAS * covBS > 0)) return undefined
  const u = K / covBS
  const da = Math.sqrt(u * u + (4 * covAB * covAS) / covBS)
  const p = (1 - u / da) / 2
  return {
    prevalence: p,
    first: conditional(p, means[0], da),
    second: conditional(p, means[1], (da * covBS) / covAS),
    third: conditional(p, means[2], (da * covBS) / covAB)
  }
}

/** Returns the means of an observation given Y=0 and Y=1, which differ by `difference`. `mean` is its overall mean, p is P(Y=1). */
function conditional(p: number, mean: number, difference: number): Conditional {
  return [mean - p * difference, mean + (1 - p) * difference]
}

/**
 * Computes moments of two members a, b and an observation s from the number of documents in each cell `4*a + 2*b + s`: their
 * means, covariances, and the mean K of their centred product. `meanOf` returns the mean of any function of the centred variables.
 */
function centralMoments(table: readonly number[]) {
  const count = table.reduce((sum, documents) => sum + documents, 0)
  const means = [4, 2, 1].map(
    bit => table.reduce((sum, documents, cell) => (cell & bit ? sum + documents : sum), 0) / count
  )
  const meanOf = (value: (a: number, b: number, s: number) => number) =>
    table.reduce((sum, documents, cell) => {
      const [a, b, s] = means.map((mean, at) => ((cell >> (2 - at)) & 1) - mean)
      return sum + documents * value(a, b, s)
    }, 0) / count
  return {
    count,
    means,
    meanOf,
    covAB: meanOf((a, b) => a * b),
    covAS: meanOf((a, _, s) => a * s),
    covBS: meanOf((_, b, s) => b * s),
    K: meanOf((a, b, s) => a * b * s)
  }
}

/** Returns C_as - r C_bs and K - u C_bs in standard errors, by the influence of single documents (delta method). */
function departures({count, meanOf, covAB, covAS, covBS, K}: CentralMoments, r: number, u: number): number[] {
  const inErrors = (value: number, influence: (a: number, b: number, s: number) => number) =>
    value === 0 ? 0 : value / Math.sqrt(meanOf((a, b, s) => (influence(a, b, s) - value) ** 2) / count)
  return [
    inErrors(covAS - r * covBS, (a, b, s) => (a - r * b) * s),
    inErrors(K - u * covBS, (a, b, s) => a * b * s - covAB * s - covAS * b - covBS * a - u * b * s)
  ]
}

/**
 * Returns the distance of two binary variables from independence in standard errors, with the sign of their covariance: the
 * signed root of the likelihood ratio. (The covariance over its empirical error fails on sparse tables: a word that never
 * occurs with a member has an error of nearly 0.) `documents` has the cells 00, 01, 10, 11.
 */
function dependence(documents: ArrayLike<number>): number {
  const rows = [documents[0] + documents[1], documents[2] + documents[3]]
  const columns = [documents[0] + documents[2], documents[1] + documents[3]]
  const N = rows[0] + rows[1]
  let sum = 0
  for (let cell = 0; cell < 4; cell++) {
    const expected = (rows[cell >> 1] * columns[cell & 1]) / N
    if (documents[cell] > 0) sum += documents[cell] * log(documents[cell] / expected)
  }
  const sign = Math.sign(documents[3] * N - rows[1] * columns[1])
  return sign * Math.sqrt(Math.max(2 * sum, 0))
}
