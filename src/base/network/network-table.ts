import {AdfaError} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {junctionTree} from './junction-tree.ts'

/** Returns the exact P(Y_i = 1) of every variable; throws if the {@link junctionTree} would be too large. */
export function networkMarginals(network: BayesNetwork): Float64Array {
  return propagateTree(network).marginals
}

/**
 * Returns the exact joint table of distinct `variables`, by one propagation through the junction tree of the variables and their
 * ancestors, on which alone it depends. The first variable is the most significant bit of a cell.
 */
export function networkTable(network: BayesNetwork, variables: readonly number[]): Float64Array {
  if (new Set(variables).size < variables.length || !variables.every(i => network.parents[i] !== undefined))
    throw new AdfaError(
      'mismatch',
      `networkTable: variables must be distinct numbers from 0 to ${network.parents.length - 1}; got ${variables.join(', ')}`
    )
  const ancestors = new Set(variables)
  for (const i of ancestors) for (const parent of network.parents[i]) ancestors.add(parent)
  const kept = [...ancestors].sort((i, k) => i - k)
  const newIndex = new Map(kept.map((i, at) => [i, at] as const))
  const renumbered = (list: readonly number[]) => list.map(i => newIndex.get(i) ?? -1)
  const subnetwork = {parents: kept.map(i => renumbered(network.parents[i])), cpt: kept.map(i => network.cpt[i])}
  return propagateTree(subnetwork, renumbered(variables)).tree.table(renumbered(variables))
}

/** Propagates through the junction tree of P(Y) without evidence, so that its tables can be read. */
export function propagateTree(network: BayesNetwork, together: readonly number[] = []) {
  const tree = junctionTree(network, {together})
  if (tree === undefined)
    throw new AdfaError(
      'bad-model',
      'exact sums over this network need tables of more than 2^24 numbers; sample instead (sampleNetwork), ask for fewer ' +
        'variables at once, or learn a network with fewer parents'
    )
  const marginals = new Float64Array(network.parents.length)
  tree.propagate(new Float64Array(2 * marginals.length).fill(1), marginals)
  return {tree, marginals}
}
