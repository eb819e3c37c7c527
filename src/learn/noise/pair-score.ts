/**
 * The third observation beside two members a, b of a concept's anchor: a score over words, the anchors of other concepts
 * and further members.
 *
 * An observation x depends on a and b through Y alone, so all observations have the same C_ax / C_bx = d_a / d_b and the same
 * K / C_bx = (1 - 2p) d_a (see solve-pair.ts): the matrix of their C_ax, C_bx, K has rank 1. The observations used depend
 * significantly on both members, with one sign; the clearest OBSERVATION_LIMIT of them. The two ratios are their weighted
 * medians; one that departs from them by more than OUTLIER_ERRORS standard errors of C_ax - r C_bx or of K - u C_bx
 * depends on a member otherwise and is rejected. The rest add up to one score, each x by its sign and standard deviation.
 *
 * One score rather than a mean of the observations' estimates: these are ratios, biased by their noise, and the ratio of sums is
 * not. Finer weights, fitted to the same covariances, would inflate them.
 * Layout of tables: documents in cells 2*a + b, observations numbered concepts, then members, then words; cell 4*at + c.
 * Cost: one pass over the words of the patterns.
 */
import type {Counts} from '../../read/counts/index.ts'
import {DEPENDENCE_ERRORS, dependence} from './tensor-decomposition.ts'

export const OBSERVATION_LIMIT = 40
export const OUTLIER_ERRORS = 4

/** Members of one anchor, by pattern: as `memberFlags` gives them. */
export interface Members {
  readonly concept: number
  readonly memberCount: number
  readonly flags: Uint8Array
}

export interface PairScore {
  /** Observations that occur at all, that depend on both members, and that form the score. */
  readonly tested: number
  readonly dependent: number
  readonly used: readonly number[]
  readonly rejected: readonly number[]
  /** Weights of the score, one per observation. */
  readonly weights: Float64Array
  /** Sum over pairs of different words of the product of their weighted covariances with member a. */
  readonly sharedByWords: number
  /** Root mean square departure of the used observations from the common ratios, in standard errors: about 1 if all is well. */
  readonly disagreement: number
}

export function choosePairScore(counts: Counts, members: Members, pair: readonly [number, number]): PairScore {
  const {cells, on} = observationTables(counts, members, pair)
  const observations = Array.from({length: on.length / 4}, (_, at) => at).filter(at =>
    on.subarray(4 * at, 4 * at + 4).some(documents => documents > 0)
  )
  const clarity = new Map(observations.map(at => [at, clarityOf(cells, on.subarray(4 * at, 4 * at + 4))]))
  const clear = (at: number) => clarity.get(at) ?? 0
  const dependent = observations.filter(at => clear(at) >= DEPENDENCE_ERRORS)
  const chosen = dependent.toSorted((x, y) => clear(y) - clear(x) || x - y).slice(0, OBSERVATION_LIMIT)
  const moments = chosen.map(at => ({at, ...observationMoments(cells, on.subarray(4 * at, 4 * at + 4))}))
  const weight = ({at}: {at: number}) => clear(at) * clear(at)
  const r = weightedMedian(moments.map(x => ({value: x.Ca / x.Cb, weight: weight(x)})))
  const u = weightedMedian(moments.map(x => ({value: x.K / x.Cb, weight: weight(x)})))
  const used: number[] = []
  const rejected: number[] = []
  const weights = new Float64Array(on.length / 4)
  const firstWord = counts.lexicon.anchors.length + members.memberCount
  let [squares, byWords, byWordsSquared] = [0, 0, 0]
  for (const x of moments) {
    const [byRatio, byThird] = departures(cells, on.subarray(4 * x.at, 4 * x.at + 4), x, {r, u})
    if (Math.max(Math.abs(byRatio), Math.abs(byThird)) > OUTLIER_ERRORS) rejected.push(x.at)
    else {
      used.push(x.at)
      squares += byRatio * byRatio + byThird * byThird
      weights[x.at] = Math.sign(x.Ca) / Math.sqrt(x.mean * (1 - x.mean))
      const weighted = x.at < firstWord ? 0 : weights[x.at] * x.Ca
      byWords += weighted
      byWordsSquared += weighted * weighted
    }
  }
  const freedom = 2 * used.length - 2
  const disagreement = freedom > 0 ? Math.sqrt(squares / freedom) : 1
  const sharedByWords = byWords * byWords - byWordsSquared
  return {
    tested: observations.length,
    dependent: dependent.length,
    used,
    rejected,
    weights,
    sharedByWords,
    disagreement
  }
}

/** Mean and variance of the score in each anchor pattern, the latter as if the words of a pattern were independent. */
export function scorePatterns(counts: Counts, {concept, memberCount: M, flags}: Members, weights: Float64Array) {
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

/** Documents in each cell of the pair, and those of them in which each at is on; own anchor and pair stay empty. */
function observationTables(
  counts: Counts,
  {concept, memberCount: M, flags}: Members,
  [a, b]: readonly [number, number]
) {
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

interface ObservationMoments {
  readonly mean: number
  readonly Ca: number
  readonly Cb: number
  readonly K: number
}

function observationMoments(cells: Float64Array, on: Float64Array): ObservationMoments {
  const {N, first, second, both} = pairMeans(cells)
  const mean = (on[0] + on[1] + on[2] + on[3]) / N
  let [Ca, Cb, K] = [0, 0, -mean * both]
  for (let c = 0; c < 4; c++) {
    const alpha = (c >> 1) - first
    const beta = (c & 1) - second
    Ca += (on[c] / N) * alpha
    Cb += (on[c] / N) * beta
    K += (on[c] / N) * alpha * beta
  }
  return {mean, Ca, Cb, K}
}

/** C_ax - r C_bx and K - u C_bx in standard errors, r and u taken as exact. */
function departures(
  cells: Float64Array,
  on: Float64Array,
  {mean, Ca, Cb, K}: ObservationMoments,
  {r, u}: Readonly<Record<'r' | 'u', number>>
): [number, number] {
  const {N, first, second, both} = pairMeans(cells)
  const [byRatio, byThird] = [Ca - r * Cb, K - u * Cb]
  let [ratioSquares, thirdSquares] = [0, 0]
  for (let c = 0; c < 4; c++)
    for (let x = 0; x < 2; x++) {
      const documents = x === 1 ? on[c] : cells[c] - on[c]
      const alpha = (c >> 1) - first
      const beta = (c & 1) - second
      const xi = x - mean
      const ratio = (alpha - r * beta) * xi - byRatio
      const third = (alpha * beta - both - u * beta) * xi - alpha * Cb - beta * Ca - byThird
      ratioSquares += documents * ratio * ratio
      thirdSquares += documents * third * third
    }
  return [inErrors(byRatio, ratioSquares, N), inErrors(byThird, thirdSquares, N)]
}

function inErrors(value: number, squares: number, N: number): number {
  return value === 0 ? 0 : (value * N) / Math.sqrt(squares)
}

/** Means of the pair and its covariance. */
function pairMeans(cells: Float64Array): {N: number; first: number; second: number; both: number} {
  const N = cells[0] + cells[1] + cells[2] + cells[3]
  const first = (cells[2] + cells[3]) / N
  const second = (cells[1] + cells[3]) / N
  return {N, first, second, both: cells[3] / N - first * second}
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
