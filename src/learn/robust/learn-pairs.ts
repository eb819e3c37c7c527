import {AdfaError} from '../../base/checks/index.ts'
import {matchBiases, networkEdges, type PairNetwork, pairNetwork, weakened} from '../../base/network/index.ts'
import {clamp, exp, log} from '../../base/numeric/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import {exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import type {MomentCertificate} from '../moments/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {type NamedEdges, numberEdges} from '../structure/index.ts'
import {type AnchorPair, fitLifts, knownLift} from './lift-distribution.ts'
import {wordLikeness} from './weights-from-counts.ts'

/** P(Y_i = Y_k = 1) keeps these shares of the room that the prevalences leave from its ends. */
const LEAST_ROOM = 1e-6
const LEAST_ABOVE = 0.01

/** What is known of a pair of concepts beforehand. */
type PairRule = 'required' | 'forbidden' | 'exclusive'

interface PairRules {
  /** The rule of two concepts in either order; undefined where nothing is known. */
  ruleOf(i: number, k: number): PairRule | undefined
  readonly counts: RuleCounts
}

/** Numbers of pairs with a rule; unset without rules. */
interface RuleCounts {
  readonly requiredEdges?: number
  readonly forbiddenEdges?: number
  /** Rules that name a concept left out of the model. */
  readonly ignoredEdges?: number
}

export interface PairCertificate extends RuleCounts {
  readonly method: 'pairs'
  readonly status: MomentCertificate['status']
  /** Pairs of concepts whose coupling is estimated: all but forbidden ones and pairs of one exclusive group. */
  readonly couplings: number
  /** Pairs whose interval excludes 1, and required ones. */
  readonly edges: number
  /** What a unit of likeness of their words adds to the expected log lift of a pair; 0 without words. */
  readonly wordSlope: number
  /** The factor of all couplings: below 1 where so many pairs attract that the network would not have the prevalences. */
  readonly couplingShare: number
  /** The largest difference between a prevalence and the marginal of the network, as found by sampling. */
  readonly residual: number
}

/** Writes "couplings of 66 pairs, 9 edges", what edge rules changed, and how far couplings were weakened. */
export function describePairs(certificate: PairCertificate): string {
  const {couplings, edges, requiredEdges = 0, forbiddenEdges = 0, couplingShare} = certificate
  const required = requiredEdges > 0 ? `, ${requiredEdges} of them required` : ''
  const forbidden = forbiddenEdges > 0 ? `, ${counted(forbiddenEdges, 'pair')} forbidden` : ''
  const weaker = couplingShare < 1 ? `, weakened to ${percent(couplingShare)} to keep the prevalences` : ''
  return `couplings of ${counted(couplings, 'pair')}, ${counted(edges, 'edge')}${required}${forbidden}${weaker}`
}

export interface LearnedPairs {
  readonly network: PairNetwork
  /** The certificate of the distribution of lifts, a concave problem. */
  readonly moments: MomentCertificate
  readonly certificate: PairCertificate
}

/**
 * What the fit of resampled counts takes from the fit of all counts. Seeking the slope again would take most of the time, and
 * edges do not depend on exact biases.
 */
export interface Resampled {
  readonly likeness: Float64Array
  readonly slope: number
  readonly share: number
}

/**
 * Learns P(Y) from how often anchors fire together, by empirical Bayes over all pairs.
 *
 * The lift of a pair is P(Y_i = Y_k = 1) / (p_i p_k). Documents with both anchors are Poisson with the mean that the lift
 * and the rates imply. Concepts with similar words occur together more often: the expected log lift is a slope times the
 * likeness of their words ({@link wordLikeness}), and the distribution of lifts around it is learned from all pairs
 * ({@link fitLifts}), the slope with it. This gives each pair a posterior; its coupling follows from E[log lift]
 * ({@link oddsOfLift}). False anchors are either noise, whose share of the lift is taken out, or signs of related concepts:
 * then anchors and concepts have the same lifts, as far as the anchors are precise. The biases then make the marginals of the
 * network the prevalences ({@link matchBiases}).
 *
 * Edge rules have no direction here. A forbidden pair has the coupling 0: its concepts are independent given all others. A
 * required pair is an edge whatever its interval is; its lift is estimated by {@link knownLift}, and {@link matchBiases} keeps
 * its coupling. The distribution of lifts is learned from the other pairs.
 * Cost: O(patterns + m^2 n), and the sampling of {@link matchBiases}.
 */
export function learnPairs(
  counts: Counts,
  rates: NoiseRates,
  falseAnchors: 'noise' | 'related' = 'noise',
  control: PairControl = {}
): LearnedPairs {
  const lifts = recoverLifts(counts, rates, falseAnchors, control)
  return {...networkFromLifts(lifts, control), moments: lifts.certificate}
}

export interface PairControl {
  readonly edges?: NamedEdges
  readonly resampled?: Resampled | undefined
}

/** What the anchors say about every pair of concepts: the moments of a network of pairs. */
export interface Lifts {
  readonly prevalence: Float64Array
  readonly falseAnchors: 'noise' | 'related'
  /** The pairs that are not forbidden; the last ones are required. */
  readonly pairs: readonly WeighedPair[]
  readonly requiredCount: number
  readonly posteriors: readonly ReturnType<typeof knownLift>[]
  readonly slope: number
  readonly rules: PairRules
  readonly certificate: MomentCertificate
}

/** Line 1 of Algorithm 1 for pairs: the posterior of the lift of each pair. */
export function recoverLifts(
  counts: Counts,
  rates: NoiseRates,
  falseAnchors: 'noise' | 'related',
  {edges = {}, resampled}: PairControl = {}
): Lifts {
  const prevalence = Float64Array.from(rates.prevalence)
  const likeness = resampled?.likeness ?? wordLikeness(counts, prevalence)
  const rules = pairRules(edges, counts.lexicon)
  const {free, required} = readPairs(counts, rates, {falseAnchors, likeness, rules})
  const {slope, posteriors, certificate} = fitLifts(free, resampled?.slope)
  return {
    prevalence,
    falseAnchors,
    pairs: [...free, ...required],
    requiredCount: required.length,
    posteriors: [...posteriors, ...required.map(pair => knownLift(pair, slope))],
    slope,
    rules,
    certificate
  }
}

/** Line 2 of Algorithm 1 for pairs: couplings from the lifts, and biases that keep the prevalences. */
export function networkFromLifts(lifts: Lifts, {resampled}: PairControl = {}): Omit<LearnedPairs, 'moments'> {
  const {prevalence, falseAnchors, pairs, requiredCount, posteriors, slope, rules} = lifts
  const m = prevalence.length
  const couplings = new Float64Array(m * m)
  const [low, high] = [couplings.slice().fill(1), couplings.slice().fill(1)]
  for (const [p, {i, k, weight}] of pairs.entries()) {
    const coupling = (lift: number) => weight * log(oddsOfLift(prevalence[i], prevalence[k], lift, falseAnchors))
    couplings[i * m + k] = couplings[k * m + i] = coupling(posteriors[p].lift)
    low[i * m + k] = low[k * m + i] = exp(coupling(posteriors[p].low))
    high[i * m + k] = high[k * m + i] = exp(coupling(posteriors[p].high))
  }
  const required = pairs.slice(pairs.length - requiredCount).map(({i, k}) => [i, k] as const)
  const learned = pairNetwork({prevalence, couplings, low, high, ...(requiredCount > 0 && {required})})
  const {network, share, residual} = resampled
    ? {network: weakened(learned, resampled.share), share: resampled.share, residual: Number.NaN}
    : matchBiases(learned)
  const certificate = {
    method: 'pairs',
    status: lifts.certificate.status,
    couplings: pairs.length,
    edges: networkEdges(network).length,
    ...rules.counts,
    wordSlope: slope,
    couplingShare: share,
    residual
  } as const
  return {network, certificate}
}

/** A pair with what its anchors say about its concepts. */
interface WeighedPair extends AnchorPair {
  /** The share of its log odds ratio that counts. */
  readonly weight: number
}

interface PairReading {
  readonly falseAnchors: 'noise' | 'related'
  readonly likeness: Float64Array
  readonly rules: PairRules
}

/** Returns the pairs about which nothing is known, and required ones. */
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
  // Without the precision of anchors log P(tags) falls by up to .13 (npm-packages), and on six of eight corpora.
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
        // Words beside an anchor that is rarer with its concept belong to other concepts.
        likeness: Math.min(sides[i], sides[k]) > 0 ? likeness[i * m + k] : 0,
        weight: weights[i] * weights[k]
      })
    }
  return {free, required}
}

/** Returns P(Y=1 | A=1) of each anchor. */
function anchorPrecisions({truePositive, falsePositive, prevalence}: NoiseRates): Float64Array {
  return Float64Array.from(prevalence, (p, i) => {
    const found = truePositive[i] * p
    return found > 0 ? found / (found + falsePositive[i] * (1 - p)) : 0
  })
}

/**
 * Returns the odds ratio of a pair with this lift. Where false anchors are noise, P(Y_i = Y_k = 1) is the lift times p_i p_k.
 * Where anchors and concepts have the same lift, it multiplies rates: P(Y_i=1 | Y_k=1) = 1 - (1 - p_i)^lift, or the same of k,
 * whichever joins them less. For rare concepts this is the lift; common ones stay short of certainty, which anchors do not justify.
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

/** Reads edge rules without directions, and pairs that exclude each other; refuses rules that no pair could follow. */
export function pairRules(edges: NamedEdges, {anchors, skipped}: Pick<Lexicon, 'anchors' | 'skipped'>): PairRules {
  const m = anchors.length
  const cell = (i: number, k: number) => Math.min(i, k) * m + Math.max(i, k)
  const rules = new Map<number, PairRule>()
  for (const {concepts} of exclusiveGroups(anchors))
    for (const i of concepts) for (const k of concepts) rules.set(cell(i, k), 'exclusive')
  const ruleOf = (i: number, k: number) => rules.get(cell(i, k))
  if (!edges.require?.length && !edges.forbid?.length) return {ruleOf, counts: {}}
  const names = anchors.map(({concept}) => concept)
  const left = skipped.map(({concept}) => concept)
  const {constraints, ignored} = numberEdges(edges, names, left)
  const count = {required: 0, forbidden: 0}
  for (const rule of ['forbidden', 'required'] as const)
    for (const [i, k] of constraints[rule] ?? []) {
      const pair = `"${names[i]}" - "${names[k]}"`
      const before = ruleOf(i, k)
      if (before === 'forbidden' && rule === 'required')
        throw refuse(`edge ${pair} is both required and forbidden; drop one of the two`)
      if (before === 'exclusive' && rule === 'required')
        throw refuse(`edge ${pair} is required, but its concepts exclude each other; drop the rule, or the group`)
      if (before !== undefined) continue
      rules.set(cell(i, k), rule)
      count[rule]++
    }
  return {
    ruleOf,
    counts: {requiredEdges: count.required, forbiddenEdges: count.forbidden, ignoredEdges: ignored}
  }
}

function refuse(fault: string): AdfaError {
  return new AdfaError('bad-option', `edges: ${fault}`, {details: {option: 'edges'}})
}
