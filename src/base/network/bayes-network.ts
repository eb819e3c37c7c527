import {AdfaError} from '../checks/index.ts'
import {log} from '../numeric/index.ts'

/** An edge, parent first. */
export type Edge = readonly [parent: number, child: number]

/**
 * P(Y): a Bayesian network over the concepts.
 *
 * `parents[i]` lists the parents of concept i; `cpt[i][s] = P(Y_i = 1 | parents = s)`, where the first parent is the most
 * significant bit of s. The graph has no cycle, and every probability lies strictly between 0 and 1.
 */
export interface BayesNetwork {
  readonly parents: readonly (readonly number[])[]
  readonly cpt: readonly Float64Array[]
}

/** The index s of the row of `cpt[i]` that the assignment `y` selects. */
export function parentState(parents: readonly number[], y: ArrayLike<number>): number {
  let s = 0
  for (let at = 0; at < parents.length; at++) s = 2 * s + y[parents[at]]
  return s
}

/** log P(y) of a full assignment. */
export function logPrior(network: BayesNetwork, y: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < network.parents.length; i++) {
    const p = network.cpt[i][parentState(network.parents[i], y)]
    sum += log(y[i] ? p : 1 - p)
  }
  return sum
}

/** An order in which every parent stands before its children, or undefined when the graph has a cycle. */
export function topologicalOrder(parents: readonly (readonly number[])[]): number[] | undefined {
  const waiting = parents.map(list => list.length)
  const children: number[][] = parents.map(() => [])
  parents.forEach((list, child) => {
    for (const parent of list) children[parent].push(child)
  })
  const order = parents.map((_, i) => i).filter(i => waiting[i] === 0)
  for (let at = 0; at < order.length; at++)
    for (const child of children[order[at]]) if (--waiting[child] === 0) order.push(child)
  return order.length === parents.length ? order : undefined
}

/** The edges parent -> child, in the order of the children. */
export function networkEdges(network: BayesNetwork): [number, number][] {
  return network.parents.flatMap((list, child) => list.map((parent): [number, number] => [parent, child]))
}

/** Refuses names that are not one for each concept, all different and not empty. `owner` is the function that asks. */
export function checkNames(owner: string, network: BayesNetwork, names: readonly string[]): void {
  const m = network.parents.length
  if (names.length !== m)
    throw new AdfaError('mismatch', `${owner}: ${names.length} names for ${m} concepts; give one for each`)
  const empty = names.indexOf('')
  if (empty >= 0) throw new AdfaError('mismatch', `${owner}: concept ${empty} has an empty name; name it`)
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name))
      throw new AdfaError('mismatch', `${owner}: two concepts are called "${name}"; names must differ; rename one`)
    seen.add(name)
  }
}

/** P(Y_concepts) of rising concepts, the first the most significant bit of the cell. */
export type ConceptTables = (concepts: readonly number[]) => ArrayLike<number>
