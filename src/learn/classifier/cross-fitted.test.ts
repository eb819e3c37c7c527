import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {crossFittedLogOdds, dealFolds} from './cross-fitted.ts'
import {fitLogistic, logOdds} from './fit-logistic.ts'
import {sparseRows} from './sparse-rows.ts'
import {drawRows} from './test-rows.ts'

const {rows, lists, labels} = drawRows(91, [2, -1, 0.5, 1], -1, rng(1))

test('crossFittedLogOdds(...) scores each row by a fit to the rows of the other folds', () => {
  const options = {tolerance: 1e-9, ridge: 2, without: [1]}
  const result = crossFittedLogOdds(rows, labels, {...options, folds: 4, seed: 5})
  const fold = dealFolds(labels, {folds: 4, seed: 5})
  for (let held = 0; held < 4; held++) {
    const others = lists.map((_, d) => d).filter(d => fold[d] !== held)
    const part = sparseRows(
      4,
      others.map(d => lists[d])
    )
    const classifier = fitLogistic(
      part,
      others.map(d => labels[d]),
      options
    )
    logOdds(classifier, rows).forEach((score, d) => {
      if (fold[d] === held) expect(result[d]).toBeCloseTo(score, 6)
    })
  }
})

test('dealFolds(...) deals rows of either label evenly over the folds', () => {
  fc.assert(
    fc.property(fc.integer({min: 2, max: 6}), fc.nat(1000), (folds, seed) => {
      const fold = dealFolds(labels, {folds, seed})
      for (const label of [0, 1]) {
        const sizes = Array.from(
          {length: folds},
          (_, f) => labels.filter((l, d) => l === label && fold[d] === f).length
        )
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      }
    }),
    {numRuns: 30}
  )
})

test('crossFittedLogOdds(...) is the same for the same seed, 0 too, and other for another', () => {
  const first = crossFittedLogOdds(rows, labels)
  expect(crossFittedLogOdds(rows, labels, {seed: 0})).toEqual(first)
  expect(crossFittedLogOdds(rows, labels, {seed: 1})).not.toEqual(first)
})
