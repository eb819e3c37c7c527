import fc from 'fast-check'
import {randomIndex, rng, shuffled} from '../numeric/index.ts'
import {type BayesNetwork, parentState} from './bayes-network.ts'

/**
 * Draws a network over `m` concepts, each with 0 to 3 parents of any index, so that the graph is often not connected. A share
 * `certain` of the probabilities is exactly 0 or 1.
 */
export function drawNetwork(m: number, seed: number, {certain = 0.1}: {readonly certain?: number} = {}): BayesNetwork {
  const random = rng(seed)
  const order = shuffled([...Array(m).keys()], random)
  const parents: number[][] = order.map(() => [])
  for (const [rank, i] of order.entries())
    parents[i] = shuffled(order.slice(0, rank), random).slice(0, randomIndex(random, 4))
  const chance = () => (random.next() < certain ? randomIndex(random, 2) : random.next())
  return {parents, cpt: parents.map(list => Float64Array.from({length: 2 ** list.length}, chance))}
}

/** Generates networks over up to 10 concepts, which are few enough to enumerate. */
export const sparseNetwork: fc.Arbitrary<BayesNetwork> = fc
  .record({m: fc.integer({min: 1, max: 10}), seed: fc.integer()})
  .map(({m, seed}) => drawNetwork(m, seed))

/** Yields each of the 2^m assignments with P(y) times the product of its weights. */
export function* weighedAssignments({parents, cpt}: BayesNetwork, weights?: ArrayLike<number>) {
  for (let state = 0; state < 2 ** parents.length; state++) {
    const y = Uint8Array.from(parents, (_, i) => (state >> i) & 1)
    let share = 1
    for (const [i, on] of y.entries()) {
      const p = cpt[i][parentState(parents[i], y)]
      share *= (on ? p : 1 - p) * (weights?.[2 * i + on] ?? 1)
    }
    yield {y, share}
  }
}

/** Returns the joint table of `variables` without normalising it; the first is the most significant bit. */
export function tableByEnumeration(
  network: BayesNetwork,
  variables: readonly number[],
  weights?: ArrayLike<number>
): Float64Array {
  const table = new Float64Array(2 ** variables.length)
  for (const {y, share} of weighedAssignments(network, weights)) table[parentState(variables, y)] += share
  return table
}

/** Returns the sum over all assignments, and for each concept the sum over those in which it is present. */
export function sumsByEnumeration(network: BayesNetwork, weights?: ArrayLike<number>) {
  let total = 0
  const present = new Float64Array(network.parents.length)
  for (const {y, share} of weighedAssignments(network, weights)) {
    total += share
    for (const [i, on] of y.entries()) if (on) present[i] += share
  }
  return {total, present}
}
