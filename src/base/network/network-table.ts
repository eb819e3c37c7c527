import {AdfaError} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {type JunctionTree, junctionTree} from './junction-tree.ts'

/** P(Y_i = 1) of every variable, exactly; refused where {@link junctionTree} would be too large. */
export function networkMarginals(network: BayesNetwork): Float64Array {
  const marginals = new Float64Array(network.parents.length)
  exactTree(network).propagate(new Float64Array(2 * marginals.length).fill(1), marginals)
  return marginals
}

/**
 * Returns the exact joint table of distinct `variables`, the first the most significant bit, by one propagation through the
 * junction tree of the variables and their ancestors, on which alone it depends.
 */
export function networkTable(network: BayesNetwork, variables: readonly number[]): Float64Array {
  if (new Set(variables).size < variables.length || !variables.every(i => network.parents[i] !== undefined))
    throw new AdfaError(
      'mismatch',
      `networkTable: variables must be distinct numbers from 0 to ${network.parents.length - 1}; got ${variables.join(', ')}`
    )
  const needed = new Set(variables)
  for (const i of needed) for (const parent of network.parents[i]) needed.add(parent)
  const kept = [...needed].sort((i, k) => i - k)
  const numberOf = new Map(kept.map((i, at) => [i, at] as const))
  const renumbered = (list: readonly number[]) => list.map(i => numberOf.get(i) ?? -1)
  const ancestors = {parents: kept.map(i => renumbered(network.parents[i])), cpt: kept.map(i => network.cpt[i])}
  return propagatedTree(ancestors, renumbered(variables)).table(renumbered(variables))
}

/** Returns the junction tree of P(Y) after a propagation without evidence: it can be asked for tables. */
export function propagatedTree(network: BayesNetwork, together: readonly number[] = []): JunctionTree {
  const tree = exactTree(network, together)
  tree.propagate(new Float64Array(2 * tree.conceptCount).fill(1), new Float64Array(tree.conceptCount))
  return tree
}

function exactTree(network: BayesNetwork, together: readonly number[] = []): JunctionTree {
  const tree = junctionTree(network, {together})
  if (tree !== undefined) return tree
  throw new AdfaError(
    'bad-model',
    'exact sums over this network need tables of more than 2^24 numbers; sample instead (sampleNetwork), ask for fewer ' +
      'variables at once, or learn a network with fewer parents'
  )
}
