import {type BayesNetwork, maximumSpanningTree} from '../../base/network/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {pairInformation, shrunkenCovariances} from './pair-covariances.ts'

/**
 * P(Y) as the forest of greatest mutual information, from the pairs of anchors and nothing else.
 *
 * For each pair of concepts the covariance delta = Cov(A_i, A_k) g_i g_k / (d_i d_k), d = t - e, g = min(1, p d /
 * P(A)), is shrunk by its own standard error: delta max(0, 1 - SE^2 / delta^2), which is 0 within one standard error. g
 * takes anchors that fire falsely for signs of related concepts, as the one-sided rates of the noise room do. Then p_i
 * p_k + delta, kept inside its table, is P(Y_i = Y_k = 1), and edges that are worth nothing are left out, so that
 * unrelated concepts stay apart.
 *
 * Cost: O(patterns + m^2), closed form. Differs from the paper, which solves for all moments jointly: pairs of a forest
 * need not agree beyond their singles, and shrinking pair by pair is what real text rewards (docs/words.md).
 */
export function forestPrior(counts: Counts, rates: NoiseRates): BayesNetwork {
  const m = counts.lexicon.anchors.length
  const covariances = shrunkenCovariances(counts, rates)
  const p = rates.prevalence
  const worth = pairInformation(covariances, p)
  // Edges worth 0 are not edges.
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
