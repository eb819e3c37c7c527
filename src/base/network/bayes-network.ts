import {AdfaError} from '../checks/index.ts'
import {log} from '../numeric/index.ts'
import type {Parents} from './graph.ts'

/**
 * P(Y): a Bayesian network over binary variables, in adfa the concepts.
 *
 * `cpt[i][s] = P(Y_i = 1 | parents = s)`, where the first of `parents[i]` is the most significant bit of s. The graph has
 * no cycle. In learned networks every probability lies strictly between 0 and 1.
 */
export interface BayesNetwork {
  readonly parents: Parents
  readonly cpt: readonly Float64Array[]
}

/** P(Y_concepts) for concepts in ascending order, the first the most significant bit of the cell. */
export type ConceptTables = (concepts: readonly number[]) => ArrayLike<number>

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

/** All edges, ordered by child. */
export function networkEdges(network: BayesNetwork): [number, number][] {
  return network.parents.flatMap((list, child) => list.map((parent): [number, number] => [parent, child]))
}

/** Refuses names that are not one for each of `size` variables, distinct and non-empty. `owner` is the function that asks. */
export function checkNames(owner: string, size: number, names: readonly string[]): void {
  const refuse = (fault: string) => new AdfaError('mismatch', `${owner}: ${fault}`)
  if (names.length !== size) throw refuse(`${names.length} names for ${size} variables; give one for each`)
  const empty = names.indexOf('')
  if (empty >= 0) throw refuse(`variable ${empty} has an empty name; name it`)
  const seen = new Set<string>()
  const twice = names.find(name => seen.size === seen.add(name).size)
  if (twice !== undefined) throw refuse(`two variables are called "${twice}"; names must differ; rename one`)
}
