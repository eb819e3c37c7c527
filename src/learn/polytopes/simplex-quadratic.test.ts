import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {minimizeOnSimplex} from './simplex-quadratic.ts'

describe('minimizeOnSimplex', () => {
  test('minimizeOnSimplex(...) of a distance to a point of the simplex finds it', () => {
    const H = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
    const w0 = Float64Array.of(1, 0, 0)
    const target = [0.2, 0.3, 0.5]
    // |w - target|^2 / 2, whose slopes at w0 are w0 - target.
    const w = minimizeOnSimplex(
      w0.map((share, n) => share - target[n]),
      H,
      w0,
      1e-14
    )
    w.forEach((share, n) => {
      expect(share).toBeCloseTo(target[n], 6)
    })
    expect([...w0]).toEqual([1, 0, 0])
  })

  test('minimizeOnSimplex(...) without curvature goes to the least slope', () => {
    expect([
      ...minimizeOnSimplex(Float64Array.of(2, 1, 3), new Float64Array(9), Float64Array.of(0.5, 0, 0.5), 0)
    ]).toEqual([0, 1, 0])
  })

  test('minimizeOnSimplex(...) stays in the simplex, and is right about the gap', () => {
    const size = 4
    const numbers = (length: number) =>
      fc.array(fc.double({min: -1, max: 1, noNaN: true}), {minLength: length, maxLength: length})
    fc.assert(
      fc.property(numbers(size), numbers(size * size), (slopes, B) => {
        const H = Float64Array.from({length: size * size}, (_, at) => {
          const [row, column] = [Math.floor(at / size), at % size]
          // B B' + 1: eigenvalues from 1 to 17, so that the steps shrink the gap by a fixed share.
          const identity = row === column ? 1 : 0
          return B.reduce((sum, _, k) => (k < size ? sum + B[row * size + k] * B[column * size + k] : sum), identity)
        })
        const w0 = new Float64Array(size).fill(1 / size)
        const w = minimizeOnSimplex(Float64Array.from(slopes), H, w0, 1e-6)
        expect(Math.min(...w)).toBeGreaterThanOrEqual(0)
        expect(w.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
        const slope = slopes.map((s, n) => s + w.reduce((sum, share, k) => sum + H[n * size + k] * (share - w0[k]), 0))
        const gap = slope.reduce((sum, s, n) => sum + s * w[n], 0) - Math.min(...slope)
        expect(gap).toBeLessThan(1e-6 + 1e-12)
      })
    )
  })
})
