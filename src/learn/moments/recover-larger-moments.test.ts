import fc from 'fast-check'
import {expect, test} from 'vitest'
import {goldenRates, readGolden, sampleCounts} from '../../../test/golden.ts'
import {largestDifference, randomTable} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import type {PolytopeName} from '../polytopes/index.ts'
import {permuteTable} from './moments.ts'
import {fitMargins, recoverLargerMoments} from './recover-larger-moments.ts'
import {recoverMoments} from './recover-moments.ts'
import {recoverTable} from './recover-table.ts'

const golden = readGolden('m8')
const counts = sampleCounts(golden)
const noise = goldenRates(golden, golden.sample.pyFromSingles)
const options = {shrinkage: 0.01, divergence: 'kl'} as const
const pairs = await recoverMoments(counts, noise, options)
const moments = await recoverLargerMoments(counts, noise, 2, {...options, polytope: 'simplex'})

test('recoverLargerMoments(...) recovers tables beyond the order alone, their concepts in whatever order is asked for', () => {
  const {mu} = recoverTable(counts, noise, {concepts: [1, 3, 4, 6]}, options)
  expect(moments.table([1, 3, 4, 6])).toEqual(mu)
  expect(moments.table([6, 1, 4, 3])).toEqual(permuteTable(mu, [1, 3, 4, 6], [6, 1, 4, 3]))
})

test('recoverLargerMoments(...) has the moments of the order it needs, and gives fresh tables', async () => {
  expect(moments.table([5, 2])).toEqual(pairs.pair(5, 2))
  expect(moments.certificate).toEqual(pairs.certificate)
  const local = {...options, polytope: 'local'} as const
  const triples = await recoverMoments(counts, noise, {...local, order: 3})
  expect((await recoverLargerMoments(counts, noise, 4, local)).table([5, 0, 2])).toEqual(triples.table([5, 0, 2]))
  const before = moments.table([0, 1, 2])
  moments.table([0, 1, 2]).fill(9)
  expect(moments.table([0, 1, 2])).toEqual(before)
})

test('recoverLargerMoments(...) makes larger tables agree with smaller ones, but over the simplex', async () => {
  const sum = (table: Float64Array, keep: (cell: number) => boolean) =>
    table.reduce((total, share, cell) => (keep(cell) ? total + share : total), 0)
  const disagreement = async (polytope: PolytopeName) => {
    const {table} = await recoverLargerMoments(counts, noise, 3, {...options, polytope})
    // P(Y_0 = Y_2 = 1) from the table of five concepts, where they are the highest bit and the third, and from the pair's own.
    return Math.abs(sum(table([0, 1, 2, 4, 6]), cell => (cell & 20) === 20) - table([0, 2])[3])
  }
  // Pairs of a local polytope of order 3 need not be those of one table of five: 1e-4 is what is left after 50 sweeps.
  for (const polytope of ['local', 'cycle'] as const) expect(await disagreement(polytope)).toBeLessThan(1e-4)
  expect(await disagreement('simplex')).toBeGreaterThan(1e-3)
})

test('permuteTable(...) moves the bits of the cells', () => {
  expect([...permuteTable([0, 1, 2, 3, 4, 5, 6, 7], [4, 7, 9], [9, 4, 7])]).toEqual([0, 2, 4, 6, 1, 3, 5, 7])
})

/** The table without its k-th of `count` concepts. */
function marginWithout(table: ArrayLike<number>, k: number, count: number): number[] {
  const margin = new Array<number>(table.length / 2).fill(0)
  Array.from(table).forEach((share, cell) => {
    const bits = Array.from({length: count}, (_, at) => (cell >> (count - 1 - at)) & 1).toSpliced(k, 1)
    margin[bits.reduce((index, bit) => 2 * index + bit, 0)] += share
  })
  return margin
}

const marginsOf = (table: ArrayLike<number>, count: number) =>
  Array.from({length: count}, (_, k) => marginWithout(table, k, count))

test('fitMargins(...) gives a table its margins and keeps its interaction of all concepts', () => {
  fc.assert(
    fc.property(fc.constantFrom(2, 3, 4), fc.integer(), (count, seed) => {
      const random = rng(seed)
      // Cells of at least 1/4 of the mean, so that 50 sweeps reach the tolerance.
      const inside = () => Float64Array.from(randomTable(2 ** count, 0.75, random), share => share + 0.25 / 2 ** count)
      const [table, wanted] = [inside(), inside()]
      const before = interaction(table)
      fitMargins(table, marginsOf(wanted, count))
      marginsOf(table, count).forEach((margin, k) => {
        expect(largestDifference(margin, marginWithout(wanted, k, count))).toBeLessThan(1e-8)
      })
      // What proportional fitting cannot change: the product of cells with an even number of concepts over the others.
      expect(interaction(table)).toBeCloseTo(before, 9)
    })
  )
})

test('fitMargins(...) leaves a table that has its margins as it is, and cells of 0 at 0', () => {
  const table = Float64Array.of(0.5, 0, 0.3, 0.2)
  fitMargins(table, marginsOf([0.5, 0, 0.3, 0.2], 2))
  expect([...table]).toEqual([0.5, 0, 0.3, 0.2])
  const empty = Float64Array.of(0, 0, 0.6, 0.4)
  fitMargins(empty, [
    [0.5, 0.5],
    [0.2, 0.8]
  ])
  expect([...empty.subarray(0, 2)]).toEqual([0, 0])
  expect(empty.every(Number.isFinite)).toBe(true)
})

function interaction(table: Float64Array): number {
  return table.reduce((sum, share, cell) => {
    const ones = cell.toString(2).replaceAll('0', '').length
    return sum + (ones % 2 === 0 ? 1 : -1) * Math.log(share)
  }, 0)
}
