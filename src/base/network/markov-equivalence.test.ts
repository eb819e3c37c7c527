import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {topologicalOrder} from './graph.ts'
import {completedGraph, isMarkovEquivalent} from './markov-equivalence.ts'
import {anyGraph, independences} from './test-separation.ts'

describe('isMarkovEquivalent(...)', () => {
  test('isMarkovEquivalent(...) equals comparing all independences of two graphs', () => {
    const pair = fc
      .tuple(anyGraph(5), fc.array(fc.nat(), {minLength: 1, maxLength: 3}))
      .map(([parents, picks]) => [parents, picks.reduce(withOneTurned, parents)])
      .filter(([, turned]) => topologicalOrder(turned) !== undefined)
    let equivalent = 0
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const same = independences(a) === independences(b)
        if (same) equivalent++
        expect(isMarkovEquivalent(a, b)).toBe(same)
      }),
      {numRuns: 200}
    )
    expect(equivalent).toBeGreaterThan(40)
    expect(equivalent).toBeLessThan(180)
  })

  test('isMarkovEquivalent(...) tells apart a v-structure and a chain, other edges, other sizes', () => {
    expect(isMarkovEquivalent([[], [0], [1]], [[1], [2], []])).toBe(true)
    expect(isMarkovEquivalent([[], [0], [1]], [[], [0, 2], []])).toBe(false)
    expect(isMarkovEquivalent([[]], [[], []])).toBe(false)
    expect(isMarkovEquivalent([[], [0], []], [[], [], [0]])).toBe(false)
  })
})

describe('completedGraph(...)', () => {
  test('completedGraph(...) directs just the edges that all equivalent graphs of four concepts direct alike', () => {
    const classes = new Map<string, number[][][]>()
    for (const parents of allGraphs(4)) {
      const key = independences(parents)
      classes.set(key, [...(classes.get(key) ?? []), parents])
    }
    expect(classes.size).toBe(185) // Gillispie and Perlman (2001)
    for (const members of classes.values()) {
      const edges = members.map(parents => new Set(parents.flatMap((list, i) => list.map(k => `${k} ${i}`))))
      const everywhere = [...edges[0]].filter(edge => edges.every(set => set.has(edge)))
      const {directed, undirected} = completedGraph(members[0])
      expect(directed.map(edge => edge.join(' ')).sort()).toEqual(everywhere.sort())
      expect(directed.length + undirected.length).toBe(edges[0].size)
      for (const parents of members) expect(completedGraph(parents)).toEqual({directed, undirected})
    }
  })
})

/** The graph with one edge the other way round. */
function withOneTurned(parents: number[][], pick: number): number[][] {
  const edges = parents.flatMap((list, child) => list.map(parent => [parent, child]))
  if (edges.length === 0) return parents
  const [parent, child] = edges[pick % edges.length]
  return parents.map((list, i) =>
    i === child ? list.filter(k => k !== parent) : i === parent ? [...list, child].sort((a, b) => a - b) : list
  )
}

/** All graphs without a cycle. */
function allGraphs(m: number): number[][][] {
  const pairs = Array.from({length: m}, (_, i) => i).flatMap(i => Array.from({length: i}, (_, k) => [k, i]))
  return Array.from({length: 3 ** pairs.length}, (_, code) => {
    const parents: number[][] = Array.from({length: m}, () => [])
    pairs.forEach(([k, i], at) => {
      const state = Math.floor(code / 3 ** at) % 3
      if (state === 1) parents[i].push(k)
      if (state === 2) parents[k].push(i)
    })
    return parents
  }).filter(parents => topologicalOrder(parents) !== undefined)
}
