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
import {recoverBlanketMoments} from '../moments/index.ts'
import {correction, failureBlanket, failureDirect, failureTree, markovBlanket} from './failure.ts'
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

  test('correction(...) equals the golden c of every edge, both ways', () => {
    population.chowLiu.edges.forEach(([i, k], edge) => {
      for (let j = 0; j < n; j++) {
        const start = 8 * (edge * n + j)
        expect(correction(exact.pairs, start, 4, 2)).toBeCloseTo(population.corrections[`${i},${k}`][j], 9)
        expect(correction(exact.pairs, start, 2, 4)).toBeCloseTo(population.corrections[`${k},${i}`][j], 9)
      }
    })
    expect(Object.keys(population.corrections)).toHaveLength(2 * (m - 1))
  })
})

describe('failureTree', () => {
  test('failureTree(...) finds the failures of any tree, whichever end of an edge comes first', () => {
    fc.assert(
      fc.property(
        probabilities(9, 0.1, 0.9),
        probabilities(10, 0.1, 1),
        probabilities(2, 0, 0.5),
        fc.array(fc.boolean(), {minLength: 4, maxLength: 4}),
        fc.tuple(fc.constant(0), fc.nat(1), fc.nat(2), fc.nat(3)),
        (p, f, leak, turned, parentOf) => {
          const parents = [[], ...parentOf.map(parent => [parent])]
          const cpt = parents.map((list, i) => Float64Array.from(list.length === 0 ? [p[0]] : [p[2 * i - 1], p[2 * i]]))
          const loadings = {conceptCount: 5, wordCount: 2, failure: Float64Array.from(f), leak: Float64Array.from(leak)}
          const edges = parentOf.map((parent, at): [number, number] =>
            turned[at] ? [at + 1, parent] : [parent, at + 1]
          )
          expectNear(failureTree(exactWordMoments({parents, cpt}, loadings, edges)), f, 1e-9)
        }
      )
    )
  })
})

describe('failureDirect', () => {
  const moments = (...singles: number[]) => ({
    ...exactWordMoments(
      {parents: [[]], cpt: [Float64Array.of(0.5)]},
      {conceptCount: 1, wordCount: 1, failure: Float64Array.of(1), leak: Float64Array.of(0)},
      []
    ),
    singles: Float64Array.from(singles)
  })

  test('failureDirect(...) is P(x0|y1) / P(x0|y0), worked out by hand', () => {
    expect(failureDirect(moments(0.4, 0.1, 0.1, 0.4))[0]).toBeCloseTo(0.25, 14)
  })

  test('failureDirect(...) is NaN where a concept is never, or always, present, and where the word never lacks', () => {
    expect(failureDirect(moments(0.6, 0.4, 0, 0))[0]).toBeNaN()
    expect(failureDirect(moments(0, 0, 0.6, 0.4))[0]).toBeNaN()
    expect(failureDirect(moments(0, 0.5, 0.1, 0.4))[0]).toBeNaN()
  })
})

function probabilities(count: number, min: number, max: number): fc.Arbitrary<number[]> {
  return fc.array(fc.double({min, max, noNaN: true}), {minLength: count, maxLength: count})
}

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
          for (let b = 0; b < moments.variance.length; b++) expectNear(failureAtSetting(moments, b), expected, 1e-9)
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
    variance: Float64Array.of(1, 4),
    certificate: {objective: 0, gap: 0, steps: 0, status: 'optimal'} as const
  })

  test('failureBlanket(...) weighs settings by one over their variance, worked out by hand', () => {
    const moments = small([0.8, 0.4, 0.4, 0.4], [0.25, 0.25, 0.25, 0.25])
    expect(failureAtSetting(moments)[0]).toBeCloseTo(0.5, 14)
    expect(failureAtSetting(moments, 1)[0]).toBeCloseTo(1, 14)
    expect(failureBlanket(moments)[0]).toBeCloseTo((0.4 + 0.4 / 4) / (0.8 + 0.4 / 4), 14)
  })

  test('failureBlanket(...) leaves out settings that no document has with both values of the concept', () => {
    const rare = small([0.8, 0.4, 0.4, 0.4], [0.4, 0.3, 0.2995, 0.0005])
    expect(failureBlanket(rare)[0]).toBeCloseTo(0.5, 14)
    expect(failureBlanket({...rare, sampleCount: 10_000})[0]).toBeCloseTo((0.4 + 0.4 / 4) / (0.8 + 0.4 / 4), 14)
    // No mass in the word's own table, though the prior has some.
    const tables = rare.tables.map((share, cell) => (cell < 2 ? 0 : share))
    expect(failureBlanket({...rare, tables, sampleCount: 10_000})[0]).toBeCloseTo(1, 14)
    expect(failureAtSetting({...rare, tables})[0]).toBeNaN()
    expect(failureBlanket({...rare, tables})[0]).toBeNaN()
  })

  test('failureBlanket(...) is NaN for a word that never lacks, 1 for one that always does, and not clipped', () => {
    const prior = [0.25, 0.25, 0.25, 0.25]
    expect(failureBlanket(small([0, 0, 0, 0], prior))[0]).toBeNaN()
    expect(failureAtSetting(small([0, 0, 0, 0], prior))[0]).toBeNaN()
    expect(failureBlanket(small([1, 1, 1, 1], prior))[0]).toBe(1)
    expect(failureBlanket(small([0.4, 0.4, 0.8, 0.8], prior))[0]).toBeCloseTo(2, 14)
    expect(failureBlanket(small([0.4, 0.4, 0, 0], prior))[0]).toBe(0)
    expect(failureBlanket(small([0, 0, 0.4, 0.4], prior))[0]).toBeNaN()
  })
})
