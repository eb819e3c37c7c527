import {expect, test} from 'vitest'
import {quadraticValue} from './binary-function.ts'
import {pairIndex} from './pair-index.ts'

test('pairIndex(i, k, m) counts the pairs row by row', () => {
  for (const m of [2, 3, 7]) {
    const places: number[] = []
    for (let i = 0; i < m; i++) for (let k = i + 1; k < m; k++) places.push(pairIndex(i, k, m))
    expect(places).toEqual(places.map((_, at) => at))
    expect(places).toHaveLength((m * (m - 1)) / 2)
  }
})

test('quadraticValue(q, y) adds the coefficients of the variables that are on, and of their pairs', () => {
  const q = {size: 3, linear: Float64Array.of(1, 2, 4), quadratic: Float64Array.of(10, 20, 40)}
  expect(quadraticValue(q, [0, 0, 0])).toBe(0)
  expect(quadraticValue(q, [1, 0, 1])).toBe(1 + 4 + 20)
  expect(quadraticValue(q, [0, 1, 1])).toBe(2 + 4 + 40)
  expect(quadraticValue(q, [1, 1, 1])).toBe(7 + 70)
})
