import type {LinearSolver} from '../../src/base/linear/index.ts'
import {type BayesNetwork, type ConceptTables, isMarkovEquivalent, networkTable} from '../../src/base/network/index.ts'
import {mutualInformation} from '../../src/base/numeric/index.ts'
import {bicScores, searchExact} from '../../src/learn/structure/index.ts'
import {searchInteger} from '../../src/learn/structure/search-integer.ts'
import {bestByBruteForce, scoreOf} from '../../src/learn/structure/test-scores.ts'
import {compared} from './structure-recovery-measure.ts'
import type {KnownNetwork} from './structure-recovery-networks.ts'
import {projected} from './structure-recovery-sample.ts'

/** The best graph of BIC on the exact tables of a network. */
export interface ExactRow {
  readonly network: string
  readonly concepts: number
  readonly edges: number
  /** In the penalty. */
  readonly documents: number
  /** Graphs of the searches that are equivalent to the one of dynamic programming, or score the same to 1e-6. */
  readonly integer: boolean
  readonly bruteForce: boolean | undefined
  /** Is the best graph equivalent to the true one? */
  readonly right: boolean
  readonly missing: number
  readonly extra: number
  /** How much lower the true graph scores, in nats. */
  readonly behind: number
}

export function measureExact(
  {name, network, maxParents}: KnownNetwork,
  documents: number,
  solver: LinearSolver
): ExactRow {
  const {parents} = network
  const scores = bicScores(exactTables(network), parents.length, documents, {maxParents})
  const best = searchExact(scores)
  const integer = searchInteger(scores, solver)
  const equal = (score: number) => Math.abs(score - best.score) < 1e-6 * Math.abs(best.score)
  const {right, missing, extra} = compared(best.parents, parents)
  return {
    network: name,
    concepts: parents.length,
    edges: parents.reduce((sum, list) => sum + list.length, 0),
    documents,
    integer: integer.status === 'optimal' && equal(integer.score) && isMarkovEquivalent(integer.parents, best.parents),
    bruteForce: parents.length <= 5 ? equal(bestByBruteForce(scores)) : undefined,
    right,
    missing,
    extra,
    behind: best.score - trueScore(network, documents, maxParents)
  }
}

/** Unpruned: the true families may be beaten by smaller ones. */
function trueScore(network: BayesNetwork, documents: number, maxParents: number): number {
  const rising = network.parents.map(list => list.toSorted((a, b) => a - b))
  const admits = (child: number, parents: readonly number[]) => rising[child].join() === parents.join()
  return scoreOf(bicScores(exactTables(network), rising.length, documents, {maxParents, admits}), rising)
}

/** The smallest information that an edge has about its child, given the child's other parents, in nats. */
export function weakestEdge(network: BayesNetwork): number {
  const given = network.parents.flatMap((list, child) =>
    list.map(parent => {
      const others = list.filter(k => k !== parent)
      const table = networkTable(network, [...others, parent, child])
      let sum = 0
      for (let at = 0; at < table.length; at += 4) {
        const part = table.subarray(at, at + 4)
        const mass = part.reduce((total, cell) => total + cell, 0)
        if (mass > 0) sum += mass * mutualInformation(part.map(cell => cell / mass))
      }
      return sum
    })
  )
  return Math.min(...given)
}

/** The tables of a network of few concepts. */
function exactTables(network: BayesNetwork): ConceptTables {
  const joint = networkTable(network, [...network.parents.keys()])
  return concepts => projected(joint, concepts)
}
