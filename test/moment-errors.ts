import {AdfaError} from '../src/base/checks/index.ts'
import {NORMAL_90} from '../src/base/numeric/index.ts'
import type {EstimatedRates, NoiseRates} from '../src/learn/noise/index.ts'
import {anchorPairCounts, type Counts, requireOrder} from '../src/read/counts/index.ts'

/**
 * Standard errors of prevalences and of P(Y_i = 1, Y_k = 1) by the delta method.
 *
 * With w of {@link InverseRates}, p_i = E[w_i] and q_ik = E[w_i w_k] are means over documents: their sampling variance is that
 * of the cells of two anchors. Given `known` prevalences and precisions, the rates follow the share of documents in which the
 * anchors fire, and the spread of prevalence and precision is added, independently per concept.
 *
 * Differs from `recoverMoments`: no polytope and no shrinkage, so estimates may lie outside [0, 1]. Away from
 * the bounds, and if shrinkage fades, both have the same errors; near them constrained moments vary less.
 * Layout: pairs i < k, row-major. Cost: O(m^2) after one pass over the patterns.
 */

/** Estimates without a constraint, and their standard errors. */
export interface UnconstrainedMoments {
  readonly estimate: Float64Array
  readonly standardError: Float64Array
}

export interface MomentErrors {
  /** P(Y_i = 1). */
  readonly prevalence: UnconstrainedMoments
  /** P(Y_i = 1, Y_k = 1). */
  readonly pairs: UnconstrainedMoments
}

export function momentErrors(counts: Counts, noise: NoiseRates, known?: readonly EstimatedRates[]): MomentErrors {
  const N = counts.documentCount
  const m = counts.lexicon.anchors.length
  const fired = anchorPairCounts(counts)
  const inverses = Array.from({length: m}, (_, i) => inverseRates(noise, i, known?.[i]))
  const prevalence = blank(m)
  const pairs = blank((m * (m - 1)) / 2)
  let at = 0
  for (let i = 0; i < m; i++) {
    const on = fired[i * m + i] / N
    set(prevalence, i, single(inverses[i], on, N))
    for (let k = i + 1; k < m; k++) {
      const both = fired[i * m + k] / N
      const other = fired[k * m + k] / N
      set(pairs, at++, pair([inverses[i], inverses[k]], [1 - on - other + both, other - both, on - both, both], N))
    }
  }
  return {prevalence, pairs}
}

interface Found {
  readonly estimate: number
  readonly variance: number
}

function single({weights: [off, on], uncertain, byFiring}: InverseRates, a: number, N: number): Found {
  const estimate = (1 - a) * off + a * on
  // How the mean of w changes with the share a: through its documents, and through the rates that depend on it.
  const perDocument = on - off - byFiring.offset - byFiring.scale * estimate
  let variance = (perDocument ** 2 * a * (1 - a)) / N
  for (const {offset, scale} of uncertain) variance += (offset + scale * estimate) ** 2
  return {estimate, variance}
}

/** Cell `2*a_i + a_k`. */
function pair(inverses: readonly [InverseRates, InverseRates], cells: readonly number[], N: number): Found {
  const w = (z: number, cell: number) => inverses[z].weights[z === 0 ? cell >> 1 : cell & 1]
  const mean = (of: (cell: number) => number) => cells.reduce((sum, share, cell) => sum + share * of(cell), 0)
  const estimate = mean(cell => w(0, cell) * w(1, cell))
  const slopes = inverses.map(({uncertain, byFiring}, z) => {
    const other = mean(cell => w(1 - z, cell))
    return {
      on: mean(cell => (z === 0 ? cell >> 1 : cell & 1)),
      byFiring: byFiring.offset * other + byFiring.scale * estimate,
      uncertain: uncertain.map(({offset, scale}) => offset * other + scale * estimate)
    }
  })
  const influence = (cell: number) =>
    w(0, cell) * w(1, cell) -
    estimate -
    slopes[0].byFiring * ((cell >> 1) - slopes[0].on) -
    slopes[1].byFiring * ((cell & 1) - slopes[1].on)
  let variance = mean(cell => influence(cell) ** 2) / N
  for (const {uncertain} of slopes) for (const slope of uncertain) variance += slope ** 2
  return {estimate, variance}
}

function blank(length: number): UnconstrainedMoments {
  return {estimate: new Float64Array(length), standardError: new Float64Array(length)}
}

function set({estimate, standardError}: UnconstrainedMoments, at: number, found: Found): void {
  estimate[at] = found.estimate
  standardError[at] = Math.sqrt(found.variance)
}

/**
 * The inverse of an anchor's noise, for standard errors by the delta method.
 *
 * E[w(A)|Y] = Y for w(A) = (A - e) / (t - e), so that moments of Y are means of products of w over documents: linear in the
 * documents, without a polytope or shrinkage. If e and d = t - e change by e' and d', w changes by -(e'/d) - (d'/d) w.
 */
interface InverseRates {
  /** w of an anchor that does not fire, and of one that does. */
  readonly weights: readonly [number, number]
  /** Change per standard deviation of each uncertain quantity. */
  readonly uncertain: readonly RateSlope[]
  /** Change with the share of documents where the anchor fires: rates implied by prevalence and precision depend on it. */
  readonly byFiring: RateSlope
}

interface RateSlope {
  /** e'/d. */
  readonly offset: number
  /** d'/d. */
  readonly scale: number
}

/**
 * Rates are exact unless `known` gives prevalence and precision of the anchor. Then t = r a / p and e = (1 - r) a / (1 - p), with
 * a = P(A) and the spread of p and r from their intervals; rates held at a limit are treated as free.
 * One-sided rates have no precision: pass 1.
 */
function inverseRates(noise: NoiseRates, i: number, known?: EstimatedRates): InverseRates {
  const t = noise.truePositive[i]
  const e = noise.falsePositive[i]
  const d = t - e
  const weights = [-e / d, (1 - e) / d] as const
  if (known === undefined) return {weights, uncertain: [], byFiring: {offset: 0, scale: 0}}
  const p = noise.prevalence[i]
  const a = e + d * p
  const spread = rateSpread(known)
  const slope = (dt: number, de: number, deviation: number): RateSlope => ({
    offset: (de / d) * deviation,
    scale: ((dt - de) / d) * deviation
  })
  return {
    weights,
    uncertain: [slope(-t / p, e / (1 - p), spread.prevalence), slope(a / p, -a / (1 - p), spread.precision)],
    byFiring: slope(t / a, e / a, 1)
  }
}

/** The documents by which of a few anchors fire in them: only the cells that occur. */
export interface AnchorCells {
  readonly concepts: readonly number[]
  readonly inverses: readonly InverseRates[]
  readonly sampleCount: number
  readonly wordCount: number
  /** Of cell c. */
  readonly documents: Float64Array
  /** Whether the anchor of `concepts[z]` fires: `c * concepts.length + z`. */
  readonly fired: Uint8Array
  /** Documents of cell c with word j: `c * wordCount + j`. */
  readonly words: Float64Array
}

/** `known` has an entry per concept, in order. Cost: a pass over the words of the patterns. */
export function anchorCells(
  counts: Counts,
  noise: NoiseRates,
  concepts: readonly number[],
  known?: readonly EstimatedRates[]
): AnchorCells {
  requireOrder(counts, concepts.length + 1, 'a standard error')
  const {conceptStarts, wordStarts, wordIds, wordCounts} = counts
  const wordCount = counts.lexicon.words.length
  const place = new Map(concepts.map((concept, z) => [concept, z]))
  if (place.size !== concepts.length || concepts.some(i => counts.lexicon.anchors[i] === undefined))
    throw new AdfaError('bad-option', `anchor cells are over different concepts of the counts; got ${concepts}`)
  const numbers = new Map<string, number>()
  const cellOf = Uint32Array.from({length: counts.patternCount}, (_, pattern) => {
    const key = Array.from(counts.concepts.subarray(conceptStarts[pattern], conceptStarts[pattern + 1]))
      .flatMap(i => place.get(i) ?? [])
      .join()
    const found = numbers.get(key) ?? numbers.size
    numbers.set(key, found)
    return found
  })
  const documents = new Float64Array(numbers.size)
  const words = new Float64Array(numbers.size * wordCount)
  cellOf.forEach((cell, pattern) => {
    documents[cell] += counts.patternDocuments[pattern]
    for (let at = wordStarts[pattern]; at < wordStarts[pattern + 1]; at++)
      words[cell * wordCount + wordIds[at]] += wordCounts[at]
  })
  const fired = new Uint8Array(numbers.size * concepts.length)
  for (const [key, cell] of numbers)
    if (key !== '') for (const z of key.split(',')) fired[cell * concepts.length + Number(z)] = 1
  return {
    concepts,
    inverses: concepts.map(i => inverseRates(noise, i, known?.[i])),
    sampleCount: counts.documentCount,
    wordCount,
    documents,
    fired,
    words
  }
}

/** The standard deviations of prevalence and precision whose log and log-odds are normal with these 90% intervals. */
export function rateSpread({prevalence, precision}: EstimatedRates) {
  const odds = (share: number) => share / (1 - share)
  const deviation = (low: number, high: number) => Math.log(high / low) / (2 * NORMAL_90)
  const r = precision.value
  return {
    prevalence: prevalence.value * deviation(prevalence.low, prevalence.high),
    precision: precision.low === precision.high ? 0 : r * (1 - r) * deviation(odds(precision.low), odds(precision.high))
  }
}
