import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {assignment, goldenNames, readGolden, truthNetwork} from '../../../test/golden.ts'
import {rng} from '../numeric/index.ts'
import {type BayesNetwork, logPrior, sampleNetwork} from './bayes-network.ts'
import {topologicalOrder} from './graph.ts'
import {networkEdges} from './pair-network.ts'

/** Networks of up to 6 concepts with any number of parents, numbered in any order. */
const network: fc.Arbitrary<BayesNetwork> = fc
  .record({
    order: fc.integer({min: 1, max: 6}).chain(m => fc.shuffledSubarray([...Array(m).keys()], {minLength: m})),
    links: fc.array(fc.boolean(), {minLength: 36, maxLength: 36}),
    chances: fc.array(fc.double({min: 0.01, max: 0.99, noNaN: true}), {minLength: 200, maxLength: 200})
  })
  .map(({order, links, chances}) => {
    const parents = order.map(rank => order.flatMap((other, k) => (other < rank && links[6 * rank + other] ? [k] : [])))
    return {
      parents,
      cpt: parents.map((list, i) => Float64Array.from({length: 2 ** list.length}, (_, s) => chances[32 * i + s]))
    }
  })

describe('logPrior', () => {
  test('logPrior(...) is the product over the concepts, worked out by hand', () => {
    const chain = {parents: [[], [0]], cpt: [Float64Array.of(0.3), Float64Array.of(0.1, 0.8)]}
    expect(Math.exp(logPrior(chain, [0, 0]))).toBeCloseTo(0.63, 14)
    expect(Math.exp(logPrior(chain, [0, 1]))).toBeCloseTo(0.07, 14)
    expect(Math.exp(logPrior(chain, [1, 0]))).toBeCloseTo(0.06, 14)
    expect(Math.exp(logPrior(chain, [1, 1]))).toBeCloseTo(0.24, 14)
  })

  test.each(goldenNames)('logPrior(...) of the true network of %s has the golden tables', name => {
    const golden = readGolden(name)
    const {m, population} = golden
    const marginal = new Float64Array(8)
    for (let s = 0; s < 2 ** m; s++) {
      const y = assignment(s, m)
      marginal[4 * y[0] + 2 * y[1] + y[3]] += Math.exp(logPrior(truthNetwork(golden), y))
    }
    population.latentTables['0,1,3'].forEach((share, cell) => {
      expect(marginal[cell]).toBeCloseTo(share, 12)
    })
  })
})

describe('topologicalOrder', () => {
  test('topologicalOrder(...) names every concept once, after its parents', () => {
    fc.assert(
      fc.property(network, ({parents}) => {
        const order = topologicalOrder(parents) ?? []
        expect([...order].sort((a, b) => a - b)).toEqual(parents.map((_, i) => i))
        parents.forEach((list, child) => {
          for (const parent of list) expect(order.indexOf(parent)).toBeLessThan(order.indexOf(child))
        })
      })
    )
  })

  test('topologicalOrder(...) is undefined for a cycle, however long, and for a concept that is its own parent', () => {
    expect(topologicalOrder([[0]])).toBeUndefined()
    expect(topologicalOrder([[1], [0]])).toBeUndefined()
    expect(topologicalOrder([[], [0, 3], [1], [2]])).toBeUndefined()
  })
})

describe('networkEdges', () => {
  test('networkEdges(...) goes from parent to child, in the order of the children', () => {
    const parents = [[2], [], [1], [0, 1]]
    const cpt = parents.map(list => new Float64Array(2 ** list.length).fill(0.5))
    expect(networkEdges({parents, cpt})).toEqual([
      [2, 0],
      [1, 2],
      [0, 3],
      [1, 3]
    ])
    expect(networkEdges({parents: [[], []], cpt: [Float64Array.of(0.1), Float64Array.of(0.1)]})).toEqual([])
  })
})

test('sampleNetwork(...) draws each assignment as often as P(y), and the same for the same seed', () => {
  const network = {parents: [[], [0]], cpt: [Float64Array.of(0.3), Float64Array.of(0.1, 0.8)]}
  const rows = sampleNetwork(network, 20_000, rng(1))
  const counts = new Float64Array(4)
  for (let at = 0; at < rows.length; at += 2) counts[2 * rows[at] + rows[at + 1]]++
  // 5 standard errors of a share are at most 0.018.
  for (const [cell, p] of [0.63, 0.07, 0.06, 0.24].entries())
    expect(Math.abs(counts[cell] / 20_000 - p)).toBeLessThan(0.018)
  expect(sampleNetwork(network, 20_000, rng(1))).toEqual(rows)
  expect(() => sampleNetwork({...network, parents: [[1], [0]]}, 1, rng(1))).toThrow('the network has a cycle')
})
