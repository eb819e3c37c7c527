import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  goldenNames,
  goldenRates,
  populationCounts,
  readGolden,
  sampleCounts,
  truthLoadings,
  truthNetwork
} from '../../../test/golden.ts'
import {recoverBlanketMoments} from '../moments/index.ts'
import {failureDirect} from './failure.ts'
import {failureAtSetting, failureBlanket, markovBlanket} from './failure-blanket.ts'
import {arbitraryModel, exactBlanketMoments, exactWordMoments} from './test-exact.ts'

describe.each(goldenNames)('blankets of %s', name => {
  const golden = readGolden(name)
  const {m, n, sample, population, truth} = golden
  const noise = goldenRates(golden, sample.pyFromSingles)
  const concepts = Array.from({length: m}, (_, i) => i)

  test('markovBlanket(...) finds the golden blankets', () => {
    expect(concepts.map(i => markovBlanket(truth.parents, i))).toEqual(population.markovBlankets)
  })

  test('failureBlanket(...) gives back the true failures from exact counts of anchors and words', () => {
    for (const concept of concepts) {
      const blanket = markovBlanket(truth.parents, concept)
      const moments = recoverBlanketMoments(populationCounts(golden), noise, {concept, blanket}, {shrinkage: 0})
      expectNear(failureBlanket({...moments, sampleCount: 1e9}).failure, truth.failures[concept], 1e-7)
    }
  })

  // 1e-5: the accuracy of the golden tables. Without a shrinkage some settings have no mass; the file has ratios of dust there.
  test.each([
    {shrinkage: 0, key: 'lambda=0.0'},
    {shrinkage: 0.1, key: 'lambda=0.1'}
  ] as const)(
    'failureAtSetting(...) reproduces the golden sample at b = 0, shrinkage $shrinkage',
    ({shrinkage, key}) => {
      const counts = sampleCounts(golden)
      let checked = 0
      for (const concept of concepts) {
        const expected = sample.loadings[key].fBlanketZeroRaw[concept]
        if (expected === null) continue
        const blanket = markovBlanket(truth.parents, concept)
        const found = failureAtSetting(recoverBlanketMoments(counts, noise, {concept, blanket}, {shrinkage}))
        expected.forEach((failure, j) => {
          if (shrinkage === 0 && Number.isNaN(found[j])) return
          expect(Math.abs(found[j] - failure)).toBeLessThan(1e-5)
          checked++
        })
      }
      expect(checked).toBeGreaterThan(shrinkage === 0 ? 0.8 * (m - 1) * n : (m - 1) * n - 1)
    }
  )
})

describe('failureBlanket', () => {
  test('failureBlanket(...) and failureAtSetting(...) find the failures of any graph, at every setting', () => {
    fc.assert(
      fc.property(arbitraryModel(5, 2), ({network, loadings}) => {
        for (let i = 0; i < 5; i++) {
          const moments = exactBlanketMoments(network, loadings, i, markovBlanket(network.parents, i))
          const expected = loadings.failure.subarray(2 * i, 2 * i + 2)
          expectNear(failureBlanket(moments).failure, expected, 1e-9)
          for (let b = 0; b < moments.variance.length; b++) expectNear(failureAtSetting(moments, b), expected, 1e-9)
        }
      })
    )
  })

  test('failureBlanket(...) with an empty blanket is failureDirect(...)', () => {
    const golden = readGolden('m4')
    const [network, loadings] = [truthNetwork(golden), truthLoadings(golden)]
    const direct = failureDirect(exactWordMoments(network, loadings, []))
    const alone = exactBlanketMoments(network, loadings, 2, [])
    expectNear(failureBlanket(alone).failure, direct.subarray(2 * golden.n, 3 * golden.n), 1e-14)
    expectNear(failureAtSetting(alone), direct.subarray(2 * golden.n, 3 * golden.n), 1e-14)
  })

  /** A blanket of one, two settings, one word: P(x0|y, b) for y, b = 00, 01, 10, 11 under a prior of these cells. */
  const small = (x0: readonly number[], prior: readonly number[], sampleCount = 1000) => ({
    concept: 0,
    blanket: [1],
    wordCount: 1,
    sampleCount,
    tables: Float64Array.from(x0.flatMap((share, s) => [share * prior[s], (1 - share) * prior[s]])),
    variance: Float64Array.of(1, 4),
    certificate: {objective: 0, gap: 0, steps: 0, status: 'optimal'} as const
  })

  test('failureBlanket(...) weighs settings by one over their variance, worked out by hand', () => {
    const moments = small([0.8, 0.4, 0.4, 0.4], [0.25, 0.25, 0.25, 0.25])
    expect(failureAtSetting(moments)[0]).toBeCloseTo(0.5, 14)
    expect(failureAtSetting(moments, 1)[0]).toBeCloseTo(1, 14)
    expect(failureBlanket(moments)).toMatchObject({settings: 2, settingsLeftOut: 0})
    expect(failureBlanket(moments).failure[0]).toBeCloseTo((0.4 + 0.4 / 4) / (0.8 + 0.4 / 4), 14)
  })

  test('failureBlanket(...) leaves out settings that no document has with both values of the concept, and says so', () => {
    const rare = small([0.8, 0.4, 0.4, 0.4], [0.4, 0.3, 0.2995, 0.0005])
    expect(failureBlanket(rare)).toEqual({failure: expect.anything(), settings: 2, settingsLeftOut: 1})
    expect(failureBlanket(rare).failure[0]).toBeCloseTo(0.5, 14)
    expect(failureBlanket({...rare, sampleCount: 10_000}).settingsLeftOut).toBe(0)
    // No mass in the word's own table, though the prior has some.
    const tables = rare.tables.map((share, cell) => (cell < 2 ? 0 : share))
    expect(failureBlanket({...rare, tables, sampleCount: 10_000})).toMatchObject({settingsLeftOut: 1})
    expect(failureBlanket({...rare, tables, sampleCount: 10_000}).failure[0]).toBeCloseTo(1, 14)
    expect(failureAtSetting({...rare, tables})[0]).toBeNaN()
    expect(failureBlanket({...rare, tables}).failure[0]).toBeNaN()
  })

  test('failureBlanket(...) is NaN for a word that never lacks, 1 for one that always does, and not clipped', () => {
    const prior = [0.25, 0.25, 0.25, 0.25]
    expect(failureBlanket(small([0, 0, 0, 0], prior)).failure[0]).toBeNaN()
    expect(failureAtSetting(small([0, 0, 0, 0], prior))[0]).toBeNaN()
    expect(failureBlanket(small([1, 1, 1, 1], prior)).failure[0]).toBe(1)
    expect(failureBlanket(small([0.4, 0.4, 0.8, 0.8], prior)).failure[0]).toBeCloseTo(2, 14)
    expect(failureBlanket(small([0.4, 0.4, 0, 0], prior)).failure[0]).toBe(0)
    expect(failureBlanket(small([0, 0, 0.4, 0.4], prior)).failure[0]).toBeNaN()
  })
})

function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found).toHaveLength(expected.length)
  for (let at = 0; at < found.length; at++) expect(Math.abs(found[at] - expected[at])).toBeLessThan(tolerance)
}
