import {expect, test} from 'vitest'
import {topologicalOrder} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {branches, fractionalEdges, propagate} from './branch-on-edges.ts'
import type {FamilyScores} from './family-scores.ts'
import {packFamilies} from './packed-families.ts'
import {randomScores} from './test-scores.ts'

const family = (...parents: number[]) => ({parents, score: 0})

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
