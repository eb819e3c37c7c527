import {AdfaError} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {eliminationOrder} from './elimination-order.ts'
import {type JunctionTree, junctionTree, largestSize, widestTable} from './junction-tree.ts'

/** The junction tree, or a refusal. */
export function exactTree(network: BayesNetwork, together: readonly number[] = []): JunctionTree {
  const tree = junctionTree(network, widestTable, together)
  if (tree !== undefined) return tree
  const {width, size} = eliminationOrder(network, together)
  throw new AdfaError(
    'bad-model',
    `exact sums over this network need tables of ${width + 1} concepts, ${size.toExponential(1)} numbers in all; at most ` +
      `${widestTable + 1} and ${largestSize.toExponential(1)} can be; sample instead (sampleNetwork), ask for fewer ` +
      'concepts at once, or learn a network with fewer parents'
  )
}

/** Junction tree weights: 1 for what may be, 0 for what is known not to be. */
export function knownWeights({parents}: BayesNetwork, known: ArrayLike<number> | undefined): Float64Array {
  const weights = new Float64Array(2 * parents.length).fill(1)
  if (known === undefined) return weights
  if (known.length !== parents.length)
    throw new AdfaError(
      'mismatch',
      `known concepts must have one entry a concept; expected ${parents.length}, got ${known.length}`
    )
  for (let i = 0; i < parents.length; i++) {
    const value = known[i]
    if (value !== -1 && value !== 0 && value !== 1)
      throw new AdfaError(
        'mismatch',
        `the known value of concept ${i} must be -1 (unknown), 0 (absent) or 1 (present); got ${value}`
      )
    if (value >= 0) weights[2 * i + 1 - value] = 0
  }
  return weights
}

export function impossibleKnown(): AdfaError {
  return new AdfaError(
    'bad-option',
    'the known concepts have probability 0 in this network, and nothing follows from what cannot be; check which are known, ' +
      'or the probabilities of exactly 0 and 1'
  )
}
