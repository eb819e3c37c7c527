import fc from 'fast-check'
import {expect, test} from 'vitest'
import {clustersOf} from './clusters.ts'

/** By its definition: for every pair of concepts in one group, its weight less what chance would give it. */
function modularity(weights: readonly (readonly number[])[], group: readonly number[]): number {
  const degree = weights.map(row => row.reduce((sum, weight) => sum + weight, 0))
  const total = degree.reduce((sum, one) => sum + one, 0)
  let sum = 0
  weights.forEach((row, i) => {
    row.forEach((weight, k) => {
      if (group[i] === group[k]) sum += weight / total - (degree[i] * degree[k]) / total ** 2
    })
  })
  return sum
}

/** Tries every union of two groups, by the definition, and keeps the best as long as it gains. */
function slowClusters(weights: readonly (readonly number[])[]): number[] {
  let group = weights.map((_, i) => i)
  for (;;) {
    const now = modularity(weights, group)
    let best: {readonly gain: number; readonly group: number[]} | undefined
    for (const into of new Set(group))
      for (const from of new Set(group)) {
        if (from <= into || !group.some((a, i) => a === into && group.some((b, k) => b === from && weights[i][k] > 0)))
          continue
        const joined = group.map(one => (one === from ? into : one))
        const gain = modularity(weights, joined) - now
        if (gain > (best?.gain ?? 0) + 1e-9) best = {gain, group: joined}
      }
    if (best === undefined) return group
    group = best.group
  }
}

/** As sets of concepts, without their numbers. */
function sets(group: readonly number[]): string[] {
  return [...new Set(group)].map(one => group.flatMap((each, i) => (each === one ? [i] : [])).join(' ')).sort()
}

function symmetric(size: number, cells: readonly number[]): number[][] {
  const weights = Array.from({length: size}, () => new Array<number>(size).fill(0))
  let at = 0
  for (let i = 0; i < size; i++) for (let k = i + 1; k < size; k++) weights[i][k] = weights[k][i] = cells[at++]
  return weights
}

test('clustersOf(...) joins what raises modularity most, as trying every union by its definition does', () => {
  // Sizes from a wide range, so that two unions hardly ever gain the same.
  const cell = fc.oneof(fc.constant(0), fc.double({min: 0.01, max: 9, noNaN: true}))
  fc.assert(
    fc.property(
      fc
        .integer({min: 1, max: 8})
        .chain(size => fc.tuple(fc.constant(size), fc.array(cell, {minLength: 28, maxLength: 28}))),
      ([size, cells]) => {
        const weights = symmetric(size, cells)
        const found = clustersOf(weights)
        if (weights.flat().every(weight => weight === 0)) expect(new Set(found).size).toBe(size)
        else expect(modularity(weights, found)).toBeCloseTo(modularity(weights, slowClusters(weights)), 6)
      }
    )
  )
})

test('clustersOf(...) finds two triangles joined by a thin line, the largest first, and leaves a single concept alone', () => {
  const weights = symmetric(8, new Array(28).fill(0))
  const join = (i: number, k: number, weight: number) => {
    weights[i][k] = weight
    weights[k][i] = weight
  }
  for (const [i, k] of [
    [5, 6],
    [6, 7],
    [5, 7],
    [4, 5],
    [1, 2],
    [2, 3],
    [1, 3]
  ])
    join(i, k, 2)
  join(3, 5, 0.1)
  const found = clustersOf(weights)
  expect(sets(found)).toEqual(['0', '1 2 3', '4 5 6 7'])
  expect([found[4], found[1], found[0]]).toEqual([0, 1, 2])
})
