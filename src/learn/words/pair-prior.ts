import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import {clamp, mutualInformation} from '../../base/numeric/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {shrunkenCovariances} from './pair-covariances.ts'

export interface PairPriorOptions {
  /** Parents of a concept, at most. */
  readonly parents: number
}

export const pairPriorDefaults: PairPriorOptions = {parents: 4}

/** Tables double with every parent, and so does the work of a message. */
const MOST_PARENTS = 8
/** No row of a table is surer than this. */
const ROW_FLOOR = 1e-5

/**
 * P(Y) from the pairs of anchors, with more of them than a forest can hold.
 *
 * Concepts are ordered from the commonest to the rarest; each has as parents those before it of greatest mutual information, by the
 * covariances that {@link shrunkenCovariances} leaves over. The table of a concept and its parents has the singles and all pairs among
 * them, and is otherwise as uncertain as can be ({@link familyTable}). One parent: the pairs themselves, as in `forestPrior`.
 *
 * Why: a document shows two or three concepts, and for two that are no neighbours in a forest its path lets little through, while their own
 * pair was counted. Cost: O(patterns + m^2 + m k^2 2^k), milliseconds. Its junction tree is wide: inference passes messages.
 */
export function pairPrior(counts: Counts, rates: NoiseRates, options?: Partial<PairPriorOptions>): BayesNetwork {
  const {parents: limit} = withDefaults('pairPrior', pairPriorDefaults, options)
  if (!(Number.isInteger(limit) && limit >= 0 && limit <= MOST_PARENTS))
    throw new AdfaError(
      'bad-option',
      `pairPrior option "parents" must be a whole number from 0 to ${MOST_PARENTS}; got ${limit}`
    )
  const p = rates.prevalence
  const m = p.length
  const covariances = shrunkenCovariances(counts, rates)
  const worth = covariances.map((delta, at) => (delta === 0 ? 0 : pairWorth(p[Math.floor(at / m)], p[at % m], delta)))
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

function pairWorth(pi: number, pk: number, delta: number): number {
  return mutualInformation([(1 - pi) * (1 - pk) + delta, (1 - pi) * pk - delta, pi * (1 - pk) - delta, pi * pk + delta])
}

/** Pairs that contradict each other have no table: the sweeps stop at a compromise, and more of them only sharpen it. */
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
 * regression on them. Cost: O(k^2 2^k) a sweep, k variables.
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
        const delta = covariance(a, b)
        const [p, q] = [singles[a], singles[b]]
        const wanted = [(1 - p) * (1 - q) + delta, (1 - p) * q - delta, p * (1 - q) - delta, p * q + delta]
        residual = Math.max(residual, scalePair(table, k, [a, b], wanted))
      }
    if (residual < TOLERANCE) break
  }
  return {table, residual}
}

/** Give the pair its wanted table; returns how far it was from it. */
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
