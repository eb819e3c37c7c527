import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {clamp, entropy, klDivergence, logit, logSumExp, mutualInformation, sigmoid} from './probability.ts'

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

describe('logSumExp', () => {
  test('logSumExp(...) equals the naive formula where that does not overflow', () => {
    fc.assert(
      fc.property(fc.array(moderate, {minLength: 1, maxLength: 20}), values => {
        expect(logSumExp(values)).toBeCloseTo(Math.log(values.reduce((sum, value) => sum + Math.exp(value), 0)), 11)
      }),
      {seed: 1}
    )
  })

  test('logSumExp(...) moves with its arguments, far beyond what exp can hold', () => {
    fc.assert(
      fc.property(fc.array(moderate, {minLength: 1}), fc.integer({min: -100_000, max: 100_000}), (values, shift) => {
        expect(logSumExp(values.map(value => value + shift)) - shift).toBeCloseTo(logSumExp(values), 8)
      }),
      {seed: 2}
    )
  })

  test('logSumExp(...) of nothing, of zeros only and of an infinity', () => {
    expect(logSumExp([])).toBe(NEGATIVE_INFINITY)
    expect(logSumExp([NEGATIVE_INFINITY, NEGATIVE_INFINITY])).toBe(NEGATIVE_INFINITY)
    expect(logSumExp([NEGATIVE_INFINITY, 3])).toBe(3)
    expect(logSumExp([1, POSITIVE_INFINITY])).toBe(POSITIVE_INFINITY)
    expect(logSumExp(Float64Array.of(-800, -800))).toBeCloseTo(-800 + Math.LN2, 12)
  })
})

describe('sigmoid and logit', () => {
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

  test('logit(sigmoid(x)) is x, and logit of the ends is infinite', () => {
    fc.assert(
      fc.property(fc.double({min: -500, max: 15, noNaN: true}), x => {
        // Near p = 1 a unit in the last place of p, 1.1e-16, is exp(x) of x: 4e-10 at x = 15.
        expect(logit(sigmoid(x))).toBeCloseTo(x, 8)
      }),
      {seed: 4}
    )
    expect([logit(0), logit(0.5), logit(1)]).toEqual([NEGATIVE_INFINITY, 0, POSITIVE_INFINITY])
    expect(logit(1e-300)).toBeCloseTo(Math.log(1e-300), 10)
  })
})

test('clamp(...) keeps what lies inside and moves the rest to the nearer end', () => {
  expect([clamp(-1, 0, 1), clamp(0.3, 0, 1), clamp(2, 0, 1), clamp(0, 0, 1), clamp(1, 0, 1)]).toEqual([0, 0.3, 1, 0, 1])
})

const log2 = (x: number) => Math.log(x) / Math.LN2

describe('klDivergence and entropy', () => {
  test('klDivergence(p, q) is cross entropy less entropy, and never below 0', () => {
    fc.assert(
      fc.property(anyDistribution(5), anyDistribution(5), (p, q) => {
        const kl = klDivergence(p, q)
        if (p.some((cell, at) => cell > 0 && q[at] === 0)) {
          expect(kl).toBe(POSITIVE_INFINITY)
          return
        }
        const cross = p.reduce((sum, cell, at) => (cell === 0 ? sum : sum - cell * Math.log(q[at])), 0)
        expect(kl).toBeCloseTo(cross - entropy(p), 11)
        expect(kl).toBeGreaterThan(-1e-12)
      }),
      {seed: 5}
    )
  })

  test('klDivergence(p, q) is 0 for equal distributions, counts nothing where p is 0, and is not symmetric', () => {
    expect(klDivergence([0.2, 0.8], [0.2, 0.8])).toBe(0)
    expect(klDivergence([0, 1], [0.75, 0.25])).toBeCloseTo(Math.log(4), 14)
    expect(klDivergence([0.5, 0.5], [0, 1])).toBe(POSITIVE_INFINITY)
    expect(klDivergence([0.5, 0.5], [0.9, 0.1])).toBeCloseTo(0.5 * Math.log(0.5 / 0.9) + 0.5 * Math.log(5), 14)
    expect(klDivergence([0.9, 0.1], [0.5, 0.5])).toBeCloseTo(0.9 * Math.log(1.8) + 0.1 * Math.log(0.2), 14)
  })

  test('entropy(p) equals the naive formula, 0 for a certain value and log k for k equal cells', () => {
    fc.assert(
      fc.property(anyDistribution(6), p => {
        const bits = p.filter(cell => cell > 0).reduce((sum, cell) => sum + cell * log2(1 / cell), 0)
        expect(entropy(p)).toBeCloseTo(bits * Math.LN2, 12)
        expect(entropy(p)).toBeLessThanOrEqual(Math.log(6) + 1e-12)
      }),
      {seed: 6}
    )
    expect(entropy([0, 1, 0])).toBe(0)
    expect(entropy([0.25, 0.25, 0.25, 0.25])).toBeCloseTo(Math.log(4), 14)
  })
})

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

  test('mutualInformation(table) is 0 for independent variables and log 2 for fair copies', () => {
    fc.assert(
      fc.property(fc.double({min: 0, max: 1, noNaN: true}), fc.double({min: 0, max: 1, noNaN: true}), (i, k) => {
        const information = mutualInformation([(1 - i) * (1 - k), (1 - i) * k, i * (1 - k), i * k])
        expect(information).toBeGreaterThanOrEqual(0)
        expect(information).toBeLessThan(1e-12)
      }),
      {
        seed: 8,
        examples: [
          [0, 0],
          [1, 1],
          [0, 1]
        ]
      }
    )
    expect(mutualInformation([0.5, 0, 0, 0.5])).toBeCloseTo(Math.LN2, 14)
    expect(mutualInformation([0, 0.5, 0.5, 0])).toBeCloseTo(Math.LN2, 14)
  })
})

test('mutualInformation(...) stays finite where a margin is all but 0', () => {
  expect(mutualInformation([1e-17, 0, 0.5, 0.5])).toBeLessThan(1e-15)
  expect(mutualInformation([0, 0, 0.4, 0.6 + 1e-16])).toBe(0)
})
