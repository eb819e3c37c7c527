import {describe, expect, test} from 'vitest'
import {assignment} from '../../../test/golden.ts'
import type {SpanningTree} from '../../base/network/index.ts'
import {mutualInformation, rng} from '../../base/numeric/index.ts'
import {pairIndex} from '../../base/qubo/index.ts'
import {informativeTree, sampleTree, treeCoordinates} from './tree-point.ts'

const m = 5
/** Moments of a random distribution over all assignments. */
const weights = (() => {
  const random = rng(12)
  const raw = Array.from({length: 2 ** m}, () => random.next() ** 4)
  const sum = raw.reduce((total, weight) => total + weight, 0)
  return raw.map(weight => weight / sum)
})()
const x = coordinates(weights)
const tree = informativeTree(x, m)

describe('informativeTree', () => {
  test('informativeTree(...) is a tree whose concepts come after their parents', () => {
    expect([...tree.order].sort()).toEqual([0, 1, 2, 3, 4])
    tree.order.forEach((k, at) => {
      if (at === 0) expect(tree.parent[k]).toBe(-1)
      else expect(tree.order.slice(0, at)).toContain(tree.parent[k])
    })
  })

  test('informativeTree(...) has the most mutual information of all trees', () => {
    let most = Number.NEGATIVE_INFINITY
    // Every tree rooted at 0 is among the ways to give each other concept a parent.
    for (let code = 0; code < m ** (m - 1); code++) {
      const parents = [-1, ...Array.from({length: m - 1}, (_, at) => Math.floor(code / m ** at) % m)]
      if (isTree(parents)) most = Math.max(most, informationOf(parents))
    }
    expect(informationOf([...tree.parent])).toBeCloseTo(most, 12)
  })

  test('informativeTree(...) of one concept is that concept', () => {
    expect(informativeTree(Float64Array.of(0.3), 1)).toEqual({order: [0], parent: Int32Array.of(-1)})
  })
})

describe('treeCoordinates', () => {
  test('treeCoordinates(...) are the moments of the tree distribution, by enumeration', () => {
    const found = treeCoordinates(x, tree)
    const expected = coordinates(treeWeights(tree))
    found.forEach((value, at) => {
      expect(Math.abs(value - expected[at])).toBeLessThan(1e-14)
    })
  })

  test('treeCoordinates(...) keeps singles and the pairs along the edges, and leaves its input alone', () => {
    const copy = x.slice()
    const found = treeCoordinates(x, tree)
    expect(x).toEqual(copy)
    for (let k = 0; k < m; k++) {
      expect(found[k]).toBe(x[k])
      if (tree.parent[k] >= 0) expect(found[pair(k, tree.parent[k])]).toBeCloseTo(x[pair(k, tree.parent[k])], 14)
    }
  })
})

describe('sampleTree', () => {
  test('sampleTree(...) draws assignments as often as the tree distribution says', () => {
    const count = 20_000
    const drawn = Array.from({length: 2 ** m}, () => 0)
    const random = rng(3)
    for (let n = 0; n < count; n++) drawn[sampleTree(x, tree, random).reduce((code, bit) => 2 * code + bit, 0)]++
    treeWeights(tree).forEach((share, code) => {
      // Five standard errors of a share.
      const tolerance = 5 * Math.sqrt((share * (1 - share)) / count)
      expect(Math.abs(drawn[code] / count - share)).toBeLessThan(tolerance)
    })
  })

  test('sampleTree(...) draws the same for the same randomness', () => {
    expect(sampleTree(x, tree, rng(9))).toEqual(sampleTree(x, tree, rng(9)))
  })
})

function pair(i: number, k: number): number {
  return m + pairIndex(Math.min(i, k), Math.max(i, k), m)
}

/** P(all on) of singles and pairs, for weights on all assignments. */
function coordinates(shares: readonly number[]): Float64Array {
  const out = new Float64Array(m + (m * (m - 1)) / 2)
  shares.forEach((share, code) => {
    const y = assignment(code, m)
    for (let i = 0; i < m; i++) {
      if (y[i] === 1) out[i] += share
      for (let k = i + 1; k < m; k++) if (y[i] === 1 && y[k] === 1) out[pair(i, k)] += share
    }
  })
  return out
}

function tableOf(i: number, k: number): number[] {
  const q = x[pair(i, k)]
  return [1 - x[i] - x[k] + q, x[k] - q, x[i] - q, q]
}

/** The tree distribution: P(root) times P(concept | parent), for all assignments. */
function treeWeights({order, parent}: SpanningTree): number[] {
  return Array.from({length: 2 ** m}, (_, code) => {
    const y = assignment(code, m)
    return order.reduce((product, k) => {
      const i = parent[k]
      if (i < 0) return product * (y[k] === 1 ? x[k] : 1 - x[k])
      return (product * tableOf(i, k)[2 * y[i] + y[k]]) / (y[i] === 1 ? x[i] : 1 - x[i])
    }, 1)
  })
}

function informationOf(parents: readonly number[]): number {
  return parents.reduce((sum, i, k) => sum + (i < 0 ? 0 : mutualInformation(tableOf(i, k))), 0)
}

function isTree(parents: readonly number[]): boolean {
  return parents.every((_, k) => {
    let at = k
    for (let steps = 0; steps < m && at > 0; steps++) at = parents[at]
    return at === 0
  })
}
