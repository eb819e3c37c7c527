import {clamp, mutualInformation} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {isPairNetwork, jointTable, type Network} from './pair-network.ts'

/** Rows of a table stay this far from 0 and 1. */
const ROW_FLOOR = 1e-5

/**
 * Returns a Bayesian network near a pair network, for formats and methods that need one; a Bayesian network is returned unchanged.
 *
 * Concepts are ordered from the most to the least common; the parents of each are the earlier concepts of greatest mutual
 * information, at most `limit`. The table of a concept and its parents has their singles and pairs and the greatest
 * entropy otherwise. Cost: O(m^2 + m k^2 2^k) for k parents.
 */
export function directedNetwork(network: Network, limit = 4): BayesNetwork {
  if (!isPairNetwork(network)) return network
  const {prevalence: p, couplings} = network
  const m = p.length
  const tableOf = (i: number, k: number) => jointTable(p[i], p[k], couplings[i * m + k])
  const order = Array.from(p, (_, i) => i).sort((i, k) => p[k] - p[i] || i - k)
  const parents: number[][] = order.map(() => [])
  order.forEach((k, place) => {
    parents[k] = order
      .slice(0, place)
      .filter(i => couplings[i * m + k] !== 0)
      .map(i => ({i, worth: mutualInformation(tableOf(i, k))}))
      .sort((a, b) => b.worth - a.worth || a.i - b.i)
      .slice(0, limit)
      .map(({i}) => i)
  })
  const cpt = parents.map((list, k) => {
    const family = [...list, k]
    const table = familyTable(
      family.map(i => p[i]),
      (a, b) => tableOf(family[a], family[b])
    )
    return Float64Array.from({length: table.length / 2}, (_, row) =>
      clamp(table[2 * row + 1] / (table[2 * row] + table[2 * row + 1]), ROW_FLOOR, 1 - ROW_FLOOR)
    )
  })
  return {parents, cpt}
}

/** Pairs that contradict each other have no table: the sweeps stop at a compromise, and more sweeps only sharpen it. */
const SWEEPS = 5
const TOLERANCE = 1e-9

/**
 * Returns the table of greatest entropy over a few binary variables with given singles and pairs, by iterative scaling; the first
 * variable is the most significant bit. Cost: O(k^2 2^k) per sweep for k variables.
 */
export function familyTable(
  singles: readonly number[],
  tableOf: (a: number, b: number) => readonly number[]
): Float64Array {
  const k = singles.length
  const table = new Float64Array(2 ** k)
  for (let cell = 0; cell < table.length; cell++)
    table[cell] = singles.reduce((product, p, a) => product * (bit(cell, k, a) === 1 ? p : 1 - p), 1)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let residual = 0
    for (let a = 0; a < k; a++)
      for (let b = a + 1; b < k; b++) residual = Math.max(residual, scalePair(table, k, [a, b], tableOf(a, b)))
    if (residual < TOLERANCE) break
  }
  return table
}

/** Scales a pair to its target table; returns the largest difference before. */
function scalePair(table: Float64Array, k: number, [a, b]: readonly [number, number], target: readonly number[]) {
  const found = [0, 0, 0, 0]
  const place = (cell: number) => 2 * bit(cell, k, a) + bit(cell, k, b)
  for (let cell = 0; cell < table.length; cell++) found[place(cell)] += table[cell]
  for (let cell = 0; cell < table.length; cell++) table[cell] *= target[place(cell)] / found[place(cell)]
  return found.reduce((most, share, at) => Math.max(most, Math.abs(share - target[at])), 0)
}

function bit(cell: number, k: number, a: number): number {
  return (cell >> (k - 1 - a)) & 1
}
