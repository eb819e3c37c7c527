import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {ConceptTables} from '../../base/network/index.ts'
import {
  type BayesNetwork,
  completedGraph,
  markovEquivalent,
  networkTable,
  topologicalOrder
} from '../../base/network/index.ts'
import {classicNetwork, libraryIsThere} from '../../base/network/test-bif.ts'
import {randomGraph} from '../../base/network/test-separation.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import {type DegreeOptions, defaultLevel, searchDegree} from './degree.ts'
import {anchoredTables, noisyOrNetwork, noisyRates} from './test-anchored.ts'

function exactly(network: BayesNetwork): ConceptTables {
  const kept = new Map<string, Float64Array>()
  return concepts => {
    const table = kept.get(concepts.join()) ?? networkTable(network, concepts)
    kept.set(concepts.join(), table)
    return table
  }
}

const noisy: Rates = {truePositive: 0.6, falsePositive: 0.02}

function optionsFor(m: number, given: Partial<DegreeOptions> = {}): DegreeOptions {
  const names = Array.from({length: m}, (_, i) => 'abcdefgh'[i] ?? `c${i}`)
  return {names, rates: names.map(() => noisy), sampleCount: 1e8, maxDegree: 3, ...given}
}

function degreeOf(parents: readonly (readonly number[])[]): number {
  return Math.max(...parents.map((list, i) => list.length + parents.filter(other => other.includes(i)).length))
}

/** 0 -> 1 -> 2 <- 3: the last two edges have directions that data can tell. */
const small = noisyOrNetwork([[], [0], [1, 3], []], rng(3))
const refused = (message: string) =>
  expect.objectContaining({code: 'bad-option', message: expect.stringContaining(message)})

describe('searchDegree(...) from exact tables', () => {
  test('searchDegree(...) finds the class of random networks', () => {
    let directed = 0
    for (let seed = 0; seed < 15; seed++) {
      const random = rng(seed)
      const network = noisyOrNetwork(randomGraph(7, 3, 0.5, random), random)
      const found = searchDegree(exactly(network), optionsFor(7, {sampleCount: 1e10}))
      expect(found.graph).toEqual(completedGraph(network.parents))
      expect(markovEquivalent(found.parents, network.parents)).toBe(true)
      expect(found.certificate).toMatchObject({droppedForDegree: 0, conflicts: 0, addedColliders: 0})
      directed += found.graph.directed.length
    }
    expect(directed).toBeGreaterThan(40)
  })

  test.runIf(libraryIsThere).each(['asia', 'cancer', 'earthquake'])(
    'searchDegree(...) finds the class of %s, with anchors and without noise',
    name => {
      const {names, network} = classicNetwork(name)
      for (const own of [noisy, {truePositive: 1, falsePositive: 0}]) {
        const {parents} = searchDegree(exactly(network), {
          names,
          rates: names.map(() => own),
          sampleCount: 1e9,
          maxDegree: degreeOf(network.parents)
        })
        expect(markovEquivalent(parents, network.parents)).toBe(true)
      }
    }
  )
})

describe('searchDegree(...) from anchored samples', () => {
  test('searchDegree(...) makes no cycle and keeps degree and directions, however few documents there are', () => {
    const counted = {droppedForDegree: 0, conflicts: 0, addedColliders: 0}
    for (let seed = 0; seed < 40; seed++) {
      const random = rng(seed)
      const network = noisyOrNetwork(randomGraph(7, 5, 0.9, random), random)
      const rates = network.parents.map(() => noisyRates(random))
      const tables = anchoredTables(network, rates, 3000, random)
      const options = optionsFor(7, {rates, sampleCount: 3000, maxDegree: 2 + (seed % 2), level: 0.1})
      const {parents, graph, certificate} = searchDegree(tables, options)
      expect(topologicalOrder(parents)).toBeDefined()
      expect(degreeOf(parents)).toBeLessThanOrEqual(options.maxDegree)
      for (const [parent, child] of graph.directed) expect(parents[child]).toContain(parent)
      expect(parents.flat().length).toBe(graph.directed.length + graph.undirected.length)
      counted.droppedForDegree += certificate.droppedForDegree
      counted.conflicts += certificate.conflicts
      counted.addedColliders += certificate.addedColliders
    }
    expect(Math.min(...Object.values(counted))).toBeGreaterThan(0)
  })
})

describe('searchDegree(...) with constraints', () => {
  test('searchDegree(...) finds the small network, and directs what only a constraint can tell', () => {
    const free = searchDegree(exactly(small), optionsFor(4))
    expect(free.graph).toEqual({
      directed: [
        [1, 2],
        [3, 2]
      ],
      undirected: [[0, 1]]
    })
    const required = searchDegree(exactly(small), optionsFor(4, {constraints: {required: [[0, 1]]}}))
    expect(required.parents).toEqual([[], [0], [1, 3], []])
    const forbidden = searchDegree(exactly(small), optionsFor(4, {constraints: {forbidden: [[0, 1]]}}))
    expect(forbidden.parents).toEqual([[1], [], [1, 3], []])
  })

  test('searchDegree(...) has every required edge and no forbidden one, whatever the tests say', () => {
    const edge = fc.tuple(fc.nat(3), fc.nat(3)).filter(([parent, child]) => parent !== child)
    let seen = 0
    fc.assert(
      fc.property(fc.array(edge, {maxLength: 3}), fc.array(edge, {maxLength: 4}), (required, forbidden) => {
        const constraints = {required, forbidden}
        const parents = unlessRefused(() => searchDegree(exactly(small), optionsFor(4, {constraints})).parents)
        if (parents === undefined) return
        seen++
        expect(topologicalOrder(parents)).toBeDefined()
        for (const [parent, child] of required) expect(parents[child]).toContain(parent)
        for (const [parent, child] of forbidden) expect(parents[child]).not.toContain(parent)
      })
    )
    expect(seen).toBeGreaterThan(40)
  })

  test('searchDegree(...) drops and counts an edge that constraints would let run in a circle only', () => {
    const triangle = noisyOrNetwork([[], [0], [0, 1]], rng(1))
    const constraints = {
      forbidden: [
        [0, 1],
        [1, 2],
        [2, 0]
      ] as const
    }
    const {parents, certificate} = searchDegree(exactly(triangle), optionsFor(3, {constraints}))
    expect(certificate.droppedForConstraints).toBe(1)
    expect(parents.flat().length).toBe(2)
  })
})

describe('searchDegree(...) refuses', () => {
  test.each<[string, Partial<DegreeOptions>, string]>([
    [
      'too many required edges',
      {
        maxDegree: 1,
        constraints: {
          required: [
            [0, 1],
            [2, 0]
          ]
        }
      },
      '2 edges of concept "a" are required'
    ],
    ['an unknown concept', {constraints: {forbidden: [[0, 9]]}}, 'concept 9']
  ])('searchDegree(...) refuses %s', (_, given, message) => {
    expect(() => searchDegree(exactly(small), optionsFor(4, given))).toThrow(refused(message))
  })
})

test('defaultLevel(...) falls with the documents, and is where BIC takes one parameter', () => {
  const levels = [100, 1e3, 1e4, 1e6].map(defaultLevel)
  expect(levels).toEqual(levels.toSorted((a, b) => b - a))
  // scipy.stats.chi2.sf(log(1000), 1)
  expect(levels[1]).toBeCloseTo(0.00858226684, 10)
})

function unlessRefused<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    expect(error).toMatchObject({code: 'bad-option'})
    return undefined
  }
}
