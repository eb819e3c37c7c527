import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {goldenNames, goldenRates, readGolden, sampleCounts, truthLoadings, truthNetwork} from '../../../test/golden.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import {recoverWordMoments} from '../moments/index.ts'
import {correction, failureDirect, failureTree} from './failure.ts'
import {exactWordMoments} from './test-exact.ts'

describe.each(goldenNames)('failures of %s', name => {
  const golden = readGolden(name)
  const {m, n, sample, population, truth} = golden
  const exact = exactWordMoments(truthNetwork(golden), truthLoadings(golden), population.chowLiu.edges)

  test('failureTree(...) gives back the true failures from exact moments', () => {
    expectNear(failureTree(exact), truth.failures, 1e-9)
    expectNear(failureTree(exact), population.fTree, 1e-9)
  })

  test('failureDirect(...) goes to the golden limit from exact moments, which is not the truth', () => {
    expectNear(failureDirect(exact), population.fDirect, 1e-9)
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

  // 1e-5: the accuracy of the golden tables; ratios of their cells are no worse, since no P(y) or P(x0) here is small.
  test.each([
    {shrinkage: 0, key: 'lambda=0.0', tolerance: 1e-5},
    {shrinkage: 0.1, key: 'lambda=0.1', tolerance: 1e-5}
  ] as const)('failureDirect(...) and failureTree(...) reproduce the golden sample, shrinkage $shrinkage', given => {
    const {fDirectRaw, fTreeRaw, treeEdges} = sample.loadings[given.key]
    const noise = goldenRates(golden, sample.pyFromSingles)
    const moments = recoverWordMoments(sampleCounts(golden), noise, treeEdges, {shrinkage: given.shrinkage})
    expectNear(failureDirect(moments), fDirectRaw, given.tolerance)
    expectNear(failureTree(moments), fTreeRaw, given.tolerance)
  })
})

describe('failureTree', () => {
  test('failureTree(...) equals failureDirect(...) and the truth when the concepts are independent', () => {
    fc.assert(
      fc.property(probabilities(4, 0.05, 0.95), probabilities(8, 0.05, 1), probabilities(2, 0, 0.5), (p, f, leak) => {
        const network: BayesNetwork = {parents: [[], [], [], []], cpt: p.map(chance => Float64Array.of(chance))}
        const loadings = {conceptCount: 4, wordCount: 2, failure: Float64Array.from(f), leak: Float64Array.from(leak)}
        const moments = exactWordMoments(network, loadings, [
          [0, 1],
          [1, 2],
          [3, 1]
        ])
        expectNear(failureTree(moments), [f], 1e-9)
        expectNear(failureDirect(moments), [f], 1e-9)
      })
    )
  })

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
          expectNear(failureTree(exactWordMoments({parents, cpt}, loadings, edges)), [f], 1e-9)
        }
      )
    )
  })

  test('failureTree(...) without edges is failureDirect(...)', () => {
    const golden = readGolden('m4')
    const moments = exactWordMoments(truthNetwork(golden), truthLoadings(golden), [])
    expect(failureTree(moments)).toEqual(failureDirect(moments))
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

  test('failureDirect(...) may exceed 1: nothing is clipped here', () => {
    expect(failureDirect(moments(0.1, 0.4, 0.4, 0.1))[0]).toBeCloseTo(4, 14)
  })

  test('failureDirect(...) is NaN where a concept is never, or always, present, and where the word never lacks', () => {
    expect(failureDirect(moments(0.6, 0.4, 0, 0))[0]).toBeNaN()
    expect(failureDirect(moments(0, 0, 0.6, 0.4))[0]).toBeNaN()
    expect(failureDirect(moments(0, 0.5, 0.1, 0.4))[0]).toBeNaN()
  })

  test('failureDirect(...) is 0 where the word always comes with the concept', () => {
    expect(failureDirect(moments(0.3, 0.2, 0, 0.5))[0]).toBe(0)
  })
})

function probabilities(count: number, min: number, max: number): fc.Arbitrary<number[]> {
  return fc.array(fc.double({min, max, noNaN: true}), {minLength: count, maxLength: count})
}

function expectNear(found: Float64Array, expected: readonly (readonly number[])[], tolerance: number): void {
  const flat = expected.flat()
  expect(found).toHaveLength(flat.length)
  flat.forEach((value, at) => {
    expect(Math.abs(found[at] - value)).toBeLessThan(tolerance)
  })
}
