import {AdfaError} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {exactTree, impossibleKnown, knownWeights} from './exact-tree.ts'

/**
 * P(Y_i = 1 | known) of every concept, exactly, by one propagation through the junction tree; `known` has 1 (present),
 * 0 (absent) or -1 (unknown) a concept. Refused for networks beyond {@link junctionTree}, and for what cannot be.
 */
export function networkMarginals(network: BayesNetwork, known?: ArrayLike<number>): Float64Array {
  const marginals = new Float64Array(network.parents.length)
  const weights = knownWeights(network, known)
  if (exactTree(network).propagate(weights, marginals) === Number.NEGATIVE_INFINITY) throw impossibleKnown()
  return marginals
}

/**
 * The exact joint table of distinct `variables`, the first the most significant bit, by one propagation through the
 * junction tree of their ancestors (nothing else bears on them); refused beyond tables of 21 concepts.
 */
export function networkTable(network: BayesNetwork, variables: readonly number[]): Float64Array {
  if (new Set(variables).size < variables.length || !variables.every(i => network.parents[i] !== undefined))
    throw new AdfaError(
      'mismatch',
      `networkTable: variables must be different concepts from 0 to ${network.parents.length - 1}; got ${variables.join(', ')}`
    )
  const {parents, cpt, place} = ancestors(network, variables)
  const together = variables.map(i => place[i])
  const tree = exactTree({parents, cpt}, together)
  tree.propagate(knownWeights({parents, cpt}, undefined), new Float64Array(parents.length))
  return tree.table(together)
}

/** The network of `variables` and all their ancestors, with new numbers; `place[i]` is the new number of i. */
function ancestors({parents, cpt}: BayesNetwork, variables: readonly number[]): BayesNetwork & {place: Int32Array} {
  const needed = new Set(variables)
  for (const i of needed) for (const parent of parents[i]) needed.add(parent)
  const kept = parents.flatMap((_, i) => (needed.has(i) ? [i] : []))
  const place = new Int32Array(parents.length).fill(-1)
  for (const [at, i] of kept.entries()) place[i] = at
  return {parents: kept.map(i => parents[i].map(k => place[k])), cpt: kept.map(i => cpt[i]), place}
}
