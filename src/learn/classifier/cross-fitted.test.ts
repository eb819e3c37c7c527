import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng, sigmoid} from '../../base/numeric/index.ts'
import {crossFitted} from './cross-fitted.ts'
import {fitLogistic, logOdds} from './fit-logistic.ts'
import {sparseRows} from './sparse-rows.ts'
import {drawRows} from './test-rows.ts'

const {rows, lists, labels} = drawRows(91, [2, -1, 0.5, 1], -1, rng(1))

test('crossFitted(...) scores each row by a fit to the rows of the other folds', () => {
  const options = {tolerance: 1e-9, ridge: 2, without: [1]}
  const result = crossFitted(rows, labels, {...options, folds: 4, seed: 5})
  for (let held = 0; held < 4; held++) {
    const others = lists.map((_, d) => d).filter(d => result.fold[d] !== held)
    const own = lists.map((_, d) => d).filter(d => result.fold[d] === held)
    const classifier = fitLogistic(
      sparseRows(
        4,
        others.map(d => lists[d])
      ),
      others.map(d => labels[d]),
      options
    )
    const scores = logOdds(classifier, rows)
    for (const d of own) {
      expect(result.logOdds[d]).toBeCloseTo(scores[d], 6)
      expect(result.probabilities[d]).toBe(sigmoid(result.logOdds[d]))
    }
  }
  expect(result.certificates.map(({status}) => status)).toEqual(['optimal', 'optimal', 'optimal', 'optimal'])
})

test('crossFitted(...) deals rows of either label evenly over the folds', () => {
  fc.assert(
    fc.property(fc.integer({min: 2, max: 6}), fc.nat(1000), (folds, seed) => {
      const {fold} = crossFitted(rows, labels, {folds, seed, stepLimit: 0})
      for (const label of [0, 1]) {
        const sizes = Array.from(
          {length: folds},
          (_, f) => labels.filter((l, d) => l === label && fold[d] === f).length
        )
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
        expect(Math.min(...sizes)).toBeGreaterThan(0)
      }
    }),
    {numRuns: 30}
  )
})

test('crossFitted(...) is the same for the same seed, 0 too, and other for another', () => {
  const first = crossFitted(rows, labels)
  expect(crossFitted(rows, labels, {seed: 0})).toEqual(first)
  const other = crossFitted(rows, labels, {seed: 1})
  expect(other.fold).not.toEqual(first.fold)
  expect(new Set(first.fold)).toEqual(new Set([0, 1, 2]))
})

test('crossFitted(...) does not reward a column that only remembers its row', () => {
  // Every row has a column of its own: seen, it tells the label; unseen, it tells nothing.
  const named = sparseRows(
    60,
    Array.from({length: 60}, (_, d) => [d])
  )
  const half = Array.from({length: 60}, (_, d) => d % 2)
  const {probabilities} = crossFitted(named, half, {ridge: 0.01})
  for (const p of probabilities) expect(p).toBeCloseTo(0.5, 6)
})

test('crossFitted(...) refuses folds that would lack a label, labels beyond 0 and 1, and odd options', () => {
  const few = labels.map((_, d) => (d < 2 ? 1 : 0))
  expect(() => crossFitted(rows, few)).toThrow(
    'each of 3 folds needs a row with label 1; got 2 among 91; use fewer folds'
  )
  expect(() => crossFitted(rows, few, {folds: 2})).not.toThrow()
  expect(() =>
    crossFitted(
      rows,
      few.map(label => 1 - label)
    )
  ).toThrow('label 0; got 2')
  expect(() => crossFitted(rows, labels.with(3, 0.5))).toThrow('the label of row 3 must be 0 or 1; got 0.5')
  expect(() => crossFitted(rows, [0, 1])).toThrow(expect.objectContaining({code: 'mismatch'}))
  expect(() => crossFitted(rows, labels, {folds: 1})).toThrow('`folds` must be')
  expect(() => crossFitted(rows, labels, {seed: 0.5})).toThrow('`seed` must be')
  expect(() => crossFitted(rows, labels, JSON.parse('{"rowWeights": []}'))).toThrow('no option "rowWeights"')
})
