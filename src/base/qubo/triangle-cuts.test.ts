import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {TriangleCuts} from './triangle-cuts.ts'

/** Products of random unit vectors in the plane and beyond. */
function randomProducts(n: number, seed: number): Float64Array {
  const random = rng(seed)
  const vectors = Array.from({length: n}, () => {
    const v = [random.next() - 0.5, random.next() - 0.5, 0.2 * random.next()]
    const size = Math.hypot(...v)
    return v.map(x => x / size)
  })
  const X = new Float64Array(n * n)
  for (let a = 0; a < n; a++)
    for (let b = a + 1; b < n; b++) X[a * n + b] = vectors[a].reduce((sum, x, d) => sum + x * vectors[b][d], 0)
  return X
}

/** The worst violation of each triple, by trying all four. */
function violations(X: Float64Array, n: number): Map<string, number> {
  const found = new Map<string, number>()
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      for (let c = b + 1; c < n; c++) {
        for (const [beta, gamma] of [
          [1, 1],
          [1, -1],
          [-1, 1],
          [-1, -1]
        ]) {
          const sum = beta * X[a * n + b] + gamma * X[a * n + c] + beta * gamma * X[b * n + c]
          if (-1 - sum > 0.01) found.set([a, b, c, beta, gamma].join(), -1 - sum)
        }
      }
    }
  }
  return found
}

const listed = ({count, a, b, c, beta, gamma}: TriangleCuts) =>
  Array.from({length: count}, (_, at) => [a[at], b[at], c[at], beta[at], gamma[at]].join())

test('separate(X, n, budget) finds every violated inequality of random products when the budget allows', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const X = randomProducts(9, seed)
    const cuts = new TriangleCuts()
    cuts.separate(X, 9, 10_000)
    // A triple violates at most one of its four: two together would need a product beyond 1.
    expect(listed(cuts).sort()).toEqual([...violations(X, 9).keys()].sort())
  }
})

test('separate(X, n, budget) takes the worst first and nothing twice', () => {
  const X = randomProducts(14, 7)
  const all = violations(X, 14)
  const cuts = new TriangleCuts()
  cuts.separate(X, 14, 20)
  const first = listed(cuts)
  expect(first.length).toBeLessThanOrEqual(20)
  expect(first.length).toBeGreaterThan(5)
  const worst = [...all.values()].sort((x, y) => y - x)
  // Sizes are told apart to 1/128.
  for (const key of first) expect(all.get(key)).toBeGreaterThanOrEqual(worst[first.length - 1] - 1 / 128)
  for (let round = 0; round < 50; round++) cuts.separate(X, 14, 20)
  expect(new Set(listed(cuts)).size).toBe(cuts.count)
  expect(cuts.count).toBe(all.size)
})

test('dropIdle() lets go of the cuts without a multiplier, in order', () => {
  const cuts = new TriangleCuts()
  for (let at = 0; at < 200; at++) cuts.add(at, at + 1, at + 2, 1, -1, at % 3)
  cuts.dropIdle()
  expect(cuts.count).toBe(133)
  expect(listed(cuts).slice(0, 2)).toEqual(['1,2,3,1,-1', '2,3,4,1,-1'])
  expect(Array.from(cuts.multiplier.subarray(0, 3))).toEqual([1, 2, 1])
})
