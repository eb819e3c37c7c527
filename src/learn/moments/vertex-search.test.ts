import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {type Assignment, assignmentValue, enumerateMinimum, searchMinima} from './vertex-search.ts'

const minimizers: readonly [string, (coefficients: Float64Array, m: number) => Assignment][] = [
  ['enumerateMinimum', enumerateMinimum],
  ['searchMinima', (coefficients, m) => searchMinima(coefficients, m, 200, rng(3))[0]]
]

/** Coefficients of up to nine bits: whole and real, sparse and dense, small and large, all zero. */
const functions = fc
  .tuple(
    fc.integer({min: 1, max: 9}),
    fc.constantFrom(
      fc.integer({min: -5, max: 5}),
      fc.double({min: -1, max: 1, noNaN: true}),
      fc.oneof({arbitrary: fc.constant(0), weight: 4}, {arbitrary: fc.integer({min: -100, max: 100}), weight: 1}),
      fc.constant(0)
    )
  )
  .chain(([m, number]) => {
    const length = (m * (m + 1)) / 2
    return fc.record({
      m: fc.constant(m),
      coefficients: fc.array(number, {minLength: length, maxLength: length}).map(values => Float64Array.from(values))
    })
  })

function randomCoefficients(m: number, seed: number): Float64Array {
  const random = rng(seed)
  return Float64Array.from({length: (m * (m + 1)) / 2}, () => 2 * random.next() - 1)
}

/** The slow twin of every minimiser. */
function smallestValue(coefficients: Float64Array, m: number): number {
  let smallest = Number.POSITIVE_INFINITY
  for (let bits = 0; bits < 2 ** m; bits++)
    smallest = Math.min(
      smallest,
      assignmentValue(
        coefficients,
        Uint8Array.from({length: m}, (_, i) => (bits >> i) & 1)
      )
    )
  return smallest
}

test('assignmentValue(...) adds the coefficients of the bits that are on, and of their pairs', () => {
  const coefficients = Float64Array.of(1, 2, 4, 10, 20, 40)
  expect(assignmentValue(coefficients, [0, 0, 0])).toBe(0)
  expect(assignmentValue(coefficients, [1, 0, 1])).toBe(1 + 4 + 20)
  expect(assignmentValue(coefficients, [0, 1, 1])).toBe(2 + 4 + 40)
  expect(assignmentValue(coefficients, [1, 1, 1])).toBe(7 + 70)
})

describe.each(minimizers)('%s', (name, minimize) => {
  test(`${name}(...) finds the smallest value of any function, and an assignment that has it`, () => {
    fc.assert(
      fc.property(functions, ({coefficients, m}) => {
        const {y, value} = minimize(coefficients, m)
        const rounding = 1e-10 * coefficients.reduce((sum, each) => sum + Math.abs(each), 0)
        expect(y).toHaveLength(m)
        expect(value).toBe(assignmentValue(coefficients, y))
        expect(value).toBeLessThanOrEqual(smallestValue(coefficients, m) + rounding)
      }),
      {numRuns: 150, seed: 11}
    )
  })
})

test('searchMinima(...) gives distinct local minima with their values, best first', () => {
  const coefficients = randomCoefficients(40, 2)
  const found = searchMinima(coefficients, 40, 100, rng(1))
  expect(found.length).toBeGreaterThan(3)
  expect(new Set(found.map(({y}) => y.join())).size).toBe(found.length)
  found.forEach(({y, value}, at) => {
    expect(value).toBe(assignmentValue(coefficients, y))
    if (at > 0) expect(value).toBeGreaterThanOrEqual(found[at - 1].value)
    for (let i = 0; i < 40; i++) {
      const flipped = y.with(i, 1 - y[i])
      expect(assignmentValue(coefficients, flipped)).toBeGreaterThanOrEqual(value - 1e-10)
    }
  })
})
