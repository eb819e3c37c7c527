import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {exp, log, log1p} from './elementary.ts'
import {crc32} from './hash.ts'
import {rng} from './rng.ts'

const {NaN: nan, NEGATIVE_INFINITY, POSITIVE_INFINITY, MIN_VALUE, MAX_VALUE} = Number

/** Doubles of every magnitude between 2^low and 2^high. */
const magnitude = (low: number, high: number) =>
  fc
    .tuple(fc.integer({min: low, max: high - 1}), fc.double({min: 1, max: 2, maxExcluded: true, noNaN: true}))
    .map(([power, fraction]) => fraction * 2 ** power)

/** Both are off by less than one unit in the last place, so that they differ by less than two. */
function expectAsMath(name: 'exp' | 'log' | 'log1p', numbers: fc.Arbitrary<number>, examples: readonly number[]) {
  const found = {exp, log, log1p}[name]
  fc.assert(
    fc.property(numbers, x => {
      const expected = Math[name](x)
      const unit = Math.max(Math.abs(expected) * 2 ** -52, MIN_VALUE)
      expect(Math.abs(found(x) - expected)).toBeLessThan(2 * unit + MIN_VALUE)
    }),
    {seed: 1, numRuns: 2000, examples: examples.map((x): [number] => [x])}
  )
}

describe('exp, log and log1p agree with Math up to the last bit', () => {
  test('exp(x), from the smallest result to the largest', () => {
    const near = fc.double({min: -1, max: 1, noNaN: true})
    const far = fc.double({min: -745.13, max: 709.78, noNaN: true})
    const examples = [0, MIN_VALUE, 1e-17, 0.5, 1, -1, 709.782712893383, -708.4, -744.44, -745.13]
    expectAsMath('exp', fc.oneof(near, far), examples)
  })

  test('log(x), from the smallest double to the largest', () => {
    const nearOne = fc.double({min: 0.5, max: 2, noNaN: true})
    const examples = [MIN_VALUE, 2 ** -1022, 1e-300, 0.5, 1 - 2 ** -53, 1 + 2 ** -52, Math.SQRT2, 1e300, MAX_VALUE]
    expectAsMath('log', fc.oneof(magnitude(-1074, 1024), nearOne), examples)
  })

  test('log1p(x), from just above -1 to the largest double, however tiny x is', () => {
    const small = fc.tuple(magnitude(-1000, 0), fc.constantFrom(-1, 1)).map(([x, sign]) => sign * x)
    const examples = [-1 + 2 ** -53, -0.9, -1e-16, 1e-16, 1e-300, 0.41421356237309503, 1, 3, 2 ** 53, 2 ** 60, 1e300]
    expectAsMath('log1p', fc.oneof(small, magnitude(0, 1000)), examples)
  })
})

describe('exp, log and log1p at their ends', () => {
  test.each([
    [0, 1],
    [-0, 1],
    [710, POSITIVE_INFINITY],
    [POSITIVE_INFINITY, POSITIVE_INFINITY],
    [-746, 0],
    [NEGATIVE_INFINITY, 0],
    [nan, nan]
  ])('exp(%d) is %d', (x, y) => {
    expect(exp(x)).toBe(y)
  })

  test.each([
    [1, 0],
    [0, NEGATIVE_INFINITY],
    [-0, NEGATIVE_INFINITY],
    [POSITIVE_INFINITY, POSITIVE_INFINITY],
    [-1, nan],
    [NEGATIVE_INFINITY, nan],
    [nan, nan]
  ])('log(%d) is %d', (x, y) => {
    expect(log(x)).toBe(y)
  })

  test.each([
    [0, 0],
    [-0, -0],
    [MIN_VALUE, MIN_VALUE],
    [-1, NEGATIVE_INFINITY],
    [POSITIVE_INFINITY, POSITIVE_INFINITY],
    [-2, nan],
    [nan, nan]
  ])('log1p(%d) is %d', (x, y) => {
    expect(log1p(x)).toBe(y)
  })
})

test('exp, log and log1p(...) have the same bits on every machine', () => {
  const random = rng(1)
  const draws = Array.from({length: 20_000}, () => random.next())
  const sums = [
    draws.map(u => exp(1400 * u - 700)),
    draws.map(u => exp(u - 0.5)),
    draws.map(u => log(u)),
    draws.map(u => log(exp(1400 * u - 700))),
    draws.map(u => log1p(3 * u - 1)),
    draws.map(u => log1p(u * 2 ** -40))
  ].map(values => {
    const view = new DataView(new ArrayBuffer(8 * values.length))
    values.forEach((value, at) => {
      view.setFloat64(8 * at, value, true)
    })
    return crc32(new Uint8Array(view.buffer))
  })
  expect(sums).toEqual([0x3e390817, 0x3311de9a, 0x3e75dad2, 0xa62d80cd, 0xf4a54cde, 0xbdc6d422])
})
