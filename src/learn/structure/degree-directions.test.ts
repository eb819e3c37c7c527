import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  completedGraph,
  MixedGraph,
  markovEquivalent,
  type PartialGraph,
  topologicalOrder
} from '../../base/network/index.ts'
import {anyGraph, oracle} from '../../base/network/test-separation.ts'
import {rng} from '../../base/numeric/index.ts'
import {extendGraph, orientEdges, skeletonSearch, type TestedPair} from './degree.ts'

const anyway = () => true

/** The pairs of m concepts: those listed are joined or separated, the others parted by nobody knows what. */
function pairsOf(m: number, listed: readonly {pair: readonly number[]; separator?: readonly number[]; p: number}[]) {
  const pairs: TestedPair[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const known = listed.find(({pair}) => pair[0] === i && pair[1] === k)
      const joined = known !== undefined && known.separator === undefined
      const test = {statistic: 1, degreesOfFreedom: 1, pValue: known?.p ?? 0}
      pairs.push({i, k, joined, separator: known?.separator, test})
    }
  return pairs
}

const join = (i: number, k: number, p = 1e-9) => ({pair: [i, k], p})
const part = (i: number, k: number, separator: readonly number[], p = 0.5) => ({pair: [i, k], separator, p})
const open = ({graph}: {readonly graph: MixedGraph}) => graph.toPartialGraph()

describe('orientEdges(...)', () => {
  test('orientEdges(...) with true answers gives the completed graph', () => {
    fc.assert(
      fc.property(anyGraph(7, 3), parents => {
        const {pairs} = skeletonSearch(parents.length, oracle(parents), {
          maxDegree: 3,
          level: 0.01,
          isRequired: () => false,
          isBarred: () => false,
          onPair: () => {}
        })
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
    expect(oriented.graph.leads(a, b)).toBe(true)
    expect(oriented.graph.isUndirected(a, c)).toBe(true)
  })
})

test('extendGraph(...) of a completed graph is a member of its class', () => {
  fc.assert(
    fc.property(anyGraph(8), parents => {
      const extended = extendGraph(mixed(parents.length, completedGraph(parents)))
      expect(extended.added).toBe(0)
      expect(markovEquivalent(extended.parents, parents)).toBe(true)
    })
  )
})

test('extendGraph(...) keeps all directions of a graph without a directed cycle, and counts v-structures it adds', () => {
  let impossible = 0
  fc.assert(
    fc.property(anyGraph(7), fc.integer(), (parents, seed) => {
      const random = rng(seed)
      const edges = parents.flatMap((list, child) => list.map((parent): [number, number] => [parent, child]))
      const directed = edges.filter(() => random.next() < 0.2)
      const graph = mixed(parents.length, {directed, undirected: edges.filter(edge => !directed.includes(edge))})
      const before = collidersOf(
        parents.map((_, i) => parents.map((_, k) => k).filter(k => graph.leads(k, i))),
        parents
      )
      const extended = extendGraph(graph)
      expect(topologicalOrder(extended.parents)).toBeDefined()
      for (const [parent, child] of directed) expect(extended.parents[child]).toContain(parent)
      expect(extended.parents.flat().length).toBe(edges.length)
      expect(extended.added).toBe(collidersOf(extended.parents, parents) - before)
      if (extended.added > 0) impossible++
    }),
    {numRuns: 200}
  )
  expect(impossible).toBeGreaterThan(10)
})

function mixed(size: number, {directed, undirected}: PartialGraph): MixedGraph {
  const graph = new MixedGraph(size)
  for (const [i, k] of [...directed, ...undirected]) graph.join(i, k)
  for (const [i, k] of directed) graph.direct(i, k)
  return graph
}

/** How many pairs of parents of one child the skeleton does not join. */
function collidersOf(parents: readonly (readonly number[])[], skeleton: readonly (readonly number[])[]): number {
  const joined = (i: number, k: number) => skeleton[i].includes(k) || skeleton[k].includes(i)
  return parents.reduce(
    (sum, list) => sum + list.flatMap((i, at) => list.slice(at + 1).filter(k => !joined(i, k))).length,
    0
  )
}
