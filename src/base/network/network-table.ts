import {AdfaError} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {eliminationOrder} from './elimination-order.ts'
import {type JunctionTree, junctionTree, largestSize, widestTable} from './junction-tree.ts'

/**
 * P(Y_i = 1 | known) of every variable, exactly, by one propagation through the junction tree; `known` has 1 (present),
 * 0 (absent) or -1 (unknown) per variable. Refuses networks beyond {@link junctionTree} and `known` of probability 0.
 */
export function networkMarginals(network: BayesNetwork, known?: ArrayLike<number>): Float64Array {
  const marginals = new Float64Array(network.parents.length)
  const weights = knownWeights(network, known)
  if (exactTree(network).propagate(weights, marginals) > Number.NEGATIVE_INFINITY) return marginals
  throw new AdfaError(
    'bad-option',
    'the known values have probability 0 in this network; check them, or the probabilities that are exactly 0 or 1'
  )
}

/**
 * The exact joint table of distinct `variables`, the first the most significant bit, by one propagation through the
 * junction tree of their ancestors (nothing else matters); refused beyond tables of 21 variables.
 */
export function networkTable(network: BayesNetwork, variables: readonly number[]): Float64Array {
  if (new Set(variables).size < variables.length || !variables.every(i => network.parents[i] !== undefined))
    throw new AdfaError(
      'mismatch',
      `networkTable: variables must be distinct numbers from 0 to ${network.parents.length - 1}; got ${variables.join(', ')}`
    )
  const {parents, cpt, place} = ancestors(network, variables)
  const together = variables.map(i => place[i])
  const tree = exactTree({parents, cpt}, together)
  tree.propagate(knownWeights({parents, cpt}), new Float64Array(parents.length))
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

/** The junction tree; throws when the network is too wide for one. */
export function exactTree(network: BayesNetwork, together: readonly number[] = []): JunctionTree {
  const tree = junctionTree(network, widestTable, together)
  if (tree !== undefined) return tree
  const {width, size} = eliminationOrder(network, together)
  throw new AdfaError(
    'bad-model',
    `exact sums over this network need tables of ${width + 1} variables, ${size.toExponential(1)} numbers in all; the limits ` +
      `are ${widestTable + 1} and ${largestSize.toExponential(1)}; sample instead (sampleNetwork), ask for fewer ` +
      'variables at once, or learn a network with fewer parents'
  )
}

/** Junction tree weights: 0 for values that `known` excludes, 1 for all others. */
export function knownWeights({parents}: BayesNetwork, known?: ArrayLike<number>): Float64Array {
  const weights = new Float64Array(2 * parents.length).fill(1)
  if (known === undefined) return weights
  const refusal = (fault: string) => new AdfaError('mismatch', fault)
  if (known.length !== parents.length)
    throw refusal(`known values must be one per variable; expected ${parents.length}, got ${known.length}`)
  for (let i = 0; i < parents.length; i++) {
    const value = known[i]
    if (value !== -1 && value !== 0 && value !== 1)
      throw refusal(`the known value of variable ${i} must be -1 (unknown), 0 (absent) or 1 (present); got ${value}`)
    if (value >= 0) weights[2 * i + 1 - value] = 0
  }
  return weights
}
