import {describe, expect, test} from 'vitest'
import {topologicalOrder} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {branches, clusterRow, findCycles, fractionalEdges, growClusters, propagate} from './branch-and-cut.ts'
import type {FamilyScores} from './family-scores.ts'
import {type PackedFamilies, packFamilies} from './search-result.ts'
import {randomScores} from './test-scores.ts'

/** 0 <- {1}, {2}, {}; 1 <- {0}, {}; 2 <- {1}, {}. */
const family = (...parents: number[]) => ({parents, score: 0})
const three = packFamilies([
  [family(1), family(2), family()],
  [family(0), family()],
  [family(1), family()]
])

/** f(C), as it is defined. */
function outside({starts, parentStarts, parents}: PackedFamilies, x: Float64Array, cluster: readonly number[]): number {
  let sum = 0
  for (const i of cluster)
    for (let n = starts[i]; n < starts[i + 1]; n++)
      if (![...parents.subarray(parentStarts[n], parentStarts[n + 1])].some(k => cluster.includes(k))) sum += x[n]
  return sum
}

/** Some share of every concept on each of its families. */
function randomPoint({starts, children}: PackedFamilies, seed: number): Float64Array {
  const random = rng(seed)
  const x = Float64Array.from(children, () => (random.next() < 0.7 ? 0 : random.next()))
  for (let i = 0; i + 1 < starts.length; i++) {
    const own = x.subarray(starts[i], starts[i + 1])
    const sum = own.reduce((a, b) => a + b, 0)
    if (sum === 0) own[0] = 1
    else own.set(own.map(value => value / sum))
  }
  return x
}

describe('clusterRow(...)', () => {
  test('clusterRow(...) holds exactly where f(C) >= 1, whichever families it is said of', () => {
    for (let seed = 0; seed < 50; seed++) {
      const families = packFamilies(randomScores(6, 2, 0.6, rng(seed)))
      const x = randomPoint(families, seed)
      const cluster = [0, 2, 3, 5].slice(0, 2 + (seed % 3))
      const {indices, values, lower, upper} = clusterRow(families, cluster)
      const sum = Array.from(indices).reduce((total, n, at) => total + values[at] * x[n], 0)
      const room = Math.min(sum - lower, upper - sum)
      expect(room).toBeCloseTo(outside(families, x, cluster) - 1, 9)
    }
  })

  test('clusterRow(...) says it of fewer families', () => {
    expect(clusterRow(three, [0, 1])).toEqual({
      indices: [0, 3],
      values: [1, 1],
      lower: Number.NEGATIVE_INFINITY,
      upper: 1
    })
  })
})

describe('growClusters(...)', () => {
  test('growClusters(...) gives only violated clusters, each once, and never misses a violated pair altogether', () => {
    for (let seed = 0; seed < 50; seed++) {
      const families = packFamilies(randomScores(7, 2, 0.4, rng(seed)))
      const x = randomPoint(families, seed)
      const clusters = growClusters(families, x)
      for (const cluster of clusters) expect(outside(families, x, cluster)).toBeLessThan(1)
      expect(new Set(clusters.map(cluster => cluster.join())).size).toBe(clusters.length)
      const values = clusters.map(cluster => outside(families, x, cluster))
      expect(values).toEqual(values.toSorted((a, b) => a - b))
      const pairs = [0, 1, 2, 3, 4, 5, 6].flatMap(i => Array.from({length: i}, (_, k) => outside(families, x, [k, i])))
      if (Math.min(...pairs) < 0.99) expect(clusters.length).toBeGreaterThan(0)
    }
  })

  test('growClusters(...) finds a triangle of which no two concepts are a violated pair', () => {
    // 0 -> 1 -> 2 -> 0, wholly.
    expect(growClusters(three, Float64Array.of(0, 1, 0, 1, 0, 1, 0))).toEqual([[0, 1, 2]])
  })
})

describe('findCycles(...)', () => {
  test('findCycles(...) finds a shortest cycle through every concept that lies on one, and none in a graph without', () => {
    expect(findCycles(three, Float64Array.of(0, 1, 0, 1, 0, 1, 0))).toEqual([[0, 1, 2]])
    expect(findCycles(three, Float64Array.of(1, 0, 0, 1, 0, 1, 0))).toEqual([[0, 1]])
    expect(findCycles(three, Float64Array.of(0, 0, 1, 1, 0, 1, 0))).toEqual([])
  })

  test('findCycles(...) finds violated clusters exactly where the graph has a cycle', () => {
    for (let seed = 0; seed < 100; seed++) {
      const scores = randomScores(6, 2, 0.4, rng(seed))
      const families = packFamilies(scores)
      const random = rng(seed + 1000)
      const chosen = scores.map(list => Math.floor(random.next() * list.length))
      const x = new Float64Array(families.scores.length)
      for (const [i, at] of chosen.entries()) x[families.starts[i] + at] = 1
      const cycles = findCycles(families, x)
      expect(cycles.length > 0).toBe(topologicalOrder(scores.map((list, i) => list[chosen[i]].parents)) === undefined)
      for (const cycle of cycles) expect(outside(families, x, cycle)).toBe(0)
    }
  })
})

/** 0 <- {1}, {}; 1 <- {0, 2}, {0}, {}; 2 <- {0}, {}. */
const scores = [
  [family(1), family()],
  [family(0, 2), family(0), family()],
  [family(0), family()]
]
const families = packFamilies(scores)

test('fractionalEdges(...) sums families to edges, gives the most undecided first, and none of a whole x', () => {
  // Edge 0 -> 1 is there in two halves; 2 -> 1 in one; 1 -> 0 in a fifth.
  const x = Float64Array.of(0.2, 0.8, 0.5, 0.5, 0, 0, 1)
  expect(fractionalEdges(families, x)).toEqual([
    [2, 1],
    [1, 0]
  ])
  expect(fractionalEdges(families, Float64Array.of(0, 1, 1, 0, 0, 0, 1))).toEqual([])
})

test('branches(...) divides the families of the child by the edge, and leaves all others', () => {
  const [present, absent] = branches(families, new Uint8Array(7).fill(1), [0, 1])
  expect([...present]).toEqual([1, 1, 1, 1, 0, 1, 1])
  expect([...absent]).toEqual([1, 1, 0, 0, 1, 1, 1])
})

test('propagate(...) leaves out families that close a cycle with edges that must be there', () => {
  const [present] = branches(families, new Uint8Array(7).fill(1), [0, 1])
  expect([...(propagate(families, present) ?? [])]).toEqual([0, 1, 1, 1, 0, 1, 1])
})

test('propagate(...) sees that nothing is left', () => {
  expect(propagate(families, Uint8Array.of(1, 0, 1, 1, 0, 1, 1))).toBeUndefined()
  expect(propagate(families, Uint8Array.of(0, 0, 1, 1, 1, 1, 1))).toBeUndefined()
})

test('propagate(...) loses no graph without a cycle', () => {
  for (let seed = 0; seed < 60; seed++) {
    const some = randomScores(4, 2, 0.6, rng(seed))
    const packed = packFamilies(some)
    const random = rng(seed + 1000)
    const allowed = Uint8Array.from(packed.children, () => (random.next() < 0.5 ? 1 : 0))
    const left = propagate(packed, allowed)
    const before = graphs(some, allowed)
    expect(left === undefined ? [] : graphs(some, left)).toEqual(before)
  }
})

/** All graphs without a cycle of the families that are allowed. */
function graphs(all: FamilyScores, allowed: Uint8Array): string[] {
  const starts = packFamilies(all).starts
  const lists = all.map((list, i) => list.filter((_, at) => allowed[starts[i] + at]))
  let found: (readonly number[])[][] = [[]]
  for (const list of lists) found = found.flatMap(graph => list.map(({parents}) => [...graph, parents]))
  return found.filter(graph => topologicalOrder(graph) !== undefined).map(graph => JSON.stringify(graph))
}
