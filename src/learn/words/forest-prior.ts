import {type BayesNetwork, maximumSpanningTree} from '../../base/network/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {pairInformation, shrunkenCovariances} from './pair-covariances.ts'

/**
 * P(Y) as the forest of greatest mutual information, from the pairs of anchors alone.
 *
 * The covariance delta = Cov(A_i, A_k) g_i g_k / (d_i d_k) of a pair, d = t - e, g = min(1, p d / P(A)), is shrunk by its
 * standard error to delta max(0, 1 - SE^2 / delta^2). g treats false anchors as signs of related concepts, as one-sided
 * rates do. p_i p_k + delta, kept inside its table, is P(Y_i = Y_k = 1); edges without information are left out.
 *
 * Cost: O(patterns + m^2), closed form. Differs from the paper, which solves for all moments jointly: pairs of a forest
 * need not agree beyond their singles, and shrinking each pair works better on real text (docs/words.md).
 */
export function forestPrior(counts: Counts, rates: NoiseRates): BayesNetwork {
  const m = counts.lexicon.anchors.length
  const covariances = shrunkenCovariances(counts, rates)
  const p = rates.prevalence
  const worth = pairInformation(covariances, p)
  const {parent: found} = maximumSpanningTree(m, (i, k) => worth[i * m + k], {above: 0})
  const parents = Array.from(found, i => (i < 0 ? [] : [i]))
  return {
    parents,
    cpt: parents.map(([parent], k) => {
      if (parent === undefined) return Float64Array.of(p[k])
      const delta = covariances[parent * m + k]
      return Float64Array.of(p[k] - delta / (1 - p[parent]), p[k] + delta / p[parent])
    })
  }
}
