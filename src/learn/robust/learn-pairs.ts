/**
 * Learns the default network: a coupling for every pair of concepts, from how often their anchors fire together. The paper
 * recovers moments and searches for a directed graph; couplings need no search, and all of them count in predictions.
 */

import {AdfaError} from '../../base/checks/index.ts'
import {matchBiases, networkEdges, type PairNetwork, pairNetwork, weakenCouplings} from '../../base/network/index.ts'
import {clamp, exp, log} from '../../base/numeric/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import {exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import type {MomentCertificate} from '../moments/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {type NamedEdges, numberEdges} from '../structure/index.ts'
import {anchorFacts} from './evidence.ts'
import {type AnchorPair, fitLifts, type LiftPosterior} from './lift-distribution.ts'
import {wordSimilarity} from './weights-from-counts.ts'

/** P(Y_i = Y_k = 1) keeps these distances from the limits that the prevalences set, as shares of the range between them. */
const LOWER_MARGIN = 1e-6
const UPPER_MARGIN = 0.01

/** The rule of two concepts: the user requires or forbids their edge, or they are classes of one exclusive group. */
type PairRule = 'required' | 'forbidden' | 'exclusive'

/** The numbers of pairs that edge rules require or forbid; unset without such rules. */
interface RuleCounts {
  readonly requiredEdges?: number
  readonly forbiddenEdges?: number
  /** The number of rules that name a concept left out of the model. */
  readonly ignoredEdges?: number
}

export interface PairCertificate extends RuleCounts {
  readonly method: 'pairs'
  readonly status: MomentCertificate['status']
  /** The number of pairs whose coupling is estimated: all but forbidden ones and pairs of one exclusive group. */
  readonly couplings: number
  /** The number of pairs that are required or whose odds ratio has an interval that excludes 1. */
  readonly edges: number
  /** The expected log lift of a pair is this slope times the similarity of its concepts' words; 0 without words. */
  readonly wordSlope: number
  /** The factor of all couplings but required ones. It is below 1 if no biases would give the full couplings the prevalences. */
  readonly couplingShare: number
  /** The largest difference between a prevalence and its marginal by the network, estimated by sampling. */
  readonly residual: number
}

/** Describes a network, as in "couplings of 66 pairs, 9 edges", with the effect of edge rules and the factor of weakened couplings. */
export function describePairs(certificate: PairCertificate): string {
  const {couplings, edges, requiredEdges = 0, forbiddenEdges = 0, couplingShare} = certificate
  const required = requiredEdges > 0 ? `, ${requiredEdges} of them required` : ''
  const forbidden = forbiddenEdges > 0 ? `, ${counted(forbiddenEdges, 'pair')} forbidden` : ''
  const weaker = couplingShare < 1 ? `, weakened to ${percent(couplingShare)} to keep the prevalences` : ''
  return `couplings of ${counted(couplings, 'pair')}, ${counted(edges, 'edge')}${required}${forbidden}${weaker}`
}

export interface LearnedPairs {
  readonly network: PairNetwork
  /** Certifies the distribution of lifts, the solution of a concave problem. */
  readonly moments: MomentCertificate
  readonly certificate: PairCertificate
}

export interface PairControl {
  readonly edges?: NamedEdges
  readonly resampled?: Resampled | undefined
}

/**
 * The parts that the fit of resampled counts, which have no words, takes from the fit of all counts. Estimating the slope of
 * lifts and the share of couplings again would take most of the time, and edges do not depend on exact biases.
 */
export interface Resampled {
  readonly similarity: Float64Array
  readonly slope: number
  readonly share: number
}

/**
 * Learns P(Y) from how often anchors fire together, by empirical Bayes over all pairs.
 *
 * The lift of a pair is P(Y_i = Y_k = 1) / (p_i p_k). The number of documents with both anchors is Poisson with the mean that the
 * lift and the rates imply. Concepts with similar words occur together more often: the expected log lift is a slope times the
 * similarity of their words ({@link wordSimilarity}). The slope and the distribution of lifts around it are learned from all
 * pairs ({@link fitLifts}), which gives each pair a posterior; its coupling follows from E[log lift] ({@link oddsOfLift}). False
 * anchors are either independent noise, which is subtracted, or signs of related concepts: then anchors have their concepts'
 * lifts, and couplings are multiplied by the geometric mean of both precisions. Biases make the marginals equal to the
 * prevalences ({@link matchBiases}).
 *
 * Edge rules have no direction here. A forbidden pair has the coupling 0: its concepts are independent given all others. A
 * required pair is an edge whatever its interval is, and {@link matchBiases} does not weaken its coupling.
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

/** The evidence of the anchors on every pair of concepts: a network of pairs is learned from lifts instead of moments. */
export interface Lifts {
  readonly prevalence: Float64Array
  readonly falseAnchors: 'noise' | 'related'
  /** The pairs that are neither forbidden nor of one exclusive group. */
  readonly pairs: readonly (AnchorPair & LiftPosterior)[]
  /** One factor per concept; a coupling is multiplied by the factors of both its concepts. */
  readonly weights: readonly number[]
  readonly slope: number
  readonly ruleCounts: RuleCounts
  readonly certificate: MomentCertificate
}

/** Line 1 of Algorithm 1 for pairs: computes the posterior of the lift of each pair. */
export function recoverLifts(
  counts: Counts,
  rates: NoiseRates,
  falseAnchors: 'noise' | 'related',
  {edges = {}, resampled}: PairControl = {}
): Lifts {
  const prevalence = Float64Array.from(rates.prevalence)
  const similarity = resampled?.similarity ?? wordSimilarity(counts, prevalence)
  const {ruleOf, ruleCounts} = pairRules(edges, counts.lexicon)
  const {pairs, weights} = readPairs(counts, rates, falseAnchors, similarity, ruleOf)
  const {slope, posteriors, certificate} = fitLifts(pairs, resampled?.slope)
  const found = pairs.map((pair, p) => ({...pair, ...posteriors[p]}))
  return {prevalence, falseAnchors, pairs: found, weights, slope, ruleCounts, certificate}
}

/** Line 2 of Algorithm 1 for pairs: computes couplings from the lifts, and biases that keep the prevalences. */
export function networkFromLifts(lifts: Lifts, {resampled}: PairControl = {}): Omit<LearnedPairs, 'moments'> {
  const {prevalence, falseAnchors, pairs, weights, slope, ruleCounts} = lifts
  const m = prevalence.length
  const couplings = new Float64Array(m * m)
  const [low, high] = [couplings.slice().fill(1), couplings.slice().fill(1)]
  for (const {i, k, ...posterior} of pairs) {
    const coupling = (lift: number) =>
      weights[i] * weights[k] * log(oddsOfLift(prevalence[i], prevalence[k], lift, falseAnchors))
    couplings[i * m + k] = couplings[k * m + i] = coupling(posterior.lift)
    low[i * m + k] = low[k * m + i] = exp(coupling(posterior.low))
    high[i * m + k] = high[k * m + i] = exp(coupling(posterior.high))
  }
  const required = pairs.filter(({isRequired}) => isRequired).map(({i, k}) => [i, k] as const)
  const learned = pairNetwork({prevalence, couplings, low, high, ...(required.length > 0 && {required})})
  const {network, factor, residual} = resampled
    ? {network: weakenCouplings(learned, resampled.share), factor: resampled.share, residual: Number.NaN}
    : matchBiases(learned)
  const certificate = {
    method: 'pairs',
    status: lifts.certificate.status,
    couplings: pairs.length,
    edges: networkEdges(network).length,
    ...ruleCounts,
    wordSlope: slope,
    couplingShare: factor,
    residual
  } as const
  return {network, certificate}
}

/** Counts the documents with both anchors of each pair; pairs that are forbidden or of one exclusive group are left out. */
function readPairs(
  counts: Counts,
  rates: NoiseRates,
  falseAnchors: 'noise' | 'related',
  similarity: Float64Array,
  ruleOf: (i: number, k: number) => PairRule | undefined
): {readonly pairs: AnchorPair[]; readonly weights: number[]} {
  const N = counts.documentCount
  const m = rates.prevalence.length
  const together = anchorPairCounts(counts)
  const firing = Float64Array.from({length: m}, (_, i) => together[i * m + i] / N)
  // P(A_i A_k) = a_i a_k + d_i d_k p_i p_k (lift - 1) with a = P(A = 1) and d = t - e, so d p / a is the share of true firings.
  const trueShares = firing.map((a, i) => {
    const difference = rates.truePositive[i] - rates.falsePositive[i]
    return a > 0 ? Math.min(1, (difference * rates.prevalence[i]) / a) : 0
  })
  const isRelated = (i: number) => falseAnchors === 'related' && trueShares[i] > 0
  const shares = trueShares.map((share, i) => (isRelated(i) ? 1 : share))
  // Without this factor log P(tags) is lower on six of eight corpora, by up to .13 (npm-packages).
  const weights = anchorFacts(rates).map(({precision}, i) => (isRelated(i) ? Math.sqrt(precision) : 1))
  const pairs: AnchorPair[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const rule = ruleOf(i, k)
      // Classes of a group need no coupling, since predictions let them exclude each other; forbidden pairs have the coupling 0.
      if (rule === 'exclusive' || rule === 'forbidden') continue
      pairs.push({
        i,
        k,
        seen: Math.max(0, together[i * m + k]),
        expected: N * firing[i] * firing[k],
        trueShare: shares[i] * shares[k],
        // An anchor that is rarer with its concept than without occurs with the words of other concepts.
        similarity: Math.min(trueShares[i], trueShares[k]) > 0 ? similarity[i * m + k] : 0,
        isRequired: rule === 'required'
      })
    }
  return {pairs, weights}
}

/**
 * Returns the odds ratio of a pair with this lift. Where false anchors are noise, P(Y_i = Y_k = 1) is the lift times p_i p_k.
 * Where anchors and concepts have the same lift, P(Y_i=1 | Y_k=1) = 1 - (1 - p_i)^lift, or the same with i and k exchanged,
 * whichever gives the smaller P(Y_i = Y_k = 1). For rare concepts this is nearly lift p_i p_k; it never exceeds p_i or p_k.
 */
export function oddsOfLift(pi: number, pk: number, lift: number, falseAnchors: 'noise' | 'related'): number {
  if (lift === 1) return 1
  const lowest = Math.max(0, pi + pk - 1)
  const range = Math.min(pi, pk) - lowest
  const jointBy = (one: number, other: number) => other * (1 - exp(lift * log(1 - one)))
  const both = falseAnchors === 'noise' ? lift * pi * pk : Math.min(jointBy(pi, pk), jointBy(pk, pi))
  const kept = clamp(both, lowest + LOWER_MARGIN * range, lowest + (1 - UPPER_MARGIN) * range)
  return (kept * (1 - pi - pk + kept)) / ((pi - kept) * (pk - kept))
}

/** Returns the rule of each pair, without directions: edge rules, and exclusive groups. Contradictory rules are refused. */
export function pairRules(edges: NamedEdges, {anchors, skipped}: Pick<Lexicon, 'anchors' | 'skipped'>) {
  const cell = (i: number, k: number) => Math.min(i, k) * anchors.length + Math.max(i, k)
  const rules = new Map<number, PairRule>()
  for (const {concepts} of exclusiveGroups(anchors))
    for (const i of concepts) for (const k of concepts) rules.set(cell(i, k), 'exclusive')
  const ruleOf = (i: number, k: number) => rules.get(cell(i, k))
  if (!edges.require?.length && !edges.forbid?.length) return {ruleOf, ruleCounts: {} as RuleCounts}
  const names = anchors.map(({concept}) => concept)
  const skippedNames = skipped.map(({concept}) => concept)
  const {constraints, ignored} = numberEdges(edges, names, skippedNames)
  const refuse = (fault: string) => new AdfaError('bad-option', `edges: ${fault}`, {details: {option: 'edges'}})
  for (const rule of ['forbidden', 'required'] as const)
    for (const [i, k] of constraints[rule] ?? []) {
      const before = ruleOf(i, k)
      const edge = `edge "${names[i]}" - "${names[k]}"`
      if (before === 'forbidden' && rule === 'required')
        throw refuse(`${edge} is both required and forbidden; drop one of the two`)
      if (before === 'exclusive' && rule === 'required')
        throw refuse(`${edge} is required, but its concepts exclude each other; drop the rule, or the group`)
      if (before === undefined) rules.set(cell(i, k), rule)
    }
  const count = (rule: 'required' | 'forbidden') => [...rules.values()].filter(own => own === rule).length
  const ruleCounts = {requiredEdges: count('required'), forbiddenEdges: count('forbidden'), ignoredEdges: ignored}
  return {ruleOf, ruleCounts}
}
