import {exp} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import type {ConceptTables} from './concept-tables.ts'
import {exactTree, knownWeights} from './exact-tree.ts'

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
