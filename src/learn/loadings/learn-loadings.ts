import {checkOptions, type Rules} from '../../base/checks/index.ts'
import {type BayesNetwork, networkEdges} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {BlanketMoments, TableCertificate, WordMoments} from '../moments/index.ts'
import {failureBlanket, failureDirect, failureTree, markovBlanket} from './failure.ts'
import {failureNetwork} from './failure-network.ts'
import {leaklessAbsence, learnLeaks} from './leak.ts'
import {clipFailure, clipFailures, type Loadings} from './loadings.ts'
import {type NetworkSums, networkSums} from './network-sums.ts'

export interface LoadingOptions {
  /** The leak is at least this share of the word's frequency, so that no unexplained word vetoes a concept. */
  readonly leakFloor: number
  /** For the draws that replace P(Y) where it is too wide for exact sums. */
  readonly seed: number
}

/** On eight corpora a floor of 0.3 predicts better than the paper's 0 (research/EXPERIMENTS.md). */
export const loadingDefaults: LoadingOptions = {leakFloor: 0.3, seed: 0}

/** Larger Markov blankets need tables of too many cells: one of 3 takes 0.1 ms per word, each further member 8 times that. */
const BLANKET_LIMIT = 3

const loadingRules: Rules<LoadingOptions> = {
  leakFloor: [value => typeof value === 'number' && value >= 0 && value < 1, 'a share in [0, 1)']
}

/** The moments of a concept and the members of its Markov blanket with every word. */
export type RecoverBlanket = (concept: number, blanket: readonly number[]) => BlanketMoments

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
  /** Of graphs that are not forests. */
  readonly graph?: GraphCertificate
  /** Where P_{-l}(x0) is sampled: the number of draws and the largest standard error. */
  readonly leakSampling?: {readonly samples: number; readonly standardError: number}
}

export interface GateCertificate {
  readonly sigmas: number
  readonly ratios: number
  /** Ratios that are not 1. */
  readonly kept: number
  /** Ratios clipped to their bounds: no probability may be negative. */
  readonly clipped: number
}

/** How the failures of a graph that is not a forest were estimated. */
export interface GraphCertificate {
  /** The concepts, by number, whose failures come from their Markov blankets. */
  readonly blanketConcepts: readonly number[]
  /** The certificates of the moments of these blankets, added up. */
  readonly blanketGap: number
  readonly blanketStatus: TableCertificate['status']
  /** The number of concepts whose failures come from the network as a whole. */
  readonly networkConcepts: number
  /** How sums over P(Y) were computed. */
  readonly sums: 'exact' | {readonly samples: number}
  readonly steps: number
  /** The largest relative change that a failure still wants. */
  readonly residual: number
  /** Words that stopped above a residual of 1e-10. */
  readonly wordsUnfinished: number
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
  options?: Partial<LoadingOptions>
): LearnedLoadings {
  const {leakFloor, seed} = checkOptions('learnLoadings', loadingDefaults, loadingRules, options)
  const sums = networkSums(network, rng(seed).stream('failures'))
  const found = isForest(network) ? forestFailures(moments) : graphFailures(moments, network, sums, recoverBlanket)
  return withLeaks(found, moments, {network, sums, leakFloor})
}

/** Failures, unclipped, and how they were estimated. */
export type FoundFailures = {readonly failure: Float64Array} & Pick<LoadingCertificate, 'estimator' | 'gate' | 'graph'>

function forestFailures(moments: WordMoments): FoundFailures {
  return moments.edges.length === 0
    ? {failure: failureDirect(moments), estimator: 'direct'}
    : {failure: failureTree(moments), estimator: 'tree'}
}

/** Failures of concepts with small Markov blankets one by one, then the others by the network, with the first held fixed. */
function graphFailures(
  moments: WordMoments,
  {parents}: BayesNetwork,
  sums: NetworkSums,
  recoverBlanket: RecoverBlanket
): FoundFailures {
  const {conceptCount: m, wordCount: n} = moments
  const rows = new Map<number, Float64Array>()
  let blanketGap = 0
  let blanketStatus: TableCertificate['status'] = 'optimal'
  for (let i = 0; i < m; i++) {
    const blanket = markovBlanket(parents, i)
    if (blanket.length > BLANKET_LIMIT) continue
    // The tables of a blanket are freed before the next.
    const blanketMoments = recoverBlanket(i, blanket)
    rows.set(i, failureBlanket(blanketMoments))
    blanketGap += blanketMoments.certificate.gap
    if (blanketMoments.certificate.status !== 'optimal') blanketStatus = blanketMoments.certificate.status
  }
  const fixed = new Map([...rows].map(([i, row]) => [i, row.map(clipFailure)]))
  const {failure, steps, residual, unfinished} = failureNetwork(sums, failureDirect(moments), n, fixed)
  for (const [i, row] of rows) failure.set(row, i * n)
  return {
    failure,
    estimator: rows.size > 0 ? 'blanket' : 'network',
    graph: {
      blanketConcepts: [...rows.keys()],
      blanketGap,
      blanketStatus,
      networkConcepts: m - rows.size,
      sums: sums.samples === undefined ? 'exact' : {samples: sums.samples},
      steps,
      residual,
      wordsUnfinished: unfinished
    }
  }
}

/** Clips the failures, in place, and adds the leaks and the certificate. */
export function withLeaks(
  {failure, estimator, ...found}: FoundFailures,
  {conceptCount, wordCount, frequency}: Pick<WordMoments, 'conceptCount' | 'wordCount' | 'frequency'>,
  {network, sums, leakFloor}: {readonly network: BayesNetwork; readonly sums: NetworkSums; readonly leakFloor: number}
): LearnedLoadings {
  const clips = clipFailures(failure)
  const {absence, sampling} = leaklessAbsence(network, sums, failure, wordCount)
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
      ...(sampling && {leakSampling: sampling})
    }
  }
}

function isForest({parents}: BayesNetwork): boolean {
  return parents.every(list => list.length <= 1)
}
