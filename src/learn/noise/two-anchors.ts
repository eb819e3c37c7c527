/**
 * Rates of an anchor with two or more members, without labels (Section 3.3, setting 1).
 *
 * Assumption: given the concept, its members fire independently of one another and of everything else. Then two members
 * and a third observation determine P(Y) and P(.|Y) of all ({@link decomposeTensor}). Instead of one further observation, as
 * in the paper, all that depend on both members form one score. With three or more members the others are among them (the
 * triplet form), and the pair with the median prevalence is used.
 *
 * Two members that depend on each other given the concept go unnoticed unless their rates become impossible. With more
 * members, other pairs mostly become impossible (`impossiblePairs`) or disagree (`pairSpread`). Observations that depend on
 * a member otherwise are rejected and named. Cost: a pass over the words of the patterns per pair.
 */
import {AdfaError} from '../../base/checks/index.ts'
import {clamp, log, NORMAL_90} from '../../base/numeric/index.ts'
import {type Counts, memberFlags} from '../../read/counts/index.ts'
import type {RateInterval, Rates, Shares} from './rates.ts'

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
/** The step of numerical derivatives, relative to the documents of a cell; rounding and curvature both stay below 1e-6. */
const STEP = 1e-4

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
function tableCells(documents: ArrayLike<number>, on: ArrayLike<number>): Cell[] {
  return [0, 1, 2, 3].flatMap(cell => {
    const members = {first: cell >> 1, second: cell & 1, further: 0}
    return [
      {...members, third: 0, documents: documents[cell] - on[cell]},
      {...members, third: 1, documents: on[cell]}
    ]
  })
}

/**
 * Visits what is seen in the documents of pattern p beside the own anchor, with the number of these documents. Observations
 * are numbered concepts, then members, then words.
 */
function eachObservation(
  counts: Counts,
  {concept, memberCount: M, flags}: Members,
  p: number,
  visit: (observation: number, documents: number) => void
): void {
  const m = counts.lexicon.anchors.length
  const documents = counts.patternDocuments[p]
  for (let at = counts.conceptStarts[p]; at < counts.conceptStarts[p + 1]; at++)
    if (counts.concepts[at] !== concept) visit(counts.concepts[at], documents)
  for (let w = 0; w < M; w++) if (flags[p * M + w] === 1) visit(m + w, documents)
  for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++)
    visit(m + M + counts.wordIds[at], counts.wordCounts[at])
}

/** Documents in each cell `2*a + b` of the pair, and those of them in which each observation is on, cell `4*at + 2*a + b`. */
function observationTables(counts: Counts, members: Members, [a, b]: Pair) {
  const {memberCount: M, flags} = members
  const {anchors, words} = counts.lexicon
  const documents = new Float64Array(4)
  const on = new Float64Array(4 * (anchors.length + M + words.length))
  for (let p = 0; p < counts.patternCount; p++) {
    const cell = 2 * flags[p * M + a] + flags[p * M + b]
    documents[cell] += counts.patternDocuments[p]
    eachObservation(counts, members, p, (at, count) => {
      on[4 * at + cell] += count
    })
  }
  for (const member of [a, b]) on.fill(0, 4 * (anchors.length + member), 4 * (anchors.length + member + 1))
  return {documents, on}
}

/**
 * Documents by whether either member and any further one fires, and by their score. A score of mean m and variance v within a
 * cell has the moments and errors of one that is m - sqrt(v) in one half of its documents and m + sqrt(v) in the other. The
 * words of an anchor pattern count as independent, since counts do not relate the words of a document.
 */
function scoreCells(counts: Counts, members: Members, pair: Pair, weights: Float64Array): Cell[] {
  const {memberCount: M, flags} = members
  const cells = Array.from({length: 8}, () => ({documents: 0, sum: 0, squares: 0}))
  for (let p = 0; p < counts.patternCount; p++) {
    const documents = counts.patternDocuments[p]
    let [score, variance] = [0, 0]
    eachObservation(counts, members, p, (at, count) => {
      const share = count / documents
      score += weights[at] * share
      variance += weights[at] ** 2 * share * (1 - share)
    })
    const own = flags.subarray(p * M, (p + 1) * M)
    const further = own.some((fires, w) => fires === 1 && !pair.includes(w)) ? 1 : 0
    const cell = cells[4 * own[pair[0]] + 2 * own[pair[1]] + further]
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

/** Documents with the same observations: two members, the third observation, and a further member (0 without any). */
export interface Cell {
  readonly documents: number
  readonly first: number
  readonly second: number
  readonly third: number
  readonly further: number
}

/** The mean of an observation given Y=0 and given Y=1; of a binary one, its probability. */
export type Conditional = readonly [number, number]

/** The two components of the joint distribution. */
export interface Decomposition extends Readonly<Record<'first' | 'second' | 'third' | 'further', Conditional>> {
  readonly prevalence: number
}

/**
 * Decomposes P(W1, W2, X) = sum_y P(y) P(w1|y) P(w2|y) P(x|y) in closed form (supplement, "two anchors per concept variable";
 * the paper refers to ten Berge for an algorithm).
 *
 * Members a, b and an observation s with E[a b s | Y] = E[a|Y] E[b|Y] E[s|Y] have, with p = P(Y=1), v = p (1 - p) and
 * d_a = P(a|1) - P(a|0), the central moments C_ab = v d_a d_b (C_as, C_bs alike) and K = v (1 - 2p) d_a d_b d_s. So
 *
 *     u = (1 - 2p) d_a = K / C_bs,   d_a^2 = u^2 + 4 C_ab C_as / C_bs,   d_b = d_a C_bs / C_as,   p = (1 - u / d_a) / 2.
 *
 * d_a C_bs is the root of the hyperdeterminant K^2 + 4 C_ab C_as C_bs. Y=1 is the component with the larger P(a=1|.), so
 * d_a > 0. The third observation enters by its mean alone: it may be a word, or a score of many words. Undefined where
 * C_ab C_as C_bs is not positive, since no two components have such moments. Values outside [0, 1] are returned unchanged:
 * noise or a broken assumption.
 */
export function decomposeTensor(cells: readonly Cell[]): Decomposition | undefined {
  const {means, ab, as, bs, abs, furtherWithBoth} = centralMoments(cells)
  if (!(ab * as * bs > 0)) return undefined
  const u = abs / bs
  const da = Math.sqrt(u * u + (4 * ab * as) / bs)
  const db = (da * bs) / as
  const p = (1 - u / da) / 2
  const conditional = (mean: number, difference: number): Conditional => [
    mean - p * difference,
    mean + (1 - p) * difference
  ]
  return {
    prevalence: p,
    first: conditional(means.first, da),
    second: conditional(means.second, db),
    third: conditional(means.third, (da * bs) / ab),
    // A further member c has cov(c, a + b) = v d_c (d_a + d_b).
    further: conditional(means.further, furtherWithBoth / (p * (1 - p) * (da + db)))
  }
}

/** The means, C_ab, C_as, C_bs and K of two members a, b and the third observation s, and cov(c, a + b) of a further one c. */
function centralMoments(cells: readonly Cell[]) {
  const all = cells.reduce((sum, {documents}) => sum + documents, 0)
  const mean = (value: (cell: Cell) => number) =>
    cells.reduce((sum, cell) => sum + cell.documents * value(cell), 0) / all
  const means = {
    first: mean(({first}) => first),
    second: mean(({second}) => second),
    third: mean(({third}) => third),
    further: mean(({further}) => further)
  }
  const a = ({first}: Cell) => first - means.first
  const b = ({second}: Cell) => second - means.second
  const s = ({third}: Cell) => third - means.third
  return {
    means,
    ab: mean(cell => a(cell) * b(cell)),
    as: mean(cell => a(cell) * s(cell)),
    bs: mean(cell => b(cell) * s(cell)),
    abs: mean(cell => a(cell) * b(cell) * s(cell)),
    furtherWithBoth: mean(cell => (cell.further - means.further) * (a(cell) + b(cell)))
  }
}

/**
 * Standard errors of statistics by the delta method: the documents of a cell vary like a Poisson number, and the derivative
 * by it is numerical.
 */
export function standardErrors(
  cells: readonly Cell[],
  statistics: (cells: readonly Cell[]) => readonly number[]
): number[] {
  const variances = statistics(cells).map(() => 0)
  cells.forEach((cell, at) => {
    if (cell.documents === 0) return
    const step = STEP * cell.documents
    const [above, below] = [step, -step].map(by =>
      statistics(cells.with(at, {...cell, documents: cell.documents + by}))
    )
    above.forEach((value, k) => {
      variances[k] += cell.documents * ((value - below[k]) / (2 * step)) ** 2
    })
  })
  return variances.map(Math.sqrt)
}

/**
 * The signed root of the likelihood ratio: the distance of two binary variables from independence in standard errors, with
 * the sign of their covariance. (The covariance over its empirical error fails on sparse tables: a word that never occurs
 * with a member has an error of nearly 0.) The table is 00, 01, 10, 11 in documents.
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
