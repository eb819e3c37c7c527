import {describe, expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {quadraticValue} from './binary-quadratic.ts'
import {searchMinima} from './search-minima.ts'
import {libraryIsThere, libraryMinima, randomQuadratic, readInstance} from './test-functions.ts'

const rowsOf = (rows: Uint8Array, m: number) =>
  Array.from({length: rows.length / m}, (_, at) => rows.slice(at * m, (at + 1) * m))

describe('searchMinima', () => {
  test('searchMinima(q) gives distinct local minima with their values, best first', () => {
    const q = randomQuadratic(40, 2)
    const {count, values, rows} = searchMinima(q, {starts: 100, rng: rng(1), keep: 30})
    expect(count).toBeGreaterThan(3)
    expect(count).toBeLessThanOrEqual(30)
    const points = rowsOf(rows, 40)
    expect(points).toHaveLength(count)
    expect(new Set(points.map(String)).size).toBe(count)
    points.forEach((y, at) => {
      expect(values[at]).toBe(quadraticValue(q, y))
      if (at > 0) expect(values[at]).toBeGreaterThanOrEqual(values[at - 1])
      for (let i = 0; i < 40; i++) {
        y[i] ^= 1
        expect(quadraticValue(q, y)).toBeGreaterThanOrEqual(values[at] - 1e-10)
        y[i] ^= 1
      }
    })
  })

  test('searchMinima(q, {keep}) keeps the best of what a longer list has', () => {
    const q = randomQuadratic(30, 3, 50)
    const many = searchMinima(q, {starts: 50, rng: rng(1), keep: 1000})
    const few = searchMinima(q, {starts: 50, rng: rng(1), keep: 4})
    expect(few.values).toEqual(many.values.slice(0, 4))
  })

  test('searchMinima(q, {points}) climbs out of a well that descent is caught in', () => {
    const q = {size: 3, linear: Float64Array.of(1, 1, 1), quadratic: Float64Array.of(-2, -2, -2)}
    const {values} = searchMinima(q, {starts: 0, rng: rng(1), keep: 1, points: new Uint8Array(3)})
    expect(values[0]).toBe(-3)
  })

  test('searchMinima(q) depends on the generator and on nothing else', () => {
    const q = randomQuadratic(80, 4)
    const run = (seed: number) => searchMinima(q, {starts: 1, rng: rng(seed), keep: 50})
    expect(run(1)).toEqual(run(1))
    expect(run(1)).not.toEqual(run(2))
  })

  test('searchMinima(q) without a start gives nothing, and of no variable the empty point', () => {
    expect(searchMinima(randomQuadratic(5, 1), {starts: 0, rng: rng(1), keep: 3}).count).toBe(0)
    const none = {size: 0, linear: new Float64Array(0), quadratic: new Float64Array(0)}
    expect(searchMinima(none, {starts: 2, rng: rng(1), keep: 3})).toMatchObject({count: 1, values: Float64Array.of(0)})
  })

  test.runIf(libraryIsThere)('searchMinima(q) reaches the best-known values of the library', () => {
    for (const [name, best] of libraryMinima)
      expect(searchMinima(readInstance(name), {starts: 100, rng: rng(1), keep: 1}).values[0], name).toBe(best)
  })
})
