import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  type GoldenRecovered,
  goldenNames,
  goldenRates,
  readGolden,
  sampleCounts,
  tableVariables
} from '../../../test/golden.ts'
import {largestDifference, randomTable} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import {anchorTable} from '../../read/counts/index.ts'
import type {PolytopeName} from './oracles.ts'
import {describeMomentSolver, polytopes} from './recover-moments.contract.ts'
import {defaultGaps, fitMargins, permuteTable, recoverMoments, solveMoments} from './recover-moments.ts'
import {recoverTable} from './table.ts'

describe.each(goldenNames)('recoverMoments on %s', name => {
  const golden = readGolden(name)
  const {sample, m} = golden
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, sample.pyFromSingles)

  test('anchorTable(...) of the sample reproduces the golden counts of up to three anchors', () => {
    const entries = Object.entries(sample.anchorCounts)
    expect(entries).toHaveLength(m === 4 ? 14 : 92)
    for (const [key, table] of entries) expect([...anchorTable(counts, tableVariables(key))]).toEqual(table)
  })

  test('recoverMoments(..., exponentiated-gradient) reaches the golden objective by the method of the paper', async () => {
    const {certificate} = await recoverMoments(counts, noise, {
      shrinkage: 0.01,
      solver: 'exponentiated-gradient',
      gap: 1e-6
    })
    const {objective} = sample.recovered['lambda=0.01'].simplex
    // Certified to the gap, beyond the accuracy of the golden objectives.
    expect(certificate).toMatchObject({status: 'optimal', atoms: 0})
    expect(certificate.gap).toBeLessThanOrEqual(1e-6)
    expect(certificate.objective - objective).toBeGreaterThan(-1e-7)
    expect(certificate.objective - objective).toBeLessThan(1e-6 + 1e-7)
    expect(certificate.steps).toBeGreaterThan(
      2 * (await recoverMoments(counts, noise, {shrinkage: 0.01})).certificate.steps
    )
  })
})

describe('recoverMoments', () => {
  const golden = readGolden('m4')
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)

  test('recoverMoments(...).pair(k, i) is the transpose of pair(i, k), fresh each time', async () => {
    const moments = await recoverMoments(counts, noise)
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < 4; k++) {
        if (i === k) continue
        const [p00, p01, p10, p11] = moments.pair(i, k)
        expect([...moments.pair(k, i)]).toEqual([p00, p10, p01, p11])
        moments.pair(i, k).fill(9)
        expect(moments.pair(i, k)[3]).toBe(p11)
      }
  })
})

describe.each(goldenNames)('recoverMoments over the polytopes, on %s', name => {
  const golden = readGolden(name)
  const {sample, m} = golden
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, sample.pyFromSingles)

  // 1e-5: the accuracy of the golden tables. A gap moves tables by about its root, so it has to be as small as rounding allows.
  test.each(polytopes)(
    'recoverMoments(...) over %s reproduces the golden singles and pairs with shrinkage 0.01',
    async polytope => {
      const found: Partial<Record<PolytopeName, GoldenRecovered>> = sample.recovered['lambda=0.01']
      const tables = Object.entries(found[polytope]?.tables ?? {})
      expect(tables).toHaveLength(m + (m * (m - 1)) / 2)
      const moments = await recoverMoments(counts, noise, {polytope, shrinkage: 0.01, gap: 1e-10})
      for (const [key, table] of tables) {
        const [i, k] = tableVariables(key)
        const recovered = k === undefined ? [1 - moments.single(i), moments.single(i)] : moments.pair(i, k)
        expect(largestDifference(recovered, table)).toBeLessThan(1e-5)
      }
    }
  )

  test.each(polytopes)('recoverMoments(...) over %s keeps to the gap of its default', async polytope => {
    const {status, gap} = (await recoverMoments(counts, noise, {polytope})).certificate
    expect(status).toBe('optimal')
    expect(gap).toBeLessThanOrEqual(defaultGaps[polytope])
  })
})

describe('recoverMoments, asked for what it does not do', () => {
  const golden = readGolden('m4')
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)

  test.each<[object, RegExp]>([
    [
      {polytope: 'cube'},
      /`polytope` must be 'simplex', 'local', 'cycle', 'marginal', or a polytope of your own; got "cube"/
    ],
    [{polytope: 'conditional-gradient'}, /`polytope` must be 'simplex', 'local', 'cycle', 'marginal'/],
    [{polytope: 'toString'}, /`polytope` must be 'simplex', 'local', 'cycle', 'marginal'/],
    [
      {solver: 'simplex'},
      /`solver` must be 'newton', 'conditional-gradient' or 'exponentiated-gradient'; got "simplex"/
    ],
    [{solver: 'exponentiated-gradient', polytope: 'local'}, /is for `polytope` 'simplex'/],
    [{gap: 0}, /`gap` must be a number above 0; got 0/],
    [{gap: -1}, /`gap` must be a number above 0; got -1/],
    [{gap: Number.NaN}, /`gap` must be a number above 0; got NaN/],
    [{stepLimit: -1}, /`stepLimit` must be a number from 0 to Infinity; got -1/],
    [{stepLimit: Number.NaN}, /`stepLimit` must be a number from 0 to Infinity; got NaN/],
    [{timeLimit: -1}, /`timeLimit` must be a number from 0 to Infinity; got -1/],
    [{timeLimit: 5}, /time limit needs a clock/]
  ])('recoverMoments(..., %o) is refused', async (options, message) => {
    await expect(() => recoverMoments(counts, noise, options)).rejects.toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(message)})
    )
  })
})

describeMomentSolver({
  name: 'solveMoments by newton',
  load: async () => (problem, polytope, rule) => solveMoments(problem, rule, {solver: 'newton', polytope, seed: 0}),
  gap: 1e-4,
  goldenGap: 1e-7
})

describeMomentSolver({
  name: 'solveMoments by conditional-gradient',
  load: async () => (problem, polytope, rule) =>
    solveMoments(problem, rule, {solver: 'conditional-gradient', polytope, seed: 0}),
  gap: 1e-4,
  goldenGap: 1e-4
})

describe('tables of three concepts or more', async () => {
  const golden = readGolden('m8')
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)
  const options = {shrinkage: 0.01, divergence: 'kl'} as const
  const simplex = await recoverMoments(counts, noise, options)
  const local = await recoverMoments(counts, noise, {...options, polytope: 'local'})

  test('table(...) over the simplex is recoverTable(...), its concepts in whatever order is asked for', () => {
    const {mu} = recoverTable(counts, noise, {concepts: [1, 3, 4, 6]}, options)
    expect(simplex.table([1, 3, 4, 6])).toEqual(mu)
    expect(simplex.table([6, 1, 4, 3])).toEqual(permuteTable(mu, [1, 3, 4, 6], [6, 1, 4, 3]))
    simplex.table([1, 3, 4, 6]).fill(9)
    expect(simplex.table([1, 3, 4, 6])).toEqual(mu)
  })

  test('table(...) agrees with the smaller tables, except over the simplex', () => {
    // P(Y_0 = Y_2 = 1) is the sum of two cells of a table of three, or a cell of the pair.
    const disagreement = ({table}: typeof local) =>
      Math.abs(table([0, 1, 2])[5] + table([0, 1, 2])[7] - table([0, 2])[3])
    // Pairs of the local polytope need not be those of one table of three: 1e-4 is left after 50 sweeps.
    expect(disagreement(local)).toBeLessThan(1e-4)
    expect(disagreement(simplex)).toBeGreaterThan(1e-4)
  })
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
      const [table, target] = [inside(), inside()]
      const before = interaction(table)
      fitMargins(table, marginsOf(target, count))
      marginsOf(table, count).forEach((margin, k) => {
        expect(largestDifference(margin, marginWithout(target, k, count))).toBeLessThan(1e-8)
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
