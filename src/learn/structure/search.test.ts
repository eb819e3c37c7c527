import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type GoldenTables, momentsFrom} from '../../../test/golden.ts'
import {mutualInformation} from '../../base/numeric/index.ts'
import type {Moments} from '../moments/index.ts'
import {chowLiuTree} from './search.ts'

describe('chowLiuTree', () => {
  test('chowLiuTree(...) is the best of all spanning trees of up to five concepts', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 1, max: 5}).chain(m => randomTables(m).map(tables => ({m, tables}))),
        ({m, tables}) => {
          const moments = momentsFrom(tables, m)
          const {parents, score} = chowLiuTree(moments, 0)
          const scores = spanningTrees(m).map(tree => treeScore(tree, moments))
          expect(scores).toHaveLength(m === 1 ? 1 : m ** (m - 2))
          expect(score).toBeCloseTo(Math.max(...scores), 12)
          const own = parents.flatMap((list, i) => list.map((parent): [number, number] => [parent, i]))
          expect(own).toHaveLength(m - 1)
          expect(treeScore(own, moments)).toBeCloseTo(score, 12)
        }
      ),
      {numRuns: 200}
    )
  })

  test('chowLiuTree(...) breaks ties always the same way: equal concepts all hang on the first', () => {
    const tables = Object.fromEntries(pairKeys(5).map(key => [key, [0.4, 0.1, 0.1, 0.4]]))
    const first = chowLiuTree(momentsFrom(tables, 5), 0)
    expect(first.parents).toEqual([[], [0], [0], [0], [0]])
    expect(chowLiuTree(momentsFrom(tables, 5), 0)).toEqual(first)
  })
})

function pairKeys(m: number): string[] {
  return Array.from({length: m}, (_, i) => Array.from({length: m - i - 1}, (_, at) => `${i},${i + at + 1}`)).flat()
}

/** Any pair tables, which need not agree with each other, just as those of the simplex need not. */
function randomTables(m: number): fc.Arbitrary<GoldenTables> {
  const table = fc
    .array(fc.integer({min: 1, max: 1_000_000}), {minLength: 4, maxLength: 4})
    .map(cells => cells.map(cell => cell / cells.reduce((sum, other) => sum + other, 0)))
  const keys = pairKeys(m)
  return fc
    .array(table, {minLength: keys.length, maxLength: keys.length})
    .map(tables => Object.fromEntries(keys.map((key, at) => [key, tables[at]])))
}

function treeScore(edges: readonly (readonly [number, number])[], moments: Moments): number {
  return edges.reduce((sum, [i, k]) => sum + mutualInformation(moments.pair(i, k)), 0)
}

/** All trees over m concepts, one for each Pruefer code. */
function spanningTrees(m: number): [number, number][][] {
  if (m === 1) return [[]]
  if (m === 2) return [[[0, 1]]]
  return Array.from({length: m ** (m - 2)}, (_, number) => {
    const code = Array.from({length: m - 2}, (_, at) => Math.floor(number / m ** at) % m)
    const degree = Array.from({length: m}, (_, i) => 1 + code.filter(k => k === i).length)
    const edges = code.map((k): [number, number] => {
      const leaf = degree.indexOf(1)
      degree[leaf]--
      degree[k]--
      return [leaf, k]
    })
    const [last, other] = degree.flatMap((left, i) => (left === 1 ? [i] : []))
    return [...edges, [last, other]]
  })
}
