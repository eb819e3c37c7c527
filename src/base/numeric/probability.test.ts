import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {mutualInformation, sigmoid} from './probability.ts'

const {NEGATIVE_INFINITY, POSITIVE_INFINITY} = Number
const moderate = fc.double({min: -20, max: 20, noNaN: true})

/** Distributions over `size` cells; some cells are 0. */
function anyDistribution(size: number): fc.Arbitrary<number[]> {
  return fc
    .array(fc.oneof({arbitrary: fc.double({min: 0.001, max: 1, noNaN: true}), weight: 4}, fc.constant(0)), {
      minLength: size,
      maxLength: size
    })
    .filter(cells => cells.some(cell => cell > 0))
    .map(cells => {
      const sum = cells.reduce((total, cell) => total + cell, 0)
      return cells.map(cell => cell / sum)
    })
}

describe('sigmoid', () => {
  test('sigmoid(x) equals 1 / (1 + exp(-x)), and sigmoid(x) + sigmoid(-x) = 1', () => {
    fc.assert(
      fc.property(moderate, x => {
        expect(sigmoid(x)).toBeCloseTo(1 / (1 + Math.exp(-x)), 14)
        expect(sigmoid(x) + sigmoid(-x)).toBeCloseTo(1, 14)
      }),
      {seed: 3}
    )
  })

  test('sigmoid(x) stays a number at both ends and keeps its relative precision far below', () => {
    expect([sigmoid(1000), sigmoid(-1000), sigmoid(0)]).toEqual([1, 0, 0.5])
    expect([sigmoid(POSITIVE_INFINITY), sigmoid(NEGATIVE_INFINITY)]).toEqual([1, 0])
    expect(sigmoid(-700) / Math.exp(-700)).toBeCloseTo(1, 12)
    expect(sigmoid(-740)).toBeGreaterThan(0)
  })
})

const entropy = (p: readonly number[]) =>
  p.filter(cell => cell > 0).reduce((sum, cell) => sum - cell * Math.log(cell), 0)

describe('mutualInformation', () => {
  test('mutualInformation(table) is H(i) + H(k) - H(i, k), whichever variable comes first', () => {
    fc.assert(
      fc.property(anyDistribution(4), ([p00, p01, p10, p11]) => {
        const naive = entropy([p00 + p01, p10 + p11]) + entropy([p00 + p10, p01 + p11]) - entropy([p00, p01, p10, p11])
        expect(mutualInformation([p00, p01, p10, p11])).toBeCloseTo(Math.max(0, naive), 11)
        expect(mutualInformation([p00, p10, p01, p11])).toBeCloseTo(Math.max(0, naive), 11)
      }),
      {seed: 7}
    )
  })
})

test('mutualInformation(...) is log 2 for fair copies, and finite where a margin is all but 0', () => {
  expect(mutualInformation([0.5, 0, 0, 0.5])).toBeCloseTo(Math.LN2, 14)
  expect(mutualInformation([1e-17, 0, 0.5, 0.5])).toBeLessThan(1e-15)
  expect(mutualInformation([0, 0, 0.4, 0.6 + 1e-16])).toBe(0)
})
