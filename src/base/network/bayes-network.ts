import {AdfaError} from '../checks/index.ts'
import {log, type Rng} from '../numeric/index.ts'
import {type Parents, topologicalOrder} from './graph.ts'

/**
 * P(Y) as a Bayesian network over binary variables, which are the concepts in adfa.
 *
 * `cpt[i][s]` is P(Y_i = 1 | parents = s), where the first of `parents[i]` is the most significant bit of s. The graph has no
 * cycle. In learned networks every probability lies strictly between 0 and 1.
 */
export interface BayesNetwork {
  readonly parents: Parents
  readonly cpt: readonly Float64Array[]
}

/** Returns the joint table of concepts in ascending order; the first is the most significant bit of a cell. */
export type ConceptTables = (concepts: readonly number[]) => ArrayLike<number>

/** Returns the configuration s of the parents in the assignment `y`: the index of its entry in `cpt[i]`. */
export function parentState(parents: readonly number[], y: ArrayLike<number>): number {
  let s = 0
  for (let at = 0; at < parents.length; at++) s = 2 * s + y[parents[at]]
  return s
}

/** Returns log P(y_i | parents of i). */
function logFamily({parents, cpt}: BayesNetwork, y: ArrayLike<number>, i: number): number {
  const p = cpt[i][parentState(parents[i], y)]
  return log(y[i] ? p : 1 - p)
}

/** Returns log P(y) of a full assignment. */
export function logPrior(network: BayesNetwork, y: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < network.parents.length; i++) sum += logFamily(network, y, i)
  return sum
}

/** Returns the log-odds of Y_i = 1 given the other values in `y`, which is unchanged afterwards. `children` lists those of i. */
export function priorLogOdds(
  network: BayesNetwork,
  children: readonly number[],
  y: Uint8Array | Int8Array,
  i: number
): number {
  const before = y[i]
  let logOdds = 0
  for (let value = 0; value <= 1; value++) {
    y[i] = value
    let sum = logFamily(network, y, i)
    for (const k of children) sum += logFamily(network, y, k)
    logOdds += value === 1 ? sum : -sum
  }
  y[i] = before
  return logOdds
}

/** Draws `count` independent assignments from P(Y), each in O(m + edges). Assignment r begins at r * m. */
export function sampleNetwork(network: BayesNetwork, count: number, random: Rng): Uint8Array {
  const m = network.parents.length
  const rows = new Uint8Array(count * m)
  const draw = forwardSampler(network, random)
  for (let row = 0; row < count; row++) draw(rows.subarray(row * m, (row + 1) * m))
  return rows
}

/** Returns a function that sets y to the next draw from P(Y), each variable after its parents. */
export function forwardSampler({parents, cpt}: BayesNetwork, random: Rng): (y: Uint8Array) => void {
  const order = topologicalOrder(parents)
  if (order === undefined) throw new AdfaError('bad-model', 'the network has a cycle; remove one of its edges')
  return y => {
    for (const i of order) y[i] = random.next() < cpt[i][parentState(parents[i], y)] ? 1 : 0
  }
}

/** Throws unless each of `size` variables has a distinct, non-empty name. The message begins with `owner`, the calling function. */
export function checkNames(owner: string, size: number, names: readonly string[]): void {
  const refuse = (fault: string) => new AdfaError('mismatch', `${owner}: ${fault}`)
  if (names.length !== size) throw refuse(`${names.length} names for ${size} variables; give one for each`)
  const empty = names.indexOf('')
  if (empty >= 0) throw refuse(`variable ${empty} has an empty name; name it`)
  const seen = new Set<string>()
  const twice = names.find(name => seen.size === seen.add(name).size)
  if (twice !== undefined) throw refuse(`two variables are called "${twice}"; names must differ; rename one`)
}
