import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {factorShifted, invertFactor} from './shifted-cholesky.ts'

function randomSymmetric(n: number, seed: number): Float64Array {
  const random = rng(seed)
  const G = new Float64Array(n * n)
  for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) G[a * n + b] = G[b * n + a] = 2 * random.next() - 1
  return G
}

test("factorShifted(...) gives L with L L' = G + (1 + t) D, and invertFactor(...) its inverse", () => {
  const n = 7
  const G = randomSymmetric(n, 1)
  const d = Float64Array.from({length: n}, (_, a) => n + a)
  const L = new Float64Array(n * n)
  expect(factorShifted(G, d, 0.5, L)).toBe(true)
  const inverse = L.slice()
  invertFactor(inverse, n)
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) {
      let square = 0
      let unit = 0
      for (let e = 0; e <= a; e++) {
        if (e <= b) square += L[a * n + e] * L[b * n + e]
        if (e >= b) unit += L[a * n + e] * inverse[e * n + b]
      }
      expect(square).toBeCloseTo(a === b ? 1.5 * d[a] : G[a * n + b], 12)
      expect(unit).toBeCloseTo(a === b ? 1 : 0, 12)
    }
  }
})

test('factorShifted(...) says no at the edge of positive definiteness, and yes a little above', () => {
  // [[1, 1], [1, 1]] is semidefinite and no more.
  const G = Float64Array.of(0, 1, 1, 0)
  const d = Float64Array.of(1, 1)
  const L = new Float64Array(4)
  expect(factorShifted(G, d, 0, L)).toBe(false)
  expect(factorShifted(G, d, -1e-9, L)).toBe(false)
  expect(factorShifted(G, d, 1e-12, L)).toBe(true)
})
