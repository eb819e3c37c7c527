import {describe, expect, test} from 'vitest'
import {
  type Golden,
  type GoldenRecovered,
  goldenNames,
  goldenRates,
  populationCounts,
  readGolden,
  sampleCounts,
  tableVariables
} from '../../../test/golden.ts'
import {goldenProblem} from '../../../test/golden-problems.ts'
import {largestDifference} from '../../../test/tables.ts'
import {loadLinearSolver} from '../../base/linear/index.ts'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {anchorTable} from '../../read/counts/index.ts'
import {estimateNoise} from '../noise/index.ts'
import type {PolytopeName} from '../polytopes/index.ts'
import {CertificateSum} from './moments.ts'
import {describeMomentSolver, polytopes} from './recover-moments.contract.ts'
import {defaultGaps, recoverMoments} from './recover-moments.ts'
import {recoverTable} from './recover-table.ts'
import {solveByConditionalGradient} from './solve-by-conditional-gradient.ts'

describe.each(goldenNames)('recoverMoments on %s', name => {
  const golden = readGolden(name)
  const {sample, population, m} = golden
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, sample.pyFromSingles)

  test('anchorTable(...) of the sample reproduces the golden counts of up to three anchors', () => {
    const entries = Object.entries(sample.anchorCounts)
    expect(entries).toHaveLength(m === 4 ? 14 : 92)
    for (const [key, table] of entries) expect([...anchorTable(counts, tableVariables(key))]).toEqual(table)
  })

  test('estimateNoise(...) with given rates implies the golden prevalences', () => {
    const {prevalence, truePositive} = estimateNoise(counts, 'given')
    expect(largestDifference(prevalence, sample.pyFromSingles)).toBeLessThan(1e-12)
    expect([...truePositive]).toEqual(golden.truth.q1)
  })

  // 1e-7: the accuracy of the golden objectives.
  test.each([
    {shrinkage: 0, key: 'lambda=0.0'},
    {shrinkage: 0.01, key: 'lambda=0.01'}
  ] as const)(
    'recoverMoments(...) reaches the golden objective with shrinkage $shrinkage',
    async ({shrinkage, key}) => {
      const {certificate} = await recoverMoments(counts, noise, {shrinkage})
      expect(Math.abs(certificate.objective - sample.recovered[key].simplex.objective)).toBeLessThan(1e-7)
      expect(certificate.status).toBe('optimal')
      expect(certificate.gap).toBeLessThan(1e-10 * m * m)
    }
  )

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

  test.each([
    [{solver: 'exponentiated-gradient', polytope: 'local'}, "is for `polytope` 'simplex' and `divergence` 'kl'"],
    [{solver: 'exponentiated-gradient', divergence: 'l2'}, "is for `polytope` 'simplex' and `divergence` 'kl'"],
    [{correction: 'seen'}, "`correction` 'seen' is for `solver` 'conditional-gradient'"]
  ] as const)('recoverMoments(..., %j) is refused', async (options, message) => {
    await expect(() => recoverMoments(counts, noise, options)).rejects.toThrow(message)
  })

  // 1e-5: the accuracy of the golden tables, which at lambda = 0 is not good enough on the boundary to compare.
  test('recoverMoments(...) reproduces the golden singles and pairs with shrinkage 0.01', async () => {
    const moments = await recoverMoments(counts, noise, {shrinkage: 0.01})
    const {tables} = sample.recovered['lambda=0.01'].simplex
    expect(Object.keys(tables)).toHaveLength(m + (m * (m - 1)) / 2)
    for (const [key, table] of Object.entries(tables)) {
      const [i, k] = tableVariables(key)
      const recovered = k === undefined ? [1 - moments.single(i), moments.single(i)] : moments.pair(i, k)
      expect(largestDifference(recovered, table)).toBeLessThan(1e-5)
    }
  })

  test('recoverMoments(...) gives back the truth from exact anchor tables', async () => {
    const moments = await recoverMoments(populationCounts(golden), noise, {shrinkage: 0})
    for (const [key, table] of Object.entries(population.latentTables)) {
      const [i, k, more] = tableVariables(key)
      if (more !== undefined) continue
      const recovered = k === undefined ? [1 - moments.single(i), moments.single(i)] : moments.pair(i, k)
      expect(largestDifference(recovered, table)).toBeLessThan(1e-9)
    }
  })

  test('recoverMoments(...) is recoverTable(...) of every single and pair, certificate and all', async () => {
    const moments = await recoverMoments(counts, noise, {shrinkage: '3/N'})
    const total = new CertificateSum()
    for (let i = 0; i < m; i++) {
      const single = recoverTable(counts, noise, {concepts: [i]}, {shrinkage: '3/N'})
      total.add(single.certificate)
      expect(moments.single(i)).toBe(single.mu[1])
    }
    for (let i = 0; i < m; i++)
      for (let k = i + 1; k < m; k++) {
        const pair = recoverTable(counts, noise, {concepts: [i, k]}, {shrinkage: '3/N'})
        total.add(pair.certificate)
        expect(moments.pair(i, k)).toEqual(pair.mu)
      }
    const sum = total.result()
    expect(moments.certificate).toMatchObject({steps: sum.steps, status: sum.status, atoms: 0, cuts: 0})
    // The same sums in another order of additions.
    expect(Math.abs(moments.certificate.objective - sum.objective)).toBeLessThan(1e-13)
    expect(Math.abs(moments.certificate.gap - sum.gap)).toBeLessThan(1e-12)
    expect(moments).toMatchObject({conceptCount: m, sampleCount: sample.N})
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

  test('recoverMoments(...) with L2 is recoverTable(...) with L2', async () => {
    const moments = await recoverMoments(counts, noise, {divergence: 'l2', shrinkage: 0.05})
    const {mu} = recoverTable(counts, noise, {concepts: [0, 3]}, {divergence: 'l2', shrinkage: 0.05})
    expect(moments.pair(0, 3)).toEqual(mu)
  })

  test('recoverMoments(...) refuses an option it does not have, naming the nearest', async () => {
    await expect(() => recoverMoments(counts, noise, {shrinkag: 1} as object)).rejects.toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringMatching(/no option "shrinkag"; did you mean "shrinkage"/)
      })
    )
  })
})

describe.each(goldenNames)('recoverMoments over the polytopes, on %s', name => {
  const golden = readGolden(name)
  const {sample, m} = golden
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, sample.pyFromSingles)

  // 1e-7: the accuracy of the golden objectives.
  test.each(polytopes)('recoverMoments(...) over %s reaches the golden objective and certifies it', async polytope => {
    for (const shrinkage of [0, 0.01] as const) {
      const {certificate} = await recoverMoments(counts, noise, {polytope, shrinkage, gap: 1e-7})
      const golden = goldenProblem(name, shrinkage).optimum(polytope)
      expect(Math.abs(certificate.objective - golden)).toBeLessThan(1e-7)
      expect(certificate.gap).toBeLessThanOrEqual(1e-7)
      expect(certificate.status).toBe('optimal')
    }
  })

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

  test.each(polytopes)('recoverMoments(...) over %s by the two solvers agrees within their gaps', async polytope => {
    for (const divergence of ['kl', 'l2'] as const)
      for (const shrinkage of [0, 0.01, '10/N'] as const) {
        const [newton, published] = await Promise.all(
          (['newton', 'conditional-gradient'] as const).map(solver =>
            recoverMoments(counts, noise, {polytope, divergence, shrinkage, solver, gap: 1e-3})
          )
        )
        expect(newton.certificate.lowerBound).toBeLessThanOrEqual(published.certificate.objective)
        expect(published.certificate.lowerBound).toBeLessThanOrEqual(newton.certificate.objective)
      }
  })

  test('recoverMoments(...) with a shrinkage of 10/N is that with the number', async () => {
    const [named, number] = await Promise.all(
      (['10/N', 10 / sample.N] as const).map(shrinkage => recoverMoments(counts, noise, {polytope: 'local', shrinkage}))
    )
    expect(named.certificate).toEqual(number.certificate)
    expect(named.pair(0, 1)).toEqual(number.pair(0, 1))
  })

  test.each(polytopes)('recoverMoments(...) over %s keeps to the gap of its default', async polytope => {
    const {status, gap} = (await recoverMoments(counts, noise, {polytope})).certificate
    expect(status).toBe('optimal')
    expect(gap).toBeLessThanOrEqual(defaultGaps[polytope])
  })

  test('recoverMoments(...) of order 3 has triples that add up to its pairs, and order 1 has singles alone', async () => {
    const triples = await recoverMoments(counts, noise, {polytope: 'local', order: 3})
    expect(triples.certificate.status).toBe('optimal')
    const [a, b] = [triples.table([0, 1, 2]), triples.pair(0, 1)]
    b.forEach((cell, c) => {
      expect(Math.abs(a[2 * c] + a[2 * c + 1] - cell)).toBeLessThan(1e-12)
    })
    const singles = await recoverMoments(counts, noise, {polytope: 'marginal', order: 1})
    expect(singles.single(0)).toBe((await recoverMoments(counts, noise, {polytope: 'simplex', order: 1})).single(0))
    expect(() => singles.pair(0, 1)).toThrow(/order 1/)
  })
})

describe('recoverMoments as documents grow', () => {
  const golden = readGolden('m4')
  const few = 1000
  const many = 100_000

  // As in `src/learn/consistency.test.ts`: 8 replicates of some 20 numbers, correlated, know the rms to about 10%, which is 0.03 in the
  // slope over a factor of 100. Accepted: 0.15, five of them.
  test.each(polytopes)('recoverMoments(...) over %s has errors that fall like 1/sqrt(N)', async polytope => {
    const [atFew, atMany] = await Promise.all([few, many].map(documents => rmsError(golden, polytope, documents, 8)))
    const slope = Math.log(atMany / atFew) / Math.log(many / few)
    expect(slope).toBeGreaterThan(-0.65)
    expect(slope).toBeLessThan(-0.35)
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
    [{polytope: 'cycle', order: 3}, /cycle polytope has moments of pairs only, got `order` 3; use the local polytope/],
    [{order: 4}, /`order` must be 1, 2 or 3; got 4/],
    [
      {solver: 'simplex'},
      /`solver` must be 'newton', 'conditional-gradient' or 'exponentiated-gradient'; got "simplex"/
    ],
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

/** The rms difference of all cells of pairs from the truth, over samples of this many documents. */
async function rmsError(
  golden: Golden,
  polytope: PolytopeName,
  documents: number,
  replicates: number
): Promise<number> {
  const population = populationCounts(golden)
  const squares: number[] = []
  for (let seed = 0; seed < replicates; seed++) {
    const counts = {
      ...population,
      documentCount: documents,
      patternDocuments: drawn(population.patternDocuments, documents, rng(seed))
    }
    const options = {polytope, shrinkage: '10/N', gap: 1e-6} as const
    const moments = await recoverMoments(counts, estimateNoise(counts, 'given'), options)
    for (const [key, table] of Object.entries(golden.population.latentTables)) {
      const [i, k, more] = tableVariables(key)
      if (k === undefined || more !== undefined) continue
      moments.pair(i, k).forEach((cell, c) => {
        squares.push((cell - table[c]) ** 2)
      })
    }
  }
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
}

/** How often each pattern comes up in so many documents. */
function drawn(shares: Float64Array, documents: number, random: Rng): Float64Array {
  const counts = new Float64Array(shares.length)
  for (let n = 0; n < documents; n++) {
    let left = random.next()
    let pattern = 0
    while (pattern < shares.length - 1 && left >= shares[pattern]) left -= shares[pattern++]
    counts[pattern]++
  }
  return counts
}

describe('CertificateSum', () => {
  test('CertificateSum.result() adds up and is optimal only when every part is', () => {
    const part = {objective: 1, gap: 0.5, steps: 3, status: 'optimal'} as const
    const total = new CertificateSum()
    expect(total.result()).toEqual({objective: 0, gap: 0, steps: 0, status: 'optimal'})
    total.add({...part, status: 'step-limit'})
    total.add(part)
    expect(total.result()).toEqual({objective: 2, gap: 1, steps: 6, status: 'step-limit'})
  })
})

describeMomentSolver({
  name: 'solveByConditionalGradient',
  load: async () => (problem, polytope, rule) => solveByConditionalGradient(problem, polytope, rule, loadLinearSolver),
  gap: 1e-4,
  goldenGap: 1e-4
})
