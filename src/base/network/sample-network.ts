import {AdfaError, badOption, whole} from '../checks/index.ts'
import type {Rng} from '../numeric/index.ts'
import {type BayesNetwork, parentState} from './bayes-network.ts'
import {topologicalOrder} from './graph.ts'
import {exactTree, impossibleKnown, knownWeights} from './network-table.ts'

/**
 * `count` independent draws from P(Y), or, where some variables are `known` (1 present, 0 absent, -1 unknown), from
 * P(Y | known). The draws are exact and none is rejected. Row r begins at r * m.
 *
 * Cost: O(m + edges) per draw by forward sampling. With `known`, one upward pass of the junction tree (see
 * {@link junctionTree} for its limits), then O(m w) per draw, each variable after its separator.
 */
export function sampleNetwork(
  network: BayesNetwork,
  count: number,
  random: Rng,
  {known}: {readonly known?: ArrayLike<number> | undefined} = {}
): Uint8Array {
  const [isWhole, rule] = whole(0)
  if (!isWhole(count)) throw badOption('sampleNetwork', 'count', rule, count)
  const m = network.parents.length
  const rows = new Uint8Array(count * m)
  const draw = known === undefined ? forwardSampler(network, random) : conditionalSampler(network, random, known)
  for (let row = 0; row < count; row++) draw(rows.subarray(row * m, (row + 1) * m))
  return rows
}

/** A function that fills y with the next draw from P(Y). */
export function forwardSampler({parents, cpt}: BayesNetwork, random: Rng): (y: Uint8Array) => void {
  const order = topologicalOrder(parents)
  if (order === undefined) throw new AdfaError('bad-model', 'the network has a cycle; remove one of its edges')
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
