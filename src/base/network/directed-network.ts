import {clamp, mutualInformation} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {isPairNetwork, jointTable, type Network} from './pair-network.ts'

/** Conditional probabilities are kept this far from 0 and 1. */
const MIN_PROBABILITY = 1e-5

/**
 * Approximates a pair network by a Bayesian network, for formats and methods that need one; returns a Bayesian network unchanged.
 *
 * Concepts are ordered from the most to the least common. The parents of each are at most `maxParents` earlier concepts: those that
 * have the greatest mutual information with it. The table of a concept and its parents has the maximum entropy among all tables with
 * the same prevalences and tables of pairs. Cost: O(m^2 + m k^2 2^k) for k parents.
 */
export function directedNetwork(network: Network, maxParents = 4): BayesNetwork {
  if (!isPairNetwork(network)) return network
  const {prevalence: p, couplings} = network
  const m = p.length
  const tableOf = (i: number, k: number) => jointTable(p[i], p[k], couplings[i * m + k])
  const order = Array.from(p, (_, i) => i).sort((i, k) => p[k] - p[i] || i - k)
  const parents: number[][] = order.map(() => [])
  order.forEach((k, rank) => {
    parents[k] = order
      .slice(0, rank)
      .filter(i => couplings[i * m + k] !== 0)
      .map(i => ({i, information: mutualInformation(tableOf(i, k))}))
      .sort((a, b) => b.information - a.information || a.i - b.i)
      .slice(0, maxParents)
      .map(({i}) => i)
  })
  const cpt = parents.map((list, k) => {
    const family = [...list, k]
    const table = familyTable(
      family.map(i => p[i]),
      (a, b) => tableOf(family[a], family[b])
    )
    return Float64Array.from({length: table.length / 2}, (_, s) =>
      clamp(table[2 * s + 1] / (table[2 * s] + table[2 * s + 1]), MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    )
  })
  return {parents, cpt}
}

/** If tables of pairs contradict each other, scaling does not converge; a few sweeps then give a compromise between them. */
const SCALING_SWEEPS = 5
const TOLERANCE = 1e-9

/**
 * Returns the table of maximum entropy over k binary variables with these prevalences and tables of pairs, by iterative proportional
 * fitting in O(k^2 2^k) per sweep. The first variable is the most significant bit, also in the table P(Y_a, Y_b) of `tableOf(a, b)`.
 */
export function familyTable(
  prevalence: readonly number[],
  tableOf: (a: number, b: number) => readonly number[]
): Float64Array {
  const k = prevalence.length
  const table = new Float64Array(2 ** k)
  for (let cell = 0; cell < table.length; cell++)
    table[cell] = prevalence.reduce((product, p, a) => product * (bit(cell, k, a) === 1 ? p : 1 - p), 1)
  for (let sweep = 0; sweep < SCALING_SWEEPS; sweep++) {
    let residual = 0
    for (let a = 0; a < k; a++)
      for (let b = a + 1; b < k; b++) residual = Math.max(residual, scalePair(table, k, [a, b], tableOf(a, b)))
    if (residual < TOLERANCE) break
  }
  return table
}

/** Scales a table so that its marginal over a and b is `target`. Returns the largest difference between the two before scaling. */
function scalePair(table: Float64Array, k: number, [a, b]: readonly [number, number], target: readonly number[]) {
  const current = [0, 0, 0, 0]
  const pairCell = (cell: number) => 2 * bit(cell, k, a) + bit(cell, k, b)
  for (let cell = 0; cell < table.length; cell++) current[pairCell(cell)] += table[cell]
  for (let cell = 0; cell < table.length; cell++) table[cell] *= target[pairCell(cell)] / current[pairCell(cell)]
  return current.reduce((most, probability, at) => Math.max(most, Math.abs(probability - target[at])), 0)
}

/** Returns the value of variable a, of k, in a cell. */
function bit(cell: number, k: number, a: number): number {
  return (cell >> (k - 1 - a)) & 1
}
