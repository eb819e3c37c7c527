import {AdfaError} from '../checks/index.ts'
import type {Rng} from '../numeric/index.ts'
import {type BayesNetwork, parentState, topologicalOrder} from './bayes-network.ts'
import {exactTree, impossibleKnown, knownWeights} from './network-table.ts'

/**
 * `count` independent draws from P(Y), or, where some concepts are `known` (1 present, 0 absent, -1 unknown), from
 * P(Y | known): no draw is rejected and none is approximate. Row r stands at r * m.
 *
 * Cost: O(m + edges) a draw by forward sampling. With `known` one upward pass of the junction tree, see
 * {@link junctionTree} for the width it can take, then O(m w) a draw, each concept after its separator.
 */
export function sampleNetwork(
  network: BayesNetwork,
  count: number,
  random: Rng,
  {known}: {readonly known?: ArrayLike<number> | undefined} = {}
): Uint8Array {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new AdfaError('bad-option', `sampleNetwork: count must be a whole number, 0 or more; got ${count}`)
  const m = network.parents.length
  const rows = new Uint8Array(count * m)
  const draw = known === undefined ? forwardSampler(network, random) : conditionalSampler(network, random, known)
  for (let row = 0; row < count; row++) draw(rows.subarray(row * m, (row + 1) * m))
  return rows
}

/** A function that fills y with the next draw from P(Y). */
export function forwardSampler({parents, cpt}: BayesNetwork, random: Rng): (y: Uint8Array) => void {
  const order = topologicalOrder(parents)
  if (order === undefined) throw new AdfaError('bad-model', 'the network has a cycle; P(Y) needs a graph without one')
  return y => {
    for (const i of order) y[i] = random.next() < cpt[i][parentState(parents[i], y)] ? 1 : 0
  }
}

function conditionalSampler(network: BayesNetwork, random: Rng, known: ArrayLike<number>): (y: Uint8Array) => void {
  const weights = knownWeights(network, known)
  const tree = exactTree(network)
  if (tree.logTotal(weights) === Number.NEGATIVE_INFINITY) throw impossibleKnown()
  return y => tree.draw(random, y)
}
