import {describe, expect, test} from 'vitest'
import {anchorTable} from '../counts/index.ts'
import {estimateNoise} from '../noise/index.ts'
import {goldenNames, goldenRates, populationCounts, readGolden, sampleCounts, tableVariables} from '../test-golden.ts'
import {CertificateSum} from './certificate-sum.ts'
import {recoverMoments} from './recover-moments.ts'
import {recoverTable} from './recover-table.ts'
import {largestDifference} from './test-tables.ts'

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
    {pull: 0, key: 'lambda=0.0'},
    {pull: 0.01, key: 'lambda=0.01'}
  ] as const)('recoverMoments(...) reaches the golden objective with pull $pull', ({pull, key}) => {
    const {certificate} = recoverMoments(counts, noise, {pull})
    expect(Math.abs(certificate.objective - sample.recovered[key].simplex.objective)).toBeLessThan(1e-7)
    expect(certificate.status).toBe('optimal')
    expect(certificate.gap).toBeLessThan(1e-10 * m * m)
  })

  // 1e-5: the accuracy of the golden tables, which at lambda = 0 is not good enough on the boundary to compare.
  test('recoverMoments(...) reproduces the golden singles and pairs with pull 0.01', () => {
    const moments = recoverMoments(counts, noise, {pull: 0.01})
    const {tables} = sample.recovered['lambda=0.01'].simplex
    expect(Object.keys(tables)).toHaveLength(m + (m * (m - 1)) / 2)
    for (const [key, table] of Object.entries(tables)) {
      const [i, k] = tableVariables(key)
      const recovered = k === undefined ? [1 - moments.single(i), moments.single(i)] : moments.pair(i, k)
      expect(largestDifference(recovered, table)).toBeLessThan(1e-5)
    }
  })

  test('recoverMoments(...) gives back the truth from exact anchor tables', () => {
    const moments = recoverMoments(populationCounts(golden), noise, {pull: 0})
    for (const [key, table] of Object.entries(population.latentTables)) {
      const [i, k, more] = tableVariables(key)
      if (more !== undefined) continue
      const recovered = k === undefined ? [1 - moments.single(i), moments.single(i)] : moments.pair(i, k)
      expect(largestDifference(recovered, table)).toBeLessThan(1e-9)
    }
  })

  test('recoverMoments(...) is recoverTable(...) of every single and pair, certificate and all', () => {
    const moments = recoverMoments(counts, noise, {pull: '3/N'})
    const total = new CertificateSum()
    for (let i = 0; i < m; i++) {
      const single = recoverTable(counts, noise, {latents: [i]}, {pull: '3/N'})
      total.add(single.certificate)
      expect(moments.single(i)).toBe(single.mu[1])
    }
    for (let i = 0; i < m; i++)
      for (let k = i + 1; k < m; k++) {
        const pair = recoverTable(counts, noise, {latents: [i, k]}, {pull: '3/N'})
        total.add(pair.certificate)
        expect(moments.pair(i, k)).toEqual(pair.mu)
      }
    const sum = total.result()
    expect(moments.certificate).toMatchObject({steps: sum.steps, status: sum.status, atoms: 0, cuts: 0})
    // The same sums in another order of additions.
    expect(Math.abs(moments.certificate.objective - sum.objective)).toBeLessThan(1e-13)
    expect(Math.abs(moments.certificate.gap - sum.gap)).toBeLessThan(1e-12)
    expect(moments).toMatchObject({latentCount: m, sampleCount: sample.N})
  })
})

describe('recoverMoments', () => {
  const golden = readGolden('m4')
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)

  test('recoverMoments(...).pair(k, i) is the transpose of pair(i, k), fresh each time', () => {
    const moments = recoverMoments(counts, noise)
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < 4; k++) {
        if (i === k) continue
        const [p00, p01, p10, p11] = moments.pair(i, k)
        expect([...moments.pair(k, i)]).toEqual([p00, p10, p01, p11])
        moments.pair(i, k).fill(9)
        expect(moments.pair(i, k)[3]).toBe(p11)
      }
  })

  test('recoverMoments(...) with L2 is recoverTable(...) with L2', () => {
    const moments = recoverMoments(counts, noise, {divergence: 'l2', pull: 0.05})
    const {mu} = recoverTable(counts, noise, {latents: [0, 3]}, {divergence: 'l2', pull: 0.05})
    expect(moments.pair(0, 3)).toEqual(mu)
  })

  test('recoverMoments(...) refuses an option it does not have, naming the nearest', () => {
    expect(() => recoverMoments(counts, noise, {pul: 1} as object)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringMatching(/no option "pul"; did you mean "pull"/)
      })
    )
  })
})

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
