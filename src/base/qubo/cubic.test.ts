import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {type BinaryCubic, cubicValue} from './binary-function.ts'
import {enumerateCubic} from './enumerate-minimum.ts'
import {tripleIndex} from './pair-index.ts'
import {searchCubic} from './search-minima.ts'
import {cubics, randomQuadratic, rounding, smallestValue} from './test-functions.ts'

const toleranceOf = (f: BinaryCubic) => rounding(f.linear, f.quadratic, f.cubic)

function randomCubic(size: number, seed: number): BinaryCubic {
  const random = rng(seed).stream('triples')
  const cubic = Float64Array.from({length: (size * (size - 1) * (size - 2)) / 6}, () => 2 * random.next() - 1)
  return {...randomQuadratic(size, seed), cubic}
}

test('tripleIndex(i, k, l, m) counts the triples row by row', () => {
  for (const m of [3, 4, 8]) {
    const places: number[] = []
    for (let i = 0; i < m; i++)
      for (let k = i + 1; k < m; k++) for (let l = k + 1; l < m; l++) places.push(tripleIndex(i, k, l, m))
    expect(places).toEqual(places.map((_, at) => at))
    expect(places).toHaveLength((m * (m - 1) * (m - 2)) / 6)
  }
})

test('cubicValue(f, y) adds the triples of the variables that are on', () => {
  const f = {
    size: 4,
    linear: Float64Array.of(1, 2, 4, 8),
    quadratic: new Float64Array(6),
    cubic: Float64Array.of(100, 200, 400, 800)
  }
  expect(cubicValue(f, [1, 1, 0, 0])).toBe(3)
  expect(cubicValue(f, [1, 0, 1, 1])).toBe(13 + 400)
  expect(cubicValue(f, [1, 1, 1, 1])).toBe(15 + 1500)
})

test('enumerateCubic(f) finds the smallest value of any function', () => {
  fc.assert(
    fc.property(cubics(8), f => {
      const {y, value} = enumerateCubic(f)
      expect(value).toBe(cubicValue(f, y))
      expect(value).toBeLessThanOrEqual(smallestValue(f.size, x => cubicValue(f, x)) + toleranceOf(f))
    }),
    {seed: 31}
  )
  const f = randomCubic(13, 2)
  expect(enumerateCubic(f).value).toBe(smallestValue(13, x => cubicValue(f, x)))
})

test('searchCubic(f) finds local minima, the best of them the smallest value where it can be checked', () => {
  fc.assert(
    fc.property(cubics(8), f => {
      const {values, rows} = searchCubic(f, {starts: 60, rng: rng(1), keep: 1})
      expect(values[0]).toBe(cubicValue(f, rows))
      expect(values[0]).toBeLessThanOrEqual(enumerateCubic(f).value + toleranceOf(f))
    }),
    {seed: 32}
  )
  const f = randomCubic(30, 1)
  const {values, rows} = searchCubic(f, {starts: 20, rng: rng(1), keep: 1})
  for (let i = 0; i < 30; i++) {
    const y = rows.slice()
    y[i] ^= 1
    expect(cubicValue(f, y)).toBeGreaterThanOrEqual(values[0])
  }
})

test('enumerateCubic(f) and searchCubic(f) refuse triples of the wrong number', () => {
  const f = {...randomCubic(5, 1), cubic: new Float64Array(9)}
  const refusal = expect.objectContaining({
    code: 'bad-option',
    message: expect.stringMatching(/cubic has 9 numbers; 10/)
  })
  expect(() => enumerateCubic(f)).toThrow(refusal)
  expect(() => searchCubic(f, {starts: 1, rng: rng(1), keep: 1})).toThrow(refusal)
})
