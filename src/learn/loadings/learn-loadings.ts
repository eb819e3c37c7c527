import {AdfaError, checkOptions, oneOf, type Rule, type Rules, whole} from '../../base/checks/index.ts'
import {type BayesNetwork, networkEdges} from '../../base/network/index.ts'
import {type Rng, rng} from '../../base/numeric/index.ts'
import type {WordMoments, WordRatioCertificate, WordRatios} from '../moments/index.ts'
import {failureDirect, failureTree} from './failure.ts'
import {failureGraph, type GraphCertificate, type RecoverBlanket} from './failure-graph.ts'
import {failureNetwork, networkSums} from './failure-network.ts'
import {leaklessAbsence} from './leak.ts'
import {clipFailures, type Loadings, leaksOf} from './loadings.ts'

export interface LoadingOptions {
  /** The leak is at least this share of the word's frequency, so that no unexplained word vetoes a concept. */
  readonly leakFloor: number
  /** `network` uses the network estimator for trees and independent concepts, too. */
  readonly estimator: 'auto' | 'network'
  /**
   * Beyond trees: concepts with a Markov blanket of at most this many members use the blanket estimator, the others the network
   * estimator; 0, the default, leaves all to the network, which was more accurate at every size of blanket measured.
   */
  readonly blanketLimit: number
  /** For the draws that replace P(Y) where it is too wide for exact sums. */
  readonly seed: number
}

export const loadingDefaults: LoadingOptions = {leakFloor: 0.3, estimator: 'auto', blanketLimit: 0, seed: 0}

/** The moments of a blanket of 5 with 1,000 words take about 5 seconds; each further member, 8 times that. */
const LARGEST_BLANKET = 5
/** Of the gated estimator: beyond this many cells a pass through the junction tree takes longer than one over the draws. */
const GATED_TREE_LIMIT = 2 ** 12

const share: Rule = [value => typeof value === 'number' && value >= 0 && value < 1, 'a share in [0, 1)']
const loadingRules: Rules<LoadingOptions> = {
  leakFloor: share,
  estimator: oneOf('auto', 'network'),
  blanketLimit: whole(0, LARGEST_BLANKET)
}

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
  /** Links that passed the gate. */
  readonly gate?: WordRatioCertificate
  /** Of the network and blanket estimators. */
  readonly graph?: GraphCertificate
  /** Where P_{-l}(x0) is sampled: the number of draws and the largest standard error. */
  readonly leakSampling?: {readonly samples: number; readonly standardError: number}
}

/** The pairs of concepts whose moments with words `learnLoadings` needs: the edges of a forest, none for any other graph. */
export function loadingPairs(network: BayesNetwork): [number, number][] {
  return isForest(network) ? networkEdges(network) : []
}

/**
 * f and l of every word (Algorithm 1, line 3): the direct estimator (Eq. 7) for independent concepts, the tree estimator (Eq. 8)
 * for a forest, beyond that the network estimator or, within `blanketLimit`, the blanket estimator (Eq. 6), whose moments
 * come from `recoverBlanket`; then the leak from P-hat(x0) = (1 - l) P_{-l}(x0), so l = 1 - P-hat(x0) / P_{-l}(x0).
 * Differs from the paper: the printed leak has the ratio upside down, which is never positive; failures are kept in
 * [1e-3, 1] and leaks above `leakFloor` times the word's frequency, and the certificate counts every clip.
 */
export function learnLoadings(
  moments: WordMoments,
  network: BayesNetwork,
  options?: Partial<LoadingOptions>,
  recoverBlanket?: RecoverBlanket
): LearnedLoadings {
  const chosen = checkOptions('learnLoadings', loadingDefaults, loadingRules, options)
  const {leakFloor, estimator, blanketLimit, seed} = chosen
  const random = rng(seed)
  if (estimator === 'auto' && isForest(network)) {
    const failure = moments.edges.length === 0 ? failureDirect(moments) : failureTree(moments)
    const found = {failure, estimator: moments.edges.length === 0 ? 'direct' : 'tree'} as const
    return withLeaks(found, moments, network, {leakFloor, random})
  }
  const graphOptions = {blanketLimit, random: random.stream('failures')}
  const {failure, certificate: graph} = failureGraph(moments, network, graphOptions, recoverBlanket)
  const found = {failure, estimator: graph.blanketConcepts.length > 0 ? 'blanket' : 'network', graph} as const
  return withLeaks(found, moments, network, {leakFloor, random})
}

/**
 * f and l of every word (Algorithm 1, line 3) from ratios that are 1 wherever the counts cannot distinguish a word from one
 * independent of the concept (`recoverWordRatios`).
 *
 * The failures of a word are those under which P(Y) gives it its ratios ({@link failureNetwork}), so effects through neighbours
 * go to the neighbours. Then the leak, as in `learnLoadings`. `network` may be simpler than the one used to predict: a forest is
 * exact and fast, a wide network costs 20,000 draws.
 * Differs from the paper: one estimator for all graphs, from pairs of an anchor and a word only.
 */
export function learnGatedLoadings(
  words: WordRatios,
  network: BayesNetwork,
  options?: Partial<Pick<LoadingOptions, 'leakFloor' | 'seed'>>
): LearnedLoadings {
  const defaults = {leakFloor: loadingDefaults.leakFloor, seed: loadingDefaults.seed}
  const {leakFloor, seed} = checkOptions('learnGatedLoadings', defaults, {leakFloor: share}, options)
  const {conceptCount, wordCount, ratios, certificate: gate} = words
  if (network.parents.length !== conceptCount)
    throw new AdfaError(
      'mismatch',
      `learnGatedLoadings needs a network of the ${conceptCount} concepts of the words; got ${network.parents.length}`
    )
  const random = rng(seed)
  const {sums} = networkSums(network, random.stream('failures'), {treeLimit: GATED_TREE_LIMIT})
  const {failure} = failureNetwork(sums, ratios, wordCount)
  // Concepts that avoid each other leave small failures on links that the gate dropped.
  for (let at = 0; at < failure.length; at++) if (ratios[at] === 1) failure[at] = 1
  return withLeaks({failure, estimator: 'gated', gate}, words, network, {leakFloor, random})
}

type FoundFailures = {readonly failure: Float64Array} & Pick<LoadingCertificate, 'estimator' | 'gate' | 'graph'>

/** Clips the failures, in place, and adds the leaks and the certificate. */
function withLeaks(
  {failure, estimator, ...found}: FoundFailures,
  {conceptCount, wordCount, frequency}: Pick<WordMoments, 'conceptCount' | 'wordCount' | 'frequency'>,
  network: BayesNetwork,
  {leakFloor, random}: {readonly leakFloor: number; readonly random: Rng}
): LearnedLoadings {
  const clips = clipFailures(failure)
  const sums = leaklessAbsence(network, failure, wordCount, {random: random.stream('leak')})
  const {leak, leaksAtFloor} = leaksOf(frequency, sums.absence, leakFloor)
  const largestError = (errors: Float64Array) => errors.reduce((a, b) => Math.max(a, b), 0)
  const sampling = sums.method === 'sampled' && {
    leakSampling: {samples: sums.samples, standardError: largestError(sums.standardError)}
  }
  return {
    loadings: {conceptCount, wordCount, failure, leak},
    certificate: {estimator, failures: failure.length, ...clips, words: wordCount, leaksAtFloor, ...found, ...sampling}
  }
}

function isForest({parents}: BayesNetwork): boolean {
  return parents.every(list => list.length <= 1)
}
