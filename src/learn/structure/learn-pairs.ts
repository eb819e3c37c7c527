import {matchBiases, networkEdges, type PairNetwork, pairNetwork, weakened} from '../../base/network/index.ts'
import {clamp, exp, log} from '../../base/numeric/index.ts'
import {counted} from '../../base/text/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {MomentCertificate} from '../moments/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {type AnchorPair, fitLifts, knownLift} from './lift-distribution.ts'
import {type PairRules, pairRules, type RuleCounts} from './pair-rules.ts'
import type {NamedEdges} from './rules.ts'
import {wordLikeness} from './word-likeness.ts'

/** Of the couplings of all pairs. */
export interface PairCertificate extends RuleCounts {
  readonly method: 'pairs'
  readonly status: MomentCertificate['status']
  /** Pairs of concepts whose coupling is estimated: all but those of one group, and forbidden ones. */
  readonly couplings: number
  /** Those whose interval excludes 1, and required ones. */
  readonly edges: number
  /** What a unit of likeness of their words adds to the expected log lift of a pair; 0 without words. */
  readonly wordSlope: number
  /** By how much all couplings are nearer to 0, where so many pairs attract that the network would not have the prevalences. */
  readonly couplingThreshold: number
  /** The largest difference between a prevalence and the marginal of the network, as found by sampling. */
  readonly residual: number
}

/** "couplings of 66 pairs, 9 edges", and what edge rules changed. */
export function describePairs({couplings, edges, requiredEdges = 0, forbiddenEdges = 0}: PairCertificate): string {
  const required = requiredEdges > 0 ? `, ${requiredEdges} of them required` : ''
  const forbidden = forbiddenEdges > 0 ? `, ${counted(forbiddenEdges, 'pair')} forbidden` : ''
  return `couplings of ${counted(couplings, 'pair')}, ${counted(edges, 'edge')}${required}${forbidden}`
}

export interface LearnedPairs {
  readonly network: PairNetwork
  /** Of the distribution of lifts: a concave problem. */
  readonly moments: MomentCertificate
  readonly certificate: PairCertificate
}

/**
 * P(Y) from how often anchors fire together, by empirical Bayes over all pairs.
 *
 * The lift of a pair is P(Y_i = Y_k = 1) / (p_i p_k). Documents with both anchors are Poisson with the mean that the lift
 * and the rates imply. Concepts with similar words occur together more often: the expected log lift is a slope times the
 * likeness of their words ({@link wordLikeness}), and the distribution of lifts around it is learned from all pairs
 * ({@link fitLifts}), the slope with it. This gives each pair a posterior; its coupling follows from E[log lift]
 * ({@link oddsOfLift}). False anchors are either noise, whose share of the lift is taken out, or signs of related concepts:
 * then lifts of anchors are those of concepts, as far as the anchors are precise. The biases then make the marginals of the
 * network the prevalences ({@link matchBiases}).
 *
 * Edge rules have no direction here. A forbidden pair has the coupling 0: its concepts are independent given all others. A
 * required pair is an edge whatever its interval is; its lift is estimated by {@link knownLift}, and {@link matchBiases} keeps
 * its coupling. Neither has a part in the distribution of lifts, which is that of the pairs about which nothing is known.
 * Cost: O(patterns + m^2 n), and the sampling of {@link matchBiases}.
 */
export function learnPairs(
  counts: Counts,
  rates: NoiseRates,
  falseAnchors: 'noise' | 'related' = 'noise',
  {edges = {}, resampled}: {readonly edges?: NamedEdges; readonly resampled?: Resampled | undefined} = {}
): LearnedPairs {
  const prevalence = Float64Array.from(rates.prevalence)
  const m = prevalence.length
  const likeness = resampled?.likeness ?? wordLikeness(counts, prevalence)
  const rules = pairRules(edges, counts.lexicon)
  const {free, required} = readPairs(counts, rates, {falseAnchors, likeness, rules})
  const {slope, posteriors: learnedLifts, certificate: moments} = fitLifts(free, resampled?.slope)
  const pairs = [...free, ...required]
  const posteriors = [...learnedLifts, ...required.map(pair => knownLift(pair, slope))]
  const couplings = new Float64Array(m * m)
  const [low, high] = [couplings.slice().fill(1), couplings.slice().fill(1)]
  for (const [p, {i, k, weight}] of pairs.entries()) {
    const coupling = (lift: number) => weight * log(oddsOfLift(prevalence[i], prevalence[k], lift, falseAnchors))
    couplings[i * m + k] = couplings[k * m + i] = coupling(posteriors[p].lift)
    low[i * m + k] = low[k * m + i] = exp(coupling(posteriors[p].low))
    high[i * m + k] = high[k * m + i] = exp(coupling(posteriors[p].high))
  }
  const known = required.map(({i, k}) => [i, k] as const)
  const learned = pairNetwork({prevalence, couplings, low, high, ...(known.length > 0 && {required: known})})
  const {network, threshold, residual} = resampled
    ? {network: weakened(learned, resampled.threshold), threshold: resampled.threshold, residual: Number.NaN}
    : matchBiases(learned)
  const certificate = {
    method: 'pairs',
    status: moments.status,
    couplings: pairs.length,
    edges: networkEdges(network).length,
    ...rules.counts,
    wordSlope: slope,
    couplingThreshold: threshold,
    residual
  } as const
  return {network, moments, certificate}
}

/**
 * Of counts drawn from others: the likeness, slope and threshold of those, and no exact biases, on which edges do not depend.
 * Seeking the slope again would take most of the time.
 */
export interface Resampled {
  readonly likeness: Float64Array
  readonly slope: number
  readonly threshold: number
}

/** A pair with what its anchors say of its concepts. */
interface WeighedPair extends AnchorPair {
  /** The share of its log odds ratio that counts. */
  readonly weight: number
}

interface PairReading {
  readonly falseAnchors: 'noise' | 'related'
  readonly likeness: Float64Array
  readonly rules: PairRules
}

/** The pairs about which nothing is known, and required ones. */
function readPairs(counts: Counts, rates: NoiseRates, {falseAnchors, likeness, rules}: PairReading) {
  const N = counts.documentCount
  const m = rates.prevalence.length
  const together = anchorPairCounts(counts)
  const firing = Float64Array.from({length: m}, (_, i) => together[i * m + i] / N)
  // P(A_i A_k) = a_i a_k + d_i d_k p_i p_k (lift - 1) with d = t - e: true firings as a share of all.
  const sides = firing.map((a, i) => {
    const difference = rates.truePositive[i] - rates.falsePositive[i]
    return a > 0 ? Math.min(1, (difference * rates.prevalence[i]) / a) : 0
  })
  const isRelated = (i: number) => falseAnchors === 'related' && sides[i] > 0
  const shares = sides.map((share, i) => (isRelated(i) ? 1 : share))
  const weights = anchorPrecisions(rates).map((precision, i) => (isRelated(i) ? Math.sqrt(precision) : 1))
  const free: WeighedPair[] = []
  const required: WeighedPair[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const rule = rules.ruleOf(i, k)
      // Predictions know that classes of a group exclude each other.
      if (rule === 'exclusive' || rule === 'forbidden') continue
      const pairs = rule === 'required' ? required : free
      pairs.push({
        i,
        k,
        seen: Math.max(0, together[i * m + k]),
        expected: N * firing[i] * firing[k],
        trueShare: shares[i] * shares[k],
        // Words beside an anchor that is rarer with its concept are those of other concepts.
        likeness: Math.min(sides[i], sides[k]) > 0 ? likeness[i * m + k] : 0,
        weight: weights[i] * weights[k]
      })
    }
  return {free, required}
}

/** P(Y=1 | A=1). */
function anchorPrecisions({truePositive, falsePositive, prevalence}: NoiseRates): Float64Array {
  return Float64Array.from(prevalence, (p, i) => {
    const found = truePositive[i] * p
    return found > 0 ? found / (found + falsePositive[i] * (1 - p)) : 0
  })
}

/** P(Y_i = Y_k = 1) keeps these shares of the room that the prevalences leave from its ends. */
const LEAST_ROOM = 1e-6
const LEAST_ABOVE = 0.01

/**
 * The odds ratio of a pair with this lift. Where false anchors are noise, P(Y_i = Y_k = 1) is the lift times p_i p_k.
 * Where lifts are those of anchors, they multiply rates: P(Y_i=1 | Y_k=1) = 1 - (1 - p_i)^lift, or the same of k, whichever
 * joins them less. For rare concepts this is the lift; common ones stay short of certainty, which anchors do not justify.
 */
export function oddsOfLift(pi: number, pk: number, lift: number, falseAnchors: 'noise' | 'related'): number {
  if (lift === 1) return 1
  const least = Math.max(0, pi + pk - 1)
  const room = Math.min(pi, pk) - least
  const rise = (one: number, other: number) => other * (1 - exp(lift * log(1 - one)))
  const both = falseAnchors === 'noise' ? lift * pi * pk : Math.min(rise(pi, pk), rise(pk, pi))
  const kept = clamp(both, least + LEAST_ROOM * room, least + (1 - LEAST_ABOVE) * room)
  return (kept * (1 - pi - pk + kept)) / ((pi - kept) * (pk - kept))
}
