import {expect, test} from 'vitest'
import {quadraticValue} from './binary-function.ts'
import {ENUMERATION_LIMIT, enumerateMinimum} from './enumerate-minimum.ts'
import {randomQuadratic, smallestValue} from './test-functions.ts'

test('enumerateMinimum(q) equals a look at every point, also where sums are made anew on the way', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const q = randomQuadratic(14, seed)
    const {y, value} = enumerateMinimum(q)
    expect(value).toBe(smallestValue(14, x => quadraticValue(q, x)))
    expect(quadraticValue(q, y)).toBe(value)
  }
})

test('enumerateMinimum(q) refuses what would take hours', () => {
  const size = ENUMERATION_LIMIT + 1
  expect(() => enumerateMinimum(randomQuadratic(size, 1))).toThrow(
    expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/31 binary variables; at most 30/)})
  )
})
