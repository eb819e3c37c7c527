import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {type BayesNetwork, eliminationOrder, junctionTree} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {WordRatios} from '../moments/index.ts'
import {clipFailures, leaksOf} from './clip-loadings.ts'
import {failureNetwork} from './failure-network.ts'
import {leaklessAbsence} from './leak.ts'
import {type LearnedLoadings, type LoadingOptions, loadingDefaults} from './learn-loadings.ts'
import {sampledSums} from './sampled-sums.ts'

export type GatedLoadingOptions = Pick<LoadingOptions, 'leakFloor' | 'seed'>

/** Beyond so many cells a pass through the junction tree takes longer than one over the draws. */
const TREE_LIMIT = 2 ** 12
const SAMPLES = 20_000

/**
 * f and l of every word (Algorithm 1, line 3) from ratios that are 1 wherever the counts cannot tell a word from one that has nothing
 * to do with the concept (`recoverWordRatios`).
 *
 * All failures of a word together are those under which P(Y) gives it its ratios ({@link failureNetwork}): what a concept says only
 * through its neighbours is theirs. Then the leak, as in `learnLoadings`. `network` may be simpler than the one that
 * predicts: a forest is exact and fast, a wide network costs 20,000 draws.
 * Differs from the paper: one estimator for all graphs, from pairs of an anchor and a word only.
 */
export function learnGatedLoadings(
  words: WordRatios,
  network: BayesNetwork,
  options?: Partial<GatedLoadingOptions>
): LearnedLoadings {
  const {leakFloor, seed} = withDefaults(
    'learnGatedLoadings',
    {leakFloor: loadingDefaults.leakFloor, seed: loadingDefaults.seed},
    options
  )
  if (!(leakFloor >= 0 && leakFloor < 1))
    throw new AdfaError('bad-option', `leakFloor is a share in [0, 1); got ${leakFloor}`)
  const {conceptCount, wordCount, frequency, ratios} = words
  if (network.parents.length !== conceptCount)
    throw new AdfaError(
      'mismatch',
      `learnGatedLoadings needs a network of the ${conceptCount} concepts of the words; got ${network.parents.length}`
    )
  const random = rng(seed)
  const tree = eliminationOrder(network).size <= TREE_LIMIT ? junctionTree(network) : undefined
  const {failure} = failureNetwork(tree ?? sampledSums(network, SAMPLES, random.stream('failures')), ratios, wordCount)
  // Concepts that avoid each other leave traces of failures to those that the gate silenced: these keep silent.
  for (let at = 0; at < failure.length; at++) if (ratios[at] === 1) failure[at] = 1
  const clips = clipFailures(failure)
  const sums = leaklessAbsence(network, failure, wordCount, {random: random.stream('leak')})
  const {leak, leaksAtFloor} = leaksOf(frequency, sums.absence, leakFloor)
  return {
    loadings: {conceptCount, wordCount, failure, leak},
    certificate: {
      estimator: 'gated',
      failures: failure.length,
      ...clips,
      words: wordCount,
      leaksAtFloor,
      gate: words.certificate,
      ...(sums.method === 'sampled' && {
        leakSampling: {samples: sums.samples, standardError: sums.standardError.reduce((a, b) => Math.max(a, b), 0)}
      })
    }
  }
}
