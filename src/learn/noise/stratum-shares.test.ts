import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {exp, log1p, type Rng, rng, sigmoid} from '../../base/numeric/index.ts'
import type {HierarchyParameter} from './fit-hierarchy.ts'
import {equalPoints, type LabelBin, pointQuantile, stratumShares} from './stratum-shares.ts'

const level: HierarchyParameter = {
  predictors: [[1]],
  priorMean: [-2],
  priorDeviation: [1e-4],
  priorSpread: 0.7,
  spreadWeight: 1e9
}
const slope: HierarchyParameter = {...level, priorMean: [0.8], priorSpread: 0.3}
const SLOPES = [0.2, 0.8, 1.4]

describe('stratumShares', () => {
  test('stratumShares(...) of documents that are all labelled is their share, without doubt', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), (positives, negatives) => {
        fc.pre(positives + negatives > 0)
        const {points} = stratumShares([[{score: 0, positives, negatives, unlabelled: 0}]], [0], [level])
        for (const point of points[0]) expect(point).toBeCloseTo(positives / (positives + negatives), 12)
      })
    )
  })

  test('stratumShares(...) has the posterior of a grid by brute force, when labelled documents are few of all', () => {
    const {points} = stratumShares([[{score: 0, positives: 3, negatives: 47, unlabelled: 1e9}]], [0], [level])
    const twin = bruteForce([{score: 0, positives: 3, negatives: 47, unlabelled: 1e9}], [0])
    for (const share of [0.05, 0.25, 0.5, 0.75, 0.95])
      expect(Math.abs(pointQuantile(points[0], share) / twin(share) - 1)).toBeLessThan(0.02)
  })

  test.each([
    {
      name: 'labels by chance',
      isLabelled: () => true,
      has: (score: number, random: Rng) => random.next() < sigmoid(-2.5 + score)
    },
    // The steeper the slope, the less such labels say of the level.
    {
      name: 'labels at both ends',
      isLabelled: (score: number) => Math.abs(score) > 3,
      has: (score: number) => score > 0
    }
  ])(
    'stratumShares(...) of scored documents has the posterior of a grid by brute force: $name',
    ({isLabelled, has}) => {
      const random = rng(8)
      const bins = Array.from({length: 40}, (_, at): LabelBin => {
        const score = at / 5 - 4
        const labelled = isLabelled(score) ? 4 : 0
        const positives = Array.from({length: labelled}).filter(() => has(score, random)).length
        return {score, positives, negatives: labelled - positives, unlabelled: 1e7 * exp(-((score + 1) ** 2) / 2)}
      })
      const {points} = stratumShares([bins], SLOPES, [level, slope])
      const twin = bruteForce(bins, SLOPES)
      const shares = Array.from({length: 48}, (_, part) => (part + 0.5) / 48)
      for (const share of [0.05, 0.25, 0.5, 0.75, 0.95])
        expect(Math.abs(pointQuantile(points[0], share) / twin(share) - 1)).toBeLessThan(0.05)
      const mean = (of: (share: number) => number) => shares.reduce((sum, share) => sum + of(share), 0) / shares.length
      expect(mean(share => pointQuantile(points[0], share)) / mean(twin) - 1).toBeCloseTo(0, 2)
    }
  )

  test('stratumShares(...) knows a share as well as a sample without replacement does', () => {
    const [n, N] = [1e5, 2e5]
    const wide = {...level, priorMean: [0], priorDeviation: [3]}
    const {points} = stratumShares(
      [[{score: 0, positives: 0.2 * n, negatives: 0.8 * n, unlabelled: N - n}]],
      [0],
      [wide]
    )
    const mean = points[0].reduce((sum, x) => sum + x, 0) / points[0].length
    const variance = points[0].reduce((sum, x) => sum + (x - mean) ** 2, 0) / points[0].length
    const expected = ((0.2 * 0.8) / n) * (1 - n / N)
    expect(Math.abs(mean - 0.2)).toBeLessThan(0.1 * Math.sqrt(expected))
    // Eight parts of a normal variable have 0.93 of its variance, 48 points 0.98.
    expect(variance / expected).toBeGreaterThan(0.9)
    expect(variance / expected).toBeLessThan(1.05)
  })

  test('stratumShares(...) of no document at all is a share still', () => {
    const {points} = stratumShares([[{score: 0, positives: 0, negatives: 0, unlabelled: 0}]], [0], [level])
    for (const point of points[0]) expect(point).toBe(0)
  })
})

describe('equalPoints', () => {
  test('equalPoints(...) cuts a sample into parts of one weight', () => {
    const sample = [3, 1, 2, 4].map(value => ({value, weight: 1}))
    expect([...equalPoints(sample, 4)]).toEqual([1, 2, 3, 4])
    expect([...equalPoints(sample, 2)]).toEqual([1.5, 3.5])
    expect([...equalPoints([{value: 7, weight: 0.3}], 3)]).toEqual([7, 7, 7])
  })

  test('equalPoints(...) counts a value as often as its weight says', () => {
    const sample = [
      {value: 0, weight: 9},
      {value: 1, weight: 1}
    ]
    expect(equalPoints(sample, 10).filter(point => point < 0.5)).toHaveLength(7)
    const points = equalPoints(
      Array.from({length: 1000}, (_, at) => ({value: at, weight: at})),
      100
    )
    // The density rises in proportion, so the median is at the root of a half.
    expect(pointQuantile(points, 0.5)).toBeCloseTo(1000 * Math.sqrt(0.5), -1)
  })

  test('equalPoints(...) are ascending and within the sample', () => {
    const entry = fc.record({
      value: fc.double({min: -9, max: 9, noNaN: true}),
      weight: fc.double({min: 0.01, max: 5, noNaN: true})
    })
    fc.assert(
      fc.property(fc.array(entry, {minLength: 1}), fc.integer({min: 1, max: 20}), (sample, count) => {
        const values = sample.map(({value}) => value)
        const points = equalPoints(sample, count)
        expect([...points]).toEqual([...points].sort((a, b) => a - b))
        expect(points[0]).toBeGreaterThanOrEqual(Math.min(...values))
        expect(points[count - 1]).toBeLessThanOrEqual(Math.max(...values) + 1e-9)
      })
    )
  })
})

describe('pointQuantile', () => {
  test('pointQuantile(...) is a straight line between the middles of the parts, and flat beyond', () => {
    const points = Float64Array.of(1, 2, 4, 8)
    expect([0.125, 0.25, 0.375, 0.5, 0.875].map(share => pointQuantile(points, share))).toEqual([1, 1.5, 2, 3, 8])
    expect([0.01, 0.99].map(share => pointQuantile(points, share))).toEqual([1, 8])
  })
})

/** Quantiles of the share by the formula: a wide fine grid of levels, all slopes, the middle spread alone. */
function bruteForce(bins: readonly LabelBin[], slopes: readonly number[]): (share: number) => number {
  const cells: {value: number; weight: number}[] = []
  const all = bins.reduce((sum, {unlabelled}) => sum + unlabelled, 0)
  for (const b of slopes)
    for (let x = -9; x < 3; x += 0.02) {
      let logWeight = 0
      let value = 0
      for (const {score, positives, negatives, unlabelled} of bins) {
        const z = x + b * score
        logWeight += positives * z - (positives + negatives) * log1p(exp(z))
        value += (unlabelled / all) * sigmoid(z)
      }
      const prior = (1 + (x + 2) ** 2 / (4 * 0.49)) ** -2.5
      const slopePrior = slopes.length > 1 ? (1 + (b - 0.8) ** 2 / (4 * 0.09)) ** -2.5 : 1
      cells.push({value, weight: prior * slopePrior * exp(logWeight)})
    }
  cells.sort((a, b) => a.value - b.value)
  const total = cells.reduce((sum, {weight}) => sum + weight, 0)
  return share => {
    let passed = 0
    const found = cells.find(({weight}) => {
      passed += weight
      return passed >= share * total
    })
    return found?.value ?? Number.NaN
  }
}
