import fc from 'fast-check'
import {expect, test} from 'vitest'
import {observe, randomTable} from '../../../test/tables.ts'
import {
  type BayesNetwork,
  type ConceptTables,
  completedGraph,
  isMarkovEquivalent,
  MixedGraph,
  networkTable,
  type PartialGraph,
  topologicalOrder
} from '../../base/network/index.ts'
import {classicNetwork, libraryIsThere} from '../../base/network/test-bif.ts'
import {anyGraph, oracle, randomGraph, separated} from '../../base/network/test-separation.ts'
import {hashShare, rng} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import {
  defaultLevel,
  extendGraph,
  type IndependenceTest,
  independenceTest,
  orientEdges,
  type PairTest,
  type SkeletonOptions,
  searchByTests,
  skeletonSearch,
  type TestedPair
} from './degree.ts'
import type {EdgeConstraints} from './rules.ts'
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

interface Given {
  readonly rates?: readonly Rates[]
  readonly sampleCount?: number
  readonly maxDegree?: number
  readonly constraints?: EdgeConstraints
}

function search(table: ConceptTables, m: number, given: Given = {}) {
  const {rates = Array(m).fill(noisy), sampleCount = 1e8, maxDegree = 3, constraints = {}} = given
  const names = Array.from({length: m}, (_, i) => 'abcdefgh'[i])
  const moments = {sampleCount, table: (concepts: readonly number[]) => Float64Array.from(table(concepts))}
  return searchByTests({moments, names, constraints, control: {}}, maxDegree, rates)
}

function degreeOf(parents: readonly (readonly number[])[]): number {
  return Math.max(...parents.map((list, i) => list.length + parents.filter(other => other.includes(i)).length))
}

/** 0 -> 1 -> 2 <- 3: the last two edges have directions that data can tell. */
const small = noisyOrNetwork([[], [0], [1, 3], []], rng(3))

test('searchByTests(...) finds the class of random networks', () => {
  for (let seed = 0; seed < 15; seed++) {
    const random = rng(seed)
    const network = noisyOrNetwork(randomGraph(7, 3, 0.5, random), random)
    const {parents, tests} = search(exactly(network), 7, {sampleCount: 1e10})
    expect(isMarkovEquivalent(parents, network.parents)).toBe(true)
    expect(tests).toMatchObject({droppedForDegree: 0, conflicts: 0})
  }
})

test.runIf(libraryIsThere).each(['asia', 'cancer', 'earthquake'])(
  'searchByTests(...) finds the class of %s, with anchors and without noise',
  name => {
    const {names, network} = classicNetwork(name)
    for (const own of [noisy, {truePositive: 1, falsePositive: 0}]) {
      const given = {rates: names.map(() => own), sampleCount: 1e9, maxDegree: degreeOf(network.parents)}
      expect(isMarkovEquivalent(search(exactly(network), names.length, given).parents, network.parents)).toBe(true)
    }
  }
)

test('searchByTests(...) makes no cycle and keeps the degree, however few documents there are', () => {
  const counted = {droppedForDegree: 0, conflicts: 0}
  for (let seed = 0; seed < 40; seed++) {
    const random = rng(seed)
    const network = noisyOrNetwork(randomGraph(7, 5, 0.9, random), random)
    const rates = network.parents.map(() => noisyRates(random))
    const maxDegree = 2 + (seed % 2)
    const tables = anchoredTables(network, rates, 3000, random)
    const {parents, tests} = search(tables, 7, {rates, sampleCount: 3000, maxDegree})
    expect(topologicalOrder(parents)).toBeDefined()
    expect(degreeOf(parents)).toBeLessThanOrEqual(maxDegree)
    counted.droppedForDegree += tests.droppedForDegree
    counted.conflicts += tests.conflicts
  }
  expect(Math.min(...Object.values(counted))).toBeGreaterThan(0)
})

test('searchByTests(...) finds the small network, and directs what only a constraint can tell', () => {
  const parentsGiven = (constraints: EdgeConstraints) => search(exactly(small), 4, {constraints}).parents
  expect(isMarkovEquivalent(parentsGiven({}), small.parents)).toBe(true)
  expect(parentsGiven({required: [[0, 1]]})).toEqual([[], [0], [1, 3], []])
  expect(parentsGiven({forbidden: [[0, 1]]})).toEqual([[1], [], [1, 3], []])
})

test('searchByTests(...) has every required edge and no forbidden one, whatever the tests say', () => {
  const edge = fc.tuple(fc.nat(3), fc.nat(3)).filter(([parent, child]) => parent !== child)
  let seen = 0
  fc.assert(
    fc.property(fc.array(edge, {maxLength: 3}), fc.array(edge, {maxLength: 4}), (required, forbidden) => {
      const parents = unlessRefused(() => search(exactly(small), 4, {constraints: {required, forbidden}}).parents)
      if (parents === undefined) return
      seen++
      expect(topologicalOrder(parents)).toBeDefined()
      for (const [parent, child] of required) expect(parents[child]).toContain(parent)
      for (const [parent, child] of forbidden) expect(parents[child]).not.toContain(parent)
    })
  )
  expect(seen).toBeGreaterThan(40)
})

test('searchByTests(...) drops and counts an edge that constraints would let run in a circle only', () => {
  const triangle = noisyOrNetwork([[], [0], [0, 1]], rng(1))
  const constraints = {
    forbidden: [
      [0, 1],
      [1, 2],
      [2, 0]
    ] as const
  }
  const {parents, tests} = search(exactly(triangle), 3, {constraints})
  expect(tests.droppedForConstraints).toBe(1)
  expect(parents.flat().length).toBe(2)
})

test('searchByTests(...) refuses more required edges of a concept than it may have', () => {
  const required = [
    [0, 1],
    [2, 0]
  ] as const
  expect(() => search(exactly(small), 4, {maxDegree: 1, constraints: {required}})).toThrow(
    expect.objectContaining({
      code: 'bad-option',
      message: expect.stringContaining('2 edges of concept "a" are required')
    })
  )
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

type Skeleton = ReturnType<typeof skeletonSearch>

const plain: SkeletonOptions = {
  maxDegree: 3,
  level: 0.01,
  isRequired: () => false,
  isBarred: () => false
}

const result = (pValue: number, degreesOfFreedom = 1): IndependenceTest => ({
  statistic: 1 / pValue,
  degreesOfFreedom,
  pValue
})

/** p-values with no rhyme or reason, but each its own: most small, some not. */
function chance(seed: number, names: readonly number[]): PairTest {
  return (i, k, given) => {
    const pair = [names[i], names[k]].sort((a, b) => a - b)
    const rest = given.map(l => names[l]).sort((a, b) => a - b)
    return result(hashShare(`${seed} ${pair} | ${rest}`) ** 30)
  }
}

const edges = ({pairs}: Skeleton) => pairs.filter(pair => pair.isJoined).map(({i, k}) => `${i} ${k}`)

test('skeletonSearch(...) with true answers joins what the graph joins, and separates the rest', () => {
  fc.assert(
    fc.property(anyGraph(7, 3), parents => {
      const found = skeletonSearch(parents.length, oracle(parents), plain)
      const truth = parents.flatMap((list, i) => list.map(k => `${Math.min(i, k)} ${Math.max(i, k)}`))
      expect(edges(found).sort()).toEqual(truth.sort())
      expect(found.droppedForDegree).toBe(0)
      for (const {i, k, isJoined, separator} of found.pairs) {
        expect(separator === undefined).toBe(isJoined)
        if (separator !== undefined) expect(separated(parents, i, k, separator)).toBe(true)
      }
    })
  )
})

test('skeletonSearch(...) hangs in nothing on the order of the concepts, wrong as the tests may be', () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], {minLength: 7})
  let dropped = 0
  fc.assert(
    fc.property(order, fc.integer(), fc.integer({min: 1, max: 3}), (names, seed, maxDegree) => {
      const identity = names.toSorted((a, b) => a - b)
      const one = skeletonSearch(7, chance(seed, identity), {...plain, maxDegree})
      const other = skeletonSearch(7, chance(seed, names), {...plain, maxDegree})
      dropped += one.droppedForDegree
      expect(named(other, names)).toEqual(named(one, identity))
    })
  )
  expect(dropped).toBeGreaterThan(50)
})

test('skeletonSearch(...) leaves no concept more than maxDegree neighbours, and takes the weakest edges', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({min: 0, max: 3}), (seed, maxDegree) => {
      const found = skeletonSearch(6, chance(seed, [0, 1, 2, 3, 4, 5]), {...plain, maxDegree})
      for (let i = 0; i < 6; i++)
        expect(found.pairs.filter(pair => pair.isJoined && (pair.i === i || pair.k === i)).length).toBeLessThanOrEqual(
          maxDegree
        )
    })
  )
  // A star: the p-values of its edges rise with the number of the other end.
  const star: PairTest = (i, k) => (i === 0 ? result(10 ** (k - 20)) : result(0.5))
  const found = skeletonSearch(6, star, {...plain, maxDegree: 2})
  expect(edges(found)).toEqual(['0 1', '0 2'])
  expect(found.droppedForDegree).toBe(3)
  const kept = skeletonSearch(6, star, {...plain, maxDegree: 2, isRequired: (i, k) => i === 0 && k === 5})
  expect(edges(kept)).toEqual(['0 1', '0 5'])
})

test('skeletonSearch(...) keeps an edge that only tests without degrees of freedom speak against', () => {
  const blind: PairTest = (_i, _k, given) => (given.length > 0 ? result(1, 0) : result(1e-9))
  expect(edges(skeletonSearch(3, blind, plain))).toEqual(['0 1', '0 2', '1 2'])
  expect(edges(skeletonSearch(3, () => result(1, 0), plain))).toEqual([])
})

test('skeletonSearch(...) separates by the surest test, not by the first', () => {
  // 0 - 1 - 2, and a dependence of 0 and 2 that is just too weak to be seen.
  const weak: PairTest = (i, k, given) => {
    if (i === 0 && k === 2) return result(given.length === 0 ? 0.02 : 0.7)
    return result(1e-9)
  }
  const {pairs, tests} = skeletonSearch(3, weak, plain)
  expect(pairs[1]).toMatchObject({isJoined: false, separator: [1], test: {pValue: 0.7}})
  // Three given nothing, the edges given the one other neighbour of an end, then 0 and 2 given nothing and given 1.
  expect(tests).toBe(3 + 2 + 2)
})

/** What was found in terms of names, in an order of its own. */
function named({pairs, tests, droppedForDegree}: Skeleton, names: readonly number[]) {
  const rising = (list: readonly number[]) => list.map(i => names[i]).sort((a, b) => a - b)
  const found = pairs.map(({i, k, isJoined: joined, separator, test: {pValue}}) => ({
    pair: rising([i, k]).join(),
    joined,
    separator: separator && rising(separator),
    pValue
  }))
  return {found: found.sort((a, b) => (a.pair < b.pair ? -1 : 1)), tests, droppedForDegree}
}

const anyway = () => true

/** The pairs of m concepts: those listed are joined or separated, the others parted by nobody knows what. */
function pairsOf(m: number, listed: readonly {pair: readonly number[]; separator?: readonly number[]; p: number}[]) {
  const pairs: TestedPair[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const known = listed.find(({pair}) => pair[0] === i && pair[1] === k)
      const isJoined = known !== undefined && known.separator === undefined
      const test = {statistic: 1, degreesOfFreedom: 1, pValue: known?.p ?? 0}
      pairs.push({i, k, isJoined, separator: known?.separator, test})
    }
  return pairs
}

const join = (i: number, k: number, p = 1e-9) => ({pair: [i, k], p})
const part = (i: number, k: number, separator: readonly number[], p = 0.5) => ({pair: [i, k], separator, p})
const open = ({graph}: {readonly graph: MixedGraph}) => graph.toPartialGraph()

test('orientEdges(...) with true answers gives the completed graph', () => {
  fc.assert(
    fc.property(anyGraph(7, 3), parents => {
      const {pairs} = skeletonSearch(parents.length, oracle(parents), plain)
      const oriented = orientEdges(parents.length, pairs, anyway)
      expect(open(oriented)).toEqual(completedGraph(parents))
      expect(oriented).toMatchObject({conflicts: 0, droppedForConstraints: 0})
    }),
    {numRuns: 200}
  )
})

test('orientEdges(...) keeps the surer of two v-structures that contradict each other, and counts the other', () => {
  // 0 - 1 - 2 - 3: neither 1 nor 2 separates its neighbours.
  const listed = (p: number, q: number) => [join(0, 1), join(1, 2), join(2, 3), part(0, 2, [], p), part(1, 3, [], q)]
  const first = orientEdges(4, pairsOf(4, listed(0.8, 0.3)), anyway)
  expect(first.conflicts).toBe(1)
  expect(open(first).directed).toEqual([
    [0, 1],
    [2, 1]
  ])
  const second = orientEdges(4, pairsOf(4, listed(0.3, 0.8)), anyway)
  expect(second.conflicts).toBe(1)
  expect(open(second).directed).toEqual([
    [1, 2],
    [3, 2]
  ])
})

test('orientEdges(...) uses the fourth rule where a direction was known beforehand', () => {
  // Meek (1995), rule 4: a - c -> d -> b with a joined to all three and c, b apart makes a -> b.
  const [a, b, c, d] = [0, 1, 2, 3]
  const listed = [join(a, b), join(a, c), join(a, d), join(b, d), join(c, d), part(b, c, [a, d])]
  const oriented = orientEdges(
    4,
    pairsOf(4, listed),
    (from, to) => !((from === d && to === c) || (from === b && to === d))
  )
  expect(oriented.graph.isDirected(a, b)).toBe(true)
  expect(oriented.graph.isUndirected(a, c)).toBe(true)
})

test('extendGraph(...) of a completed graph is a member of its class', () => {
  fc.assert(
    fc.property(anyGraph(8), parents => {
      expect(isMarkovEquivalent(extendGraph(mixed(parents.length, completedGraph(parents))), parents)).toBe(true)
    })
  )
})

test('extendGraph(...) keeps all edges and directions of a graph, and makes no cycle', () => {
  fc.assert(
    fc.property(anyGraph(7), fc.integer(), (parents, seed) => {
      const random = rng(seed)
      const edges = parents.flatMap((list, child) => list.map((parent): [number, number] => [parent, child]))
      const directed = edges.filter(() => random.next() < 0.2)
      const undirected = edges.filter(edge => !directed.includes(edge))
      const extended = extendGraph(mixed(parents.length, {directed, undirected}))
      expect(topologicalOrder(extended)).toBeDefined()
      for (const [parent, child] of directed) expect(extended[child]).toContain(parent)
      expect(extended.flat().length).toBe(edges.length)
    }),
    {numRuns: 200}
  )
})

function mixed(size: number, {directed, undirected}: PartialGraph): MixedGraph {
  const graph = new MixedGraph(size)
  for (const [i, k] of [...directed, ...undirected]) graph.join(i, k)
  for (const [i, k] of directed) graph.direct(i, k)
  return graph
}

const OBSERVED: Rates = {truePositive: 1, falsePositive: 0}

const seeds = fc.integer().map(seed => rng(seed))
const otherCounts = fc.integer({min: 0, max: 3})

test("independenceTest(...) without noise is Pearson's, summed over the settings of the others", () => {
  fc.assert(
    fc.property(otherCounts, seeds, (others, random) => {
      const table = randomTable(2 ** (others + 2), 1, random)
      const found = independenceTest(table, Array(others + 2).fill(OBSERVED), 1e5)
      const twin = pearson(table, 1e5)
      expect(found.degreesOfFreedom).toBe(2 ** others)
      expect(Math.abs(found.statistic / twin - 1)).toBeLessThan(1e-9)
    })
  )
})

test('independenceTest(...) equals the quadratic form with the whole covariance written out', () => {
  fc.assert(
    fc.property(otherCounts, seeds, (others, random) => {
      const rates = Array.from({length: others + 2}, () => noisyRates(random))
      const table = randomTable(2 ** (others + 2), 1, random)
      const found = independenceTest(table, rates, 1e12)
      expect(found.degreesOfFreedom).toBe(2 ** others)
      expect(Math.abs(found.statistic / writtenOut(table, rates, 1e12) - 1)).toBeLessThan(1e-6)
    }),
    {numRuns: 60}
  )
})

test('independenceTest(...) of any table, with cells of 0 or almost, is a number with a p-value', () => {
  const cell = fc.oneof(
    fc.constant(0),
    fc.constant(1e-300),
    fc.constant(1e-12),
    fc.double({min: 0, max: 1, noNaN: true})
  )
  const extreme = fc.constantFrom(
    OBSERVED,
    {truePositive: 0.4, falsePositive: 0},
    {truePositive: 1, falsePositive: 0.1}
  )
  const any = otherCounts.chain(others =>
    fc.tuple(
      fc.array(cell, {minLength: 2 ** (others + 2), maxLength: 2 ** (others + 2)}).filter(cells => sum(cells) > 0.01),
      fc.array(fc.oneof(extreme, seeds.map(noisyRates)), {minLength: others + 2, maxLength: others + 2})
    )
  )
  fc.assert(
    fc.property(any, fc.constantFrom(1, 100, 1e9), ([cells, rates], N) => {
      const {statistic, degreesOfFreedom, pValue} = independenceTest(
        cells.map(value => value / sum(cells)),
        rates,
        N
      )
      expect(statistic).toBeGreaterThanOrEqual(0)
      expect(statistic).toBeLessThan(Number.POSITIVE_INFINITY)
      expect(degreesOfFreedom).toBeLessThanOrEqual(cells.length / 4)
      expect(pValue).toBeGreaterThanOrEqual(0)
      expect(pValue).toBeLessThanOrEqual(1)
      if (degreesOfFreedom === 0) expect({statistic, pValue}).toEqual({statistic: 0, pValue: 1})
    }),
    {numRuns: 500}
  )
})

test('independenceTest(...) does not use settings that are empty, too rare, or have a constant concept', () => {
  const rates = [0.5, 0.6, 0.7].map(truePositive => ({truePositive, falsePositive: 0.01}))
  const table = (inSecond: readonly number[]) => [0.3, 0.1, 0.1, 0.3].flatMap((p, at) => [p, inSecond[at]])
  const scaled = (cells: readonly number[]) => cells.map(value => value / sum(cells))
  const freedom = (cells: readonly number[], N: number) => independenceTest(scaled(cells), rates, N).degreesOfFreedom
  expect(freedom(table([0.05, 0.05, 0.05, 0.05]), 1e4)).toBe(2)
  expect(freedom(table([0.05, 0.05, 0.05, 0.05]), 10)).toBe(0)
  expect(freedom(table([0, 0, 0, 0]), 1e9)).toBe(1)
  expect(freedom(table([1e-4, 1e-4, 1e-4, 1e-4]), 1e4)).toBe(1)
  expect(freedom(table([0.05, 0.15, 0, 0]), 1e9)).toBe(1)
})

function pearson(table: readonly number[], N: number): number {
  const quarter = table.length / 4
  let statistic = 0
  for (let s = 0; s < quarter; s++) {
    const cells = [0, 1, 2, 3].map(at => table[at * quarter + s])
    const mass = sum(cells)
    cells.forEach((share, at) => {
      const row = at < 2 ? cells[0] + cells[1] : cells[2] + cells[3]
      const column = at % 2 === 0 ? cells[0] + cells[2] : cells[1] + cells[3]
      const expected = (row * column) / mass
      statistic += (N * (share - expected) ** 2) / expected
    })
  }
  return statistic
}

/** theta' C^-1 theta with C = g' R^-1 (diag(a) - a a') R^-T g / N, all matrices in full. */
function writtenOut(table: readonly number[], rates: readonly Rates[], N: number): number {
  const size = table.length
  const quarter = size / 4
  const cell = (at: number, s: number) => at * quarter + s
  const mu0 = new Array<number>(size).fill(0)
  const theta: number[] = []
  for (let s = 0; s < quarter; s++) {
    const [p00, p01, p10, p11] = [0, 1, 2, 3].map(at => table[cell(at, s)])
    const mass = p00 + p01 + p10 + p11
    theta.push(p11 * p00 - p10 * p01)
    mu0[cell(0, s)] = ((p00 + p01) * (p00 + p10)) / mass
    mu0[cell(1, s)] = ((p00 + p01) * (p01 + p11)) / mass
    mu0[cell(2, s)] = ((p10 + p11) * (p00 + p10)) / mass
    mu0[cell(3, s)] = ((p10 + p11) * (p01 + p11)) / mass
  }
  const unit = (at: number) => Array.from({length: size}, (_, to) => (to === at ? 1 : 0))
  const R = transposed(unit(0).map((_, at) => observe(rates, unit(at))))
  const a = observe(rates, mu0)
  const multinomial = a.map((p, c) => a.map((q, d) => ((c === d ? p : 0) - p * q) / N))
  const g = theta.map((_, s) => {
    const row = new Array<number>(size).fill(0)
    row[cell(0, s)] = mu0[cell(3, s)]
    row[cell(1, s)] = -mu0[cell(2, s)]
    row[cell(2, s)] = -mu0[cell(1, s)]
    row[cell(3, s)] = mu0[cell(0, s)]
    return row
  })
  // R' h = g gives h = R^-T g.
  const h = g.map(row => solved(transposed(R), row))
  const C = h.map(x =>
    h.map(y => sum(x.map((value, c) => value * sum(multinomial[c].map((entry, d) => entry * y[d])))))
  )
  return sum(solved(C, theta).map((value, s) => value * theta[s]))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function transposed(A: readonly (readonly number[])[]): number[][] {
  return A[0].map((_, column) => A.map(row => row[column]))
}

/** A x = b by Gauss's method with pivots. */
function solved(A: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = A.map((row, at) => [...row, b[at]])
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row) => (Math.abs(row[column]) > Math.abs(best[column]) ? row : best))
    rows.splice(rows.indexOf(pivot), 1)
    rows.splice(column, 0, pivot)
    for (const row of rows) {
      if (row === pivot) continue
      const factor = row[column] / pivot[column]
      for (let at = column; at <= rows.length; at++) row[at] -= factor * pivot[at]
    }
  }
  return rows.map((row, at) => row[rows.length] / row[at])
}
