import {checkOptions, whole} from '../../base/checks/index.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import {clamp} from '../../base/numeric/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {pairInformation, pairTable, shrunkenCovariances} from './pair-covariances.ts'

export interface PairPriorOptions {
  /** The most parents of a concept. */
  readonly parents: number
}

export const pairPriorDefaults: PairPriorOptions = {parents: 4}

/** Tables double with every parent, and so does the cost of a message. */
const MOST_PARENTS = 8
/** Rows of a table stay this far from 0 and 1. */
const ROW_FLOOR = 1e-5

/**
 * P(Y) from the pairs of anchors, with more pairs than a forest can hold.
 *
 * Concepts are ordered from the most to the least common; the parents of each are the earlier concepts of greatest mutual
 * information by {@link shrunkenCovariances}. The table of a concept and its parents has their singles and pairs and the
 * greatest entropy otherwise ({@link familyTable}). With one parent: the pairs themselves, as in `forestPrior`.
 *
 * A document shows two or three concepts; the path between two that are not neighbours in a forest passes little on, while
 * their own pair was counted. Cost: O(patterns + m^2 + m k^2 2^k). Its junction tree is wide: inference passes messages.
 */
export function pairPrior(counts: Counts, rates: NoiseRates, options?: Partial<PairPriorOptions>): BayesNetwork {
  const rules = {parents: whole(0, MOST_PARENTS)}
  const {parents: limit} = checkOptions('pairPrior', pairPriorDefaults, rules, options)
  const p = rates.prevalence
  const m = p.length
  const covariances = shrunkenCovariances(counts, rates)
  const worth = pairInformation(covariances, p)
  const order = Array.from(p, (_, i) => i).sort((i, k) => p[k] - p[i] || i - k)
  const parents: number[][] = order.map(() => [])
  order.forEach((k, place) => {
    parents[k] = order
      .slice(0, place)
      .filter(i => worth[i * m + k] > 0)
      .sort((i, j) => worth[j * m + k] - worth[i * m + k] || i - j)
      .slice(0, limit)
  })
  return {
    parents,
    cpt: parents.map((list, k) => {
      const family = [...list, k]
      const {table} = familyTable(
        family.map(i => p[i]),
        (a, b) => covariances[family[a] * m + family[b]]
      )
      return Float64Array.from({length: table.length / 2}, (_, row) =>
        clamp(table[2 * row + 1] / (table[2 * row] + table[2 * row + 1]), ROW_FLOOR, 1 - ROW_FLOOR)
      )
    })
  }
}

/** Contradictory pairs have no table: the sweeps stop at a compromise, and more sweeps only sharpen it. */
const SWEEPS = 5
const TOLERANCE = 1e-9

interface FamilyTable {
  /** P(y), the first variable's bit most significant. */
  readonly table: Float64Array
  /** The largest difference from a wanted pair when the last sweep began. */
  readonly residual: number
}

/**
 * The table of greatest entropy over a few binary variables with given singles and pairs, by iterative scaling:
 * log P(y) has a term for each variable and each pair and no other, so the last variable given the others is a logistic
 * regression on them. Cost: O(k^2 2^k) per sweep for k variables.
 */
export function familyTable(singles: readonly number[], covariance: (a: number, b: number) => number): FamilyTable {
  const k = singles.length
  const table = new Float64Array(2 ** k)
  for (let cell = 0; cell < table.length; cell++)
    table[cell] = singles.reduce((product, p, a) => product * (bit(cell, k, a) === 1 ? p : 1 - p), 1)
  let residual = 0
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    residual = 0
    for (let a = 0; a < k; a++)
      for (let b = a + 1; b < k; b++) {
        const wanted = pairTable(singles[a], singles[b], covariance(a, b))
        residual = Math.max(residual, scalePair(table, k, [a, b], wanted))
      }
    if (residual < TOLERANCE) break
  }
  return {table, residual}
}

/** Scale the pair to its wanted table; returns the largest difference before. */
function scalePair(table: Float64Array, k: number, [a, b]: readonly [number, number], wanted: readonly number[]) {
  const found = [0, 0, 0, 0]
  const place = (cell: number) => 2 * bit(cell, k, a) + bit(cell, k, b)
  for (let cell = 0; cell < table.length; cell++) found[place(cell)] += table[cell]
  for (let cell = 0; cell < table.length; cell++) table[cell] *= wanted[place(cell)] / found[place(cell)]
  return found.reduce((most, share, at) => Math.max(most, Math.abs(share - wanted[at])), 0)
}

function bit(cell: number, k: number, a: number): number {
  return (cell >> (k - 1 - a)) & 1
}
