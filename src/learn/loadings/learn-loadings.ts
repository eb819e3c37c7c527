import {type BayesNetwork, networkEdges} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {BlanketMoments, WordMoments} from '../moments/index.ts'
import {
  clipFailure,
  FAILURE_FLOOR,
  failureBlanket,
  failureDirect,
  failureTree,
  type Loadings,
  markovBlanket
} from './failure.ts'
import {failureNetwork, type NetworkSums, networkSums} from './failure-network.ts'
import {leaklessAbsence, learnLeaks} from './leak.ts'

export interface LoadingOptions {
  /** The leak is at least this share of the word's frequency, so that no unexplained word vetoes a concept. */
  readonly leakFloor: number
  /** For the draws that replace P(Y) where it is too wide for exact sums. */
  readonly seed?: number
}

/** The floor of the preset `robust`: on eight corpora 0.3 predicts better than the paper's 0 (research/EXPERIMENTS.md). */
export const ROBUST_LEAK_FLOOR = 0.3

/** Larger Markov blankets need tables of too many cells: one of 3 takes 0.1 ms per word, each further member 8 times that. */
const BLANKET_LIMIT = 3

/** Recovers the moments of a concept and the members of its Markov blanket with every word. */
type RecoverBlanket = (concept: number, blanket: readonly number[]) => BlanketMoments

export interface LearnedLoadings {
  readonly loadings: Loadings
  readonly certificate: LoadingCertificate
}

/** How many estimates were clipped or undefined, out of `failures` or `words`. */
export interface LoadingCertificate {
  /** `blanket` where some concepts used their Markov blankets, see `graph`. */
  readonly estimator: 'direct' | 'tree' | 'network' | 'blanket' | 'gated'
  readonly failures: number
  /** Ratios above 1, clipped to 1: the concept seems to suppress the word, which a noisy-or cannot express. */
  readonly failuresAboveOne: number
  readonly failuresBelowFloor: number
  /** Ratios that do not exist since a conditioning event has probability 0; set to 1. */
  readonly failuresUndefined: number
  readonly words: number
  /** Leaks raised to the floor. */
  readonly leaksAtFloor: number
  /** Of gated links: which passed the gate. */
  readonly gate?: GateCertificate
  /**
   * Set for graphs that are not forests: the numbers of the concepts whose failures were estimated by Markov blankets, and the
   * residual of {@link failureNetwork} for the others.
   */
  readonly graph?: {readonly blanketConcepts: readonly number[]; readonly residual: number}
  /** The number of draws that stand for P(Y) where it is too wide for exact sums. */
  readonly samples?: number
}

export interface GateCertificate {
  readonly sigmas: number
  readonly ratios: number
  /** Ratios that are not 1. */
  readonly kept: number
  /** Ratios clipped to their bounds: no probability may be negative. */
  readonly clipped: number
}

/** The pairs of concepts whose moments with words `learnLoadings` needs: the edges of a forest, none for any other graph. */
export function loadingPairs(network: BayesNetwork): [number, number][] {
  return isForest(network) ? networkEdges(network) : []
}

/**
 * Learns f and l of every word (Algorithm 1, line 3): failures by the direct estimator (Eq. 7) for independent concepts, the tree
 * estimator (Eq. 8) for a forest, and the blanket estimator (Eq. 6) beyond, whose moments come from `recoverBlanket`; then leaks.
 * Differs from the paper: Markov blankets of more than 3 concepts are replaced by the whole network ({@link failureNetwork});
 * failures are kept in [1e-3, 1] and leaks above `leakFloor` times the word's frequency, and the certificate counts every clip.
 */
export function learnLoadings(
  moments: WordMoments,
  network: BayesNetwork,
  recoverBlanket: RecoverBlanket,
  {leakFloor, seed = 0}: LoadingOptions
): LearnedLoadings {
  const sums = networkSums(network, rng(seed).stream('failures'))
  const found: FoundFailures = !isForest(network)
    ? graphFailures(moments, network, sums, recoverBlanket)
    : moments.edges.length > 0
      ? {failure: failureTree(moments), estimator: 'tree'}
      : {failure: failureDirect(moments), estimator: 'direct'}
  return withLeaks(found, moments, {network, sums, leakFloor})
}

/** Failures, unclipped, and how they were estimated. */
export type FoundFailures = {readonly failure: Float64Array} & Pick<LoadingCertificate, 'estimator' | 'gate' | 'graph'>

/** Failures of concepts with small Markov blankets one by one, then the others by the network, with the first held fixed. */
function graphFailures(
  moments: WordMoments,
  {parents}: BayesNetwork,
  sums: NetworkSums,
  recoverBlanket: RecoverBlanket
): FoundFailures {
  const {conceptCount, wordCount} = moments
  const rows = new Map<number, Float64Array>()
  for (let i = 0; i < conceptCount; i++) {
    const blanket = markovBlanket(parents, i)
    if (blanket.length > BLANKET_LIMIT) continue
    rows.set(i, failureBlanket(recoverBlanket(i, blanket)))
  }
  const {failure, residual} = failureNetwork(sums, failureDirect(moments), wordCount, rows)
  const estimator = rows.size > 0 ? 'blanket' : 'network'
  return {failure, estimator, graph: {blanketConcepts: [...rows.keys()], residual}}
}

/** Clips the failures, and adds the leaks and the certificate. */
export function withLeaks(
  {failure: estimates, estimator, ...found}: FoundFailures,
  {conceptCount, wordCount, frequency}: Pick<WordMoments, 'conceptCount' | 'wordCount' | 'frequency'>,
  {network, sums, leakFloor}: {readonly network: BayesNetwork; readonly sums: NetworkSums; readonly leakFloor: number}
): LearnedLoadings {
  const count = (test: (f: number) => boolean) => estimates.filter(test).length
  const clips = {
    failuresAboveOne: count(f => f > 1),
    failuresBelowFloor: count(f => f < FAILURE_FLOOR),
    failuresUndefined: count(Number.isNaN)
  }
  const failure = estimates.map(clipFailure)
  const absence = leaklessAbsence(network, sums, failure, wordCount)
  const {leak, leaksAtFloor} = learnLeaks(frequency, absence, leakFloor)
  return {
    loadings: {conceptCount, wordCount, failure, leak},
    certificate: {
      estimator,
      failures: failure.length,
      ...clips,
      words: wordCount,
      leaksAtFloor,
      ...found,
      ...(sums.samples !== undefined && {samples: sums.samples})
    }
  }
}

function isForest({parents}: BayesNetwork): boolean {
  return parents.every(list => list.length <= 1)
}
