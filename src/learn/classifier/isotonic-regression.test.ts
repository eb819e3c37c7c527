import fc from 'fast-check'
import {expect, test} from 'vitest'
import {isotonicRegression} from './isotonic-regression.ts'

const anyScored = fc
  .array(fc.record({score: fc.integer({min: -4, max: 4}), label: fc.constantFrom(0, 1)}), {minLength: 1, maxLength: 14})
  .map(pairs => ({scores: pairs.map(({score}) => score / 2), labels: pairs.map(({label}) => label)}))

/**
 * Isotonic regression by the min-max formula: at the g-th score, the greatest over a <= g of the least over b >= g of the
 * share of 1 among the scores a to b.
 */
function minMax(scores: readonly number[], labels: readonly number[]): number[] {
  const distinct = [...new Set(scores)].sort((a, b) => a - b)
  const share = (a: number, b: number) => {
    const within = labels.filter((_, d) => scores[d] >= distinct[a] && scores[d] <= distinct[b])
    return within.reduce((sum, label) => sum + label, 0) / within.length
  }
  const values = distinct.map((_, g) => {
    const worst = Array.from({length: g + 1}, (_, a) =>
      Math.min(...Array.from({length: distinct.length - g}, (_, more) => share(a, g + more)))
    )
    return Math.max(...worst)
  })
  return scores.map(score => values[distinct.indexOf(score)])
}

test('isotonicRegression(...) equals the min-max formula at every score', () => {
  fc.assert(
    fc.property(anyScored, ({scores, labels}) => {
      const expected = minMax(scores, labels)
      isotonicRegression(scores, labels).forEach((value, d) => {
        expect(value).toBeCloseTo(expected[d], 12)
      })
    }),
    {numRuns: 500}
  )
})

test('isotonicRegression(...) pools equal scores before it compares neighbours', () => {
  expect([...isotonicRegression([1, 0, 1, 0, 1], [0, 0, 1, 1, 1])]).toEqual([2 / 3, 1 / 2, 2 / 3, 1 / 2, 2 / 3])
})
