import {AdfaError} from '../numeric/index.ts'
import {type LatentNetwork, topologicalOrder} from './latent-network.ts'

/** P(Y_i = 1) of every concept, exactly: one {@link networkTable} each, O(m^2) in all on a shallow tree. */
export function networkMarginals(network: LatentNetwork): Float64Array {
  return Float64Array.from(network.parents, (_, i) => networkTable(network, [i])[1])
}

/** The widest table that {@link networkTable} will make: 2^20 numbers. */
const widestTable = 20

/**
 * The exact joint table of distinct `variables`, the first the most significant bit, by forward elimination over their
 * ancestors: each enters the table after its parents and is summed out after its last child.
 * Cost: O(w 2^w) an ancestor, w the most concepts in the table at once (on a tree about two for each of `variables`);
 * refused beyond w = 20.
 */
export function networkTable(network: LatentNetwork, variables: readonly number[]): Float64Array {
  const {parents, cpt} = network
  const order = topologicalOrder(parents)
  if (order === undefined) throw new AdfaError('bad-model', 'the network has a cycle; P(Y) needs a graph without one')
  const needed = new Set(variables)
  for (const i of [...order].reverse()) if (needed.has(i)) for (const parent of parents[i]) needed.add(parent)
  const todo = order.filter(i => needed.has(i))
  const lastUse = new Int32Array(parents.length).fill(-1)
  for (const [at, i] of todo.entries()) for (const parent of parents[i]) lastUse[parent] = at
  let live: number[] = []
  let table = Float64Array.of(1)
  for (const [at, i] of todo.entries()) {
    if (live.length === widestTable)
      throw new AdfaError('bad-model', `an exact table needs more than ${widestTable} concepts at once; sample instead`)
    table = withChild(table, live, parents[i], cpt[i])
    live.push(i)
    const keep = live.filter(k => variables.includes(k) || lastUse[k] > at)
    table = projected(table, live, keep)
    live = keep
  }
  return projected(table, live, variables)
}

/** P(live) times P(child | parents): a table over `live` and, as the least significant bit, the child. */
function withChild(table: Float64Array, live: readonly number[], parents: readonly number[], cpt: Float64Array) {
  const shifts = parents.map(parent => live.length - 1 - live.indexOf(parent))
  const next = new Float64Array(2 * table.length)
  for (let s = 0; s < table.length; s++) {
    let row = 0
    for (const shift of shifts) row = 2 * row + ((s >>> shift) & 1)
    next[2 * s] = table[s] * (1 - cpt[row])
    next[2 * s + 1] = table[s] * cpt[row]
  }
  return next
}

/** Sum a table over `live` down to the variables of `keep`, in their order. */
function projected(table: Float64Array, live: readonly number[], keep: readonly number[]) {
  const shifts = keep.map(k => live.length - 1 - live.indexOf(k))
  const next = new Float64Array(2 ** keep.length)
  for (let s = 0; s < table.length; s++) {
    let cell = 0
    for (const shift of shifts) cell = 2 * cell + ((s >>> shift) & 1)
    next[cell] += table[s]
  }
  return next
}
