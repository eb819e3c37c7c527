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
  /** A leak is at least this factor times the word's frequency, so that a word can occur without any concept that explains it. */
  readonly leakFloor: number
  /** The seed of the draws that replace P(Y) if it is too wide for exact sums. */
  readonly seed?: number
}

/** `leakFloor` of the preset `robust`: on eight corpora 0.3 predicts better than the paper's 0 (research/EXPERIMENTS.md). */
export const ROBUST_LEAK_FLOOR = 0.3

/** The most concepts of a Markov blanket for Eq. 6. Three take 0.1 ms per word, and each further one 8 times as long. */
const BLANKET_LIMIT = 3

/** Recovers the moments of every word with a concept and its Markov blanket. */
type RecoverBlanket = (concept: number, blanket: readonly number[]) => BlanketMoments

export interface LearnedLoadings {
  readonly loadings: Loadings
  readonly certificate: LoadingCertificate
}

/** How the failures were estimated, and how many of them and of the leaks were clipped or undefined. */
export interface LoadingCertificate {
  readonly estimator: 'direct' | 'tree' | 'network' | 'blanket' | 'gated'
  /** The number of failures, one for each concept and word. */
  readonly failures: number
  /** The number of estimates clipped to 1: the concept seems to suppress the word, which a noisy-or cannot express. */
  readonly failuresAboveOne: number
  readonly failuresBelowFloor: number
  /** The number of estimates set to 1 because they condition on an event of probability 0. */
  readonly failuresUndefined: number
  readonly words: number
  readonly leaksAtFloor: number
  /** Set if the estimator is 'gated'. */
  readonly gate?: GateCertificate
  /** The residual of {@link failureNetwork}, for graphs that are not forests and have large Markov blankets. */
  readonly graph?: {readonly residual: number}
  /** The number of draws that replace P(Y) if it is too wide for exact sums. */
  readonly samples?: number
}

/** How many ratios P(x0|y1) / P(x0|y0) passed a gate, which sets those that do not differ significantly from 1 to 1. */
export interface GateCertificate {
  /** The number of standard errors at which a ratio passes the gate. */
  readonly sigmas: number
  readonly ratios: number
  /** The number of ratios that are not 1. */
  readonly kept: number
  /** The number of ratios that were clipped, since a probability in them would have been negative. */
  readonly clipped: number
}

/** Lists the pairs of concepts whose moments with words `learnLoadings` needs: the edges of a forest, none for other graphs. */
export function loadingPairs(network: BayesNetwork): [number, number][] {
  return isForest(network) ? networkEdges(network) : []
}

/**
 * Learns the failures and leaks of every word (Algorithm 1, line 3). Failures come from the direct estimator (Eq. 7) for
 * independent concepts, the tree estimator (Eq. 8) for a forest, and the blanket estimator (Eq. 6) for other graphs.
 * Differs from the paper: if a Markov blanket has more than 3 concepts, the whole network is used ({@link failureNetwork}).
 * Failures are clipped to [1e-3, 1] and leaks at `leakFloor` times the word's frequency, and the certificate counts every clip.
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

/** Failures that are not clipped, and how they were estimated. */
export type FoundFailures = {readonly failure: Float64Array} & Pick<LoadingCertificate, 'estimator' | 'gate' | 'graph'>

/** Estimates failures by Markov blankets (Eq. 6) if all of them are small enough, and by the network if not. */
function graphFailures(
  moments: WordMoments,
  {parents}: BayesNetwork,
  sums: NetworkSums,
  recoverBlanket: RecoverBlanket
): FoundFailures {
  const {wordCount} = moments
  const blankets = parents.map((_, i) => markovBlanket(parents, i))
  if (blankets.some(({length}) => length > BLANKET_LIMIT)) {
    const {failure, residual} = failureNetwork(sums, failureDirect(moments), wordCount)
    return {failure, estimator: 'network', graph: {residual}}
  }
  const failure = new Float64Array(parents.length * wordCount)
  blankets.forEach((blanket, i) => {
    failure.set(failureBlanket(recoverBlanket(i, blanket)), i * wordCount)
  })
  return {failure, estimator: 'blanket'}
}

/** Clips the failures, computes the leaks by the clipped failures, and returns both with their certificate. */
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
