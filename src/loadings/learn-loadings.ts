import type {WordMoments} from '../moments/index.ts'
import {AdfaError, clamp, withDefaults} from '../numeric/index.ts'
import type {LatentNetwork} from '../structure/index.ts'
import {failureDirect, failureTree} from './failure.ts'
import {leaklessAbsence} from './leak.ts'
import type {Loadings} from './loadings.ts'

export interface LoadingOptions {
  /** The leak is at least this share of the word's frequency, so that no unexplained word vetoes a concept. */
  readonly leakFloor: number
}

export const loadingDefaults: LoadingOptions = {leakFloor: 0.3}

export interface LearnedLoadings {
  readonly loadings: Loadings
  readonly certificate: LoadingCertificate
}

/** How often an estimate had to be clipped or could not be had; every number out of `failures` or `words`. */
export interface LoadingCertificate {
  readonly estimator: 'direct' | 'tree'
  readonly failures: number
  /** Ratios above 1, clipped to 1: the concept seems to suppress the word, which a noisy-or cannot say. */
  readonly failuresAboveOne: number
  readonly failuresBelowFloor: number
  /** Ratios that do not exist since a conditioning event has probability 0; set to 1. */
  readonly failuresUndefined: number
  readonly words: number
  /** Leaks raised to the floor. */
  readonly leaksAtFloor: number
}

/** A failure below this would let one word alone decide a concept. */
const FAILURE_FLOOR = 1e-3
const LEAK_CEILING = 1 - 1e-6

/**
 * f and l of every word (Algorithm 1, line 3): the direct estimator (Eq. 7) for independent concepts, the tree
 * estimator (Eq. 8) for a forest, then the leak from P-hat(x0) = (1 - l) P_{-l}(x0), so l = 1 - P-hat(x0) / P_{-l}(x0).
 * Differs from the paper: the printed leak has the ratio upside down, which is never positive; failures are kept in
 * [1e-3, 1] and leaks above `leakFloor` times the word's frequency, and the certificate counts every clip.
 */
export function learnLoadings(
  moments: WordMoments,
  network: LatentNetwork,
  options?: Partial<LoadingOptions>
): LearnedLoadings {
  const {leakFloor} = withDefaults('learnLoadings', loadingDefaults, options)
  if (!(leakFloor >= 0 && leakFloor < 1))
    throw new AdfaError('bad-option', `leakFloor is a share in [0, 1); got ${leakFloor}`)
  const estimator = moments.edges.length > 0 ? 'tree' : 'direct'
  const {latentCount, wordCount, frequency} = moments
  const failure = estimator === 'tree' ? failureTree(moments) : failureDirect(moments)
  let failuresAboveOne = 0
  let failuresBelowFloor = 0
  let failuresUndefined = 0
  for (let at = 0; at < failure.length; at++) {
    if (Number.isNaN(failure[at])) failuresUndefined++
    else if (failure[at] > 1) failuresAboveOne++
    else if (failure[at] < FAILURE_FLOOR) failuresBelowFloor++
    failure[at] = Number.isNaN(failure[at]) ? 1 : clamp(failure[at], FAILURE_FLOOR, 1)
  }
  let leaksAtFloor = 0
  const leak = leaklessAbsence(network, failure, wordCount).map((absence, j) => {
    const free = 1 - (1 - frequency[j]) / absence
    const floor = leakFloor * frequency[j]
    if (free < floor) leaksAtFloor++
    return clamp(free, floor, LEAK_CEILING)
  })
  return {
    loadings: {latentCount, wordCount, failure, leak},
    certificate: {
      estimator,
      failures: failure.length,
      failuresAboveOne,
      failuresBelowFloor,
      failuresUndefined,
      words: wordCount,
      leaksAtFloor
    }
  }
}
