import fc from 'fast-check'
import {expect, test} from 'vitest'
import {
  completedGraph,
  MixedGraph,
  markovEquivalent,
  type PartialGraph,
  topologicalOrder
} from '../../base/network/index.ts'
import {anyGraph} from '../../base/network/test-separation.ts'
import {rng} from '../../base/numeric/index.ts'
import {extendGraph} from './extend-graph.ts'

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

test('extendGraph(...) directs a ring of four, which has no extension, with one v-structure', () => {
  const ring: PartialGraph = {
    directed: [],
    undirected: [
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 3]
    ]
  }
  expect(extendGraph(mixed(4, ring))).toEqual({parents: [[1, 3], [2], [3], []], added: 1})
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
