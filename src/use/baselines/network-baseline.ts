import {AdfaError} from '../../base/checks/index.ts'
import {type BayesNetwork, junctionTree, logPrior, networkMarginals} from '../../base/network/index.ts'
import {exp, logit} from '../../base/numeric/index.ts'
import {type Baseline, type BaselineCertificate, PREVALENCE_FLOOR, withoutGiven} from './baseline.ts'
import type {ConceptScores} from './classifier-baseline.ts'

/**
 * Classifiers in a network: P(y | x) is proportional to P(y) prod_i exp(y_i (z_i - logit p_i)), with z the log-odds that
 * the classifiers give and p the prevalences in the network, so that each classifier brings what the document adds.
 * Last tag: log P(y') + z_c - logit p_c, y' = the given tags and candidate c present, all others absent.
 *
 * What a document says of two neighbours is counted twice where both classifiers see the same words; the posterior is
 * then too sure. Cost: one propagation through the junction tree, or m priors for the last tag.
 */
export function networkBaseline(
  scores: ConceptScores,
  network: BayesNetwork,
  certificate: BaselineCertificate
): Baseline {
  const m = network.parents.length
  const tree = junctionTree(network)
  if (tree === undefined)
    throw new AdfaError('bad-model', 'the network is too wide for exact sums; give a baseline a tree')
  const base = networkMarginals(network).map(p => logit(p, PREVALENCE_FLOOR))
  const weights = new Float64Array(2 * m)
  const y = new Uint8Array(m)
  return {
    posterior(evidence) {
      const z = scores(evidence)
      for (let i = 0; i < m; i++) {
        const gain = z[i] - base[i]
        weights[2 * i] = gain > 0 ? exp(-gain) : 1
        weights[2 * i + 1] = gain > 0 ? 1 : exp(gain)
      }
      const marginals = new Float64Array(m)
      tree.propagate(weights, marginals)
      return marginals
    },
    lastTag(evidence, given) {
      const z = withoutGiven(scores(evidence), given)
      y.fill(0)
      for (const i of given) y[i] = 1
      for (let c = 0; c < m; c++) {
        if (y[c]) continue
        y[c] = 1
        z[c] += logPrior(network, y) - base[c]
        y[c] = 0
      }
      return z
    },
    logTags: tags => logPrior(network, tags),
    certificate
  }
}
