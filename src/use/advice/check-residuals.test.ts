import {expect, test} from 'vitest'
import {anchorStatistics} from './anchor-statistics.ts'
import {checkResiduals} from './check-residuals.ts'
import {pairResiduals} from './pair-residuals.ts'
import {countPlanted, countRows, exactRates, generated, trueRates} from './test-faults.ts'

const half = (concept: string) =>
  exactRates(concept, {prevalence: 0.4, precision: 0.99, truePositive: 0.5, falsePositive: 0.005})

test('checkResiduals(statistics, residuals) warns of the worst pairs, each concept once', () => {
  const tied = anchorStatistics(
    countRows({one: ['a'], two: ['b'], three: ['c']}, [
      [200, 'a b'],
      [100, 'c'],
      [700, 'x']
    ])
  )
  const findings = checkResiduals(tied, pairResiduals(tied, ['one', 'two', 'three'].map(half)))
  expect(findings).toMatchObject([
    {concept: 'one', severity: 'warning', kind: 'residual', evidence: {other: 'two', together: 200}}
  ])
  expect(findings[0].message).toMatch(
    /^its anchor and that of "two" fire together in 200 documents; with their rates there should be at most about \d+$/
  )
})

test('checkResiduals(statistics, residuals) does not accuse a concept twice', () => {
  const three = anchorStatistics(
    countRows({one: ['a'], two: ['b'], three: ['c']}, [
      [200, 'a b c'],
      [800, 'x']
    ])
  )
  const residuals = pairResiduals(three, ['one', 'two', 'three'].map(half))
  expect(residuals.every(({chance}) => chance < 1e-6)).toBe(true)
  expect(checkResiduals(three, residuals)).toHaveLength(1)
})

test('checkResiduals(statistics, residuals) says so when anchors shut each other out', () => {
  const apart = anchorStatistics(
    countRows({one: ['a'], two: ['b']}, [
      [450, 'a'],
      [450, 'b'],
      [100, 'x']
    ])
  )
  const findings = checkResiduals(apart, pairResiduals(apart, ['one', 'two'].map(half)))
  expect(findings[0].message).toMatch(
    /^either its anchor or that of "two" fires alone in 900 documents; with their rates there should be at most about \d+$/
  )
  expect(findings[0].remedy).toMatch(/^one shuts the other out/)
})

test('checkResiduals(statistics, residuals) has nothing against the true rates of generated documents', () => {
  for (const seed of [1, 2, 3]) {
    const planted = generated(seed, 2000, {concepts: 20, words: 30})
    const statistics = anchorStatistics(countPlanted(planted))
    expect(checkResiduals(statistics, pairResiduals(statistics, trueRates(planted.model)))).toEqual([])
  }
})
