import {AdfaError} from '../checks/index.ts'
import {exp} from '../numeric/index.ts'
import type {BayesNetwork, ConceptTables} from './bayes-network.ts'
import {eliminationOrder} from './elimination-order.ts'
import {type JunctionTree, junctionTree, largestSize, widestTable} from './junction-tree.ts'

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

/**
 * The exact tables of a network, for who asks for many: P(Y_T) = P(all but the last) P(the last | those), and one propagation
 * through the junction tree for each setting of all but the last gives the last factor of every concept.
 *
 * What was found for the last set asked for is kept, so that sets in the order of a dictionary cost 2^(n-1) propagations
 * for each set of n - 1 concepts: in-degree 2 of 50 concepts takes 4,900.
 */
export function networkTables(network: BayesNetwork): ConceptTables {
  const m = network.parents.length
  const tree = exactTree(network)
  let given: readonly number[] | undefined
  let chances: {readonly mass: number; readonly marginals: Float64Array}[] = []

  function condition(concepts: readonly number[]): void {
    const known = new Int8Array(m).fill(-1)
    chances = Array.from({length: 2 ** concepts.length}, (_, setting) => {
      for (const [at, i] of concepts.entries()) known[i] = (setting >> (concepts.length - 1 - at)) & 1
      const marginals = new Float64Array(m)
      return {mass: exp(tree.propagate(knownWeights(network, known), marginals)), marginals}
    })
    given = concepts
  }

  return concepts => {
    const others = concepts.slice(0, -1)
    if (given?.join() !== others.join()) condition(others)
    const last = concepts[concepts.length - 1]
    // Marginals given what cannot be are not numbers.
    return Float64Array.from(
      chances.flatMap(({mass, marginals}) =>
        mass > 0 ? [mass * (1 - marginals[last]), mass * marginals[last]] : [0, 0]
      )
    )
  }
}

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
