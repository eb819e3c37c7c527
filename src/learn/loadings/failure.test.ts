import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {expectNear} from '../../../test/expect.ts'
import {
  goldenNames,
  goldenRates,
  populationCounts,
  readGolden,
  sampleCounts,
  truthLoadings,
  truthNetwork
} from '../../../test/golden.ts'
import {networkEdges} from '../../base/network/index.ts'
import {recoverBlanketMoments} from '../moments/index.ts'
import {correctionFactor, failureBlanket, failureDirect, failureTree, markovBlanket} from './failure.ts'
import {arbitraryModel, exactBlanketMoments, exactWordMoments, failureAtSetting} from './test-exact.ts'

describe.each(goldenNames)('failures of %s', name => {
  const golden = readGolden(name)
  const {m, n, population, truth} = golden
  const exact = exactWordMoments(truthNetwork(golden), truthLoadings(golden), population.chowLiu.edges)

  test('failureDirect(...) goes to the golden limit from exact moments, which is not the truth', () => {
    expectNear(failureDirect(exact), population.fDirect.flat(), 1e-9)
    const bias = failureDirect(exact).map((f, at) => Math.abs(f - truth.failures.flat()[at]))
    expect(Math.max(...bias)).toBeGreaterThan(0.1)
  })

  test('correctionFactor(...) equals the golden c of every edge, both ways', () => {
    population.chowLiu.edges.forEach(([i, k], edge) => {
      for (let j = 0; j < n; j++) {
        const start = 8 * (edge * n + j)
        expect(correctionFactor(exact.pairs, start, 4, 2)).toBeCloseTo(population.corrections[`${i},${k}`][j], 9)
        expect(correctionFactor(exact.pairs, start, 2, 4)).toBeCloseTo(population.corrections[`${k},${i}`][j], 9)
      }
    })
    expect(Object.keys(population.corrections)).toHaveLength(2 * (m - 1))
  })
})

test('failureTree(...) finds the failures of any forest, whichever end of an edge comes first', () => {
  const turns = fc.array(fc.boolean(), {minLength: 4, maxLength: 4})
  fc.assert(
    fc.property(arbitraryModel(5, 2, 1), turns, ({network, loadings}, turned) => {
      const edges = networkEdges(network).map(([i, k], at): [number, number] => (turned[at] ? [k, i] : [i, k]))
      expectNear(failureTree(exactWordMoments(network, loadings, edges)), loadings.failure, 1e-9)
    })
  )
})

test('failureDirect(...) is NaN where a concept is never, or always, present, and where the word never lacks', () => {
  const network = {parents: [[]], cpt: [Float64Array.of(0.5)]}
  const loadings = {conceptCount: 1, wordCount: 1, failure: Float64Array.of(1), leak: Float64Array.of(0)}
  const moments = exactWordMoments(network, loadings, [])
  for (const singles of [
    [0.6, 0.4, 0, 0],
    [0, 0, 0.6, 0.4],
    [0, 0.5, 0.1, 0.4]
  ])
    expect(failureDirect({...moments, singles: Float64Array.from(singles)})[0]).toBeNaN()
})

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
      expectNear(failureBlanket({...moments, sampleCount: 1e9}), truth.failures[concept], 1e-7)
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
          expectNear(failureBlanket(moments), expected, 1e-9)
          for (let b = 0; b < moments.concepts.length / 2; b++) expectNear(failureAtSetting(moments, b), expected, 1e-9)
        }
      })
    )
  })

  /** A blanket of one, two settings, one word: P(x0|y, b) for y, b = 00, 01, 10, 11 under a prior of these cells. */
  const small = (x0: readonly number[], prior: readonly number[], sampleCount = 1000) => ({
    concept: 0,
    blanket: [1],
    wordCount: 1,
    sampleCount,
    tables: Float64Array.from(x0.flatMap((share, s) => [share * prior[s], (1 - share) * prior[s]])),
    concepts: Float64Array.from(prior)
  })

  test('failureBlanket(...) pools settings by the formula of Mantel and Haenszel, worked out by hand', () => {
    const moments = small([0.8, 0.4, 0.4, 0.4], [0.4, 0.1, 0.4, 0.1])
    expect(failureAtSetting(moments)[0]).toBeCloseTo(0.5, 14)
    expect(failureAtSetting(moments, 1)[0]).toBeCloseTo(1, 14)
    // Weights 0.2 and 0.05.
    expect(failureBlanket(moments)[0]).toBeCloseTo((0.4 + 0.4 / 4) / (0.8 + 0.4 / 4), 14)
  })

  test('failureBlanket(...) leaves out settings that no document has with both values of the concept', () => {
    const rare = small([0.8, 0.4, 0.4, 0.4], [0.4, 0.3, 0.2995, 0.0005])
    expect(failureBlanket(rare)[0]).toBeCloseTo(0.5, 14)
    const [often, seldom] = [(0.4 * 0.2995) / 0.6995, (0.3 * 0.0005) / 0.3005]
    const pooled = (often * 0.4 + seldom * 0.4) / (often * 0.8 + seldom * 0.4)
    expect(failureBlanket({...rare, sampleCount: 10_000})[0]).toBeCloseTo(pooled, 14)
    // No mass in the word's own table, though the prior has some.
    const tables = rare.tables.map((share, cell) => (cell < 2 ? 0 : share))
    expect(failureBlanket({...rare, tables, sampleCount: 10_000})[0]).toBeCloseTo(1, 14)
    expect(failureAtSetting({...rare, tables})[0]).toBeNaN()
    expect(failureBlanket({...rare, tables})[0]).toBeNaN()
  })

  test('failureBlanket(...) is NaN for a word that never lacks, and not clipped', () => {
    const failureOf = (...x0: number[]) => failureBlanket(small(x0, [0.25, 0.25, 0.25, 0.25]))[0]
    expect(failureOf(0, 0, 0, 0)).toBeNaN()
    expect(failureOf(0, 0, 0.4, 0.4)).toBeNaN()
    expect(failureOf(0.4, 0.4, 0.8, 0.8)).toBeCloseTo(2, 14)
    expect(failureOf(0.4, 0.4, 0, 0)).toBe(0)
  })
})
