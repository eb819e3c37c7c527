import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {type BayesNetwork, networkEdges} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {WordMoments, WordRatioCertificate} from '../moments/index.ts'
import {clipFailures, leaksOf} from './clip-loadings.ts'
import {failureDirect, failureTree} from './failure.ts'
import {failureGraph, type GraphCertificate, type RecoverBlanket} from './failure-graph.ts'
import {leaklessAbsence} from './leak.ts'
import type {Loadings} from './loadings.ts'

export interface LoadingOptions {
  /** The leak is at least this share of the word's frequency, so that no unexplained word vetoes a concept. */
  readonly leakFloor: number
  /** `network` uses the network estimator for trees and independent concepts, too. */
  readonly estimator: 'auto' | 'network'
  /**
   * Beyond trees: concepts with a Markov blanket of at most so many members use the blanket estimator, the others that of
   * the network; 0, the default, leaves all to the network, which was the more accurate at every size of blanket measured.
   */
  readonly blanketLimit: number
  /** For the draws that stand for P(Y) where it is too wide for exact sums. */
  readonly seed: number
}

export const loadingDefaults: LoadingOptions = {leakFloor: 0.3, estimator: 'auto', blanketLimit: 0, seed: 0}

/** The moments of a blanket of 5 with 1,000 words take 5 seconds or so; one member more, 8 times that. */
const LARGEST_BLANKET = 5

export interface LearnedLoadings {
  readonly loadings: Loadings
  readonly certificate: LoadingCertificate
}

/** How often an estimate had to be clipped or could not be had; every number out of `failures` or `words`. */
export interface LoadingCertificate {
  /** `blanket` where some concepts used their Markov blankets, see `graph`. */
  readonly estimator: 'direct' | 'tree' | 'network' | 'blanket' | 'gated'
  readonly failures: number
  /** Ratios above 1, clipped to 1: the concept seems to suppress the word, which a noisy-or cannot say. */
  readonly failuresAboveOne: number
  readonly failuresBelowFloor: number
  /** Ratios that do not exist since a conditioning event has probability 0; set to 1. */
  readonly failuresUndefined: number
  readonly words: number
  /** Leaks raised to the floor. */
  readonly leaksAtFloor: number
  /** How many words the gate let speak. */
  readonly gate?: WordRatioCertificate
  /** Of the network and blanket estimators. */
  readonly graph?: GraphCertificate
  /** Where P_{-l}(x0) had to be sampled: from so many draws, with at most this standard error. */
  readonly leakSampling?: {readonly samples: number; readonly standardError: number}
}

/** The pairs of concepts whose moments with words learnLoadings needs: the edges of a forest, none of any other graph. */
export function loadingPairs(network: BayesNetwork): [number, number][] {
  return isForest(network) ? networkEdges(network) : []
}

/**
 * f and l of every word (Algorithm 1, line 3): the direct estimator (Eq. 7) for independent concepts, the tree estimator (Eq. 8)
 * for a forest, beyond that the network estimator or, within `blanketLimit`, that of Markov blankets (Eq. 6), whose moments
 * `recoverBlanket` gives; then the leak from P-hat(x0) = (1 - l) P_{-l}(x0), so l = 1 - P-hat(x0) / P_{-l}(x0).
 * Differs from the paper: the printed leak has the ratio upside down, which is never positive; failures are kept in
 * [1e-3, 1] and leaks above `leakFloor` times the word's frequency, and the certificate counts every clip.
 */
export function learnLoadings(
  moments: WordMoments,
  network: BayesNetwork,
  options?: Partial<LoadingOptions>,
  recoverBlanket?: RecoverBlanket
): LearnedLoadings {
  const {leakFloor, estimator, blanketLimit, seed} = checkOptions(options)
  const random = rng(seed)
  const {failure, ...method} =
    estimator === 'auto' && isForest(network)
      ? failureForest(moments)
      : failureAnyGraph(moments, network, {blanketLimit, random: random.stream('failures')}, recoverBlanket)
  const clips = clipFailures(failure)
  const sums = leaklessAbsence(network, failure, moments.wordCount, {random: random.stream('leak')})
  const {leak, leaksAtFloor} = leaksOf(moments.frequency, sums.absence, leakFloor)
  const {conceptCount, wordCount} = moments
  return {
    loadings: {conceptCount, wordCount, failure, leak},
    certificate: {
      estimator: method.estimator,
      failures: failure.length,
      ...clips,
      words: wordCount,
      leaksAtFloor,
      ...(method.graph && {graph: method.graph}),
      ...(sums.method === 'sampled' && {
        leakSampling: {samples: sums.samples, standardError: sums.standardError.reduce((a, b) => Math.max(a, b), 0)}
      })
    }
  }
}

function checkOptions(given: Partial<LoadingOptions> | undefined): LoadingOptions {
  const options = withDefaults('learnLoadings', loadingDefaults, given)
  const {leakFloor, estimator, blanketLimit} = options
  if (!(leakFloor >= 0 && leakFloor < 1))
    throw new AdfaError('bad-option', `leakFloor is a share in [0, 1); got ${leakFloor}`)
  if (estimator !== 'auto' && estimator !== 'network')
    throw new AdfaError('bad-option', `the estimator of loadings is auto or network; got ${JSON.stringify(estimator)}`)
  if (!Number.isInteger(blanketLimit) || blanketLimit < 0 || blanketLimit > LARGEST_BLANKET)
    throw new AdfaError(
      'bad-option',
      `blanketLimit is a whole number from 0 to ${LARGEST_BLANKET}; got ${blanketLimit}; larger blankets use the network estimator`
    )
  return options
}

function isForest({parents}: BayesNetwork): boolean {
  return parents.every(list => list.length <= 1)
}

interface FoundFailures {
  readonly failure: Float64Array
  readonly estimator: LoadingCertificate['estimator']
  readonly graph?: GraphCertificate
}

function failureForest(moments: WordMoments): FoundFailures {
  if (moments.edges.length === 0) return {failure: failureDirect(moments), estimator: 'direct'}
  return {failure: failureTree(moments), estimator: 'tree'}
}

function failureAnyGraph(...given: Parameters<typeof failureGraph>): FoundFailures {
  const {failure, certificate} = failureGraph(...given)
  return {failure, estimator: certificate.blanketConcepts.length > 0 ? 'blanket' : 'network', graph: certificate}
}
