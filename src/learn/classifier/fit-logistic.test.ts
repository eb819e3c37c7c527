import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {largestDifference} from '../../../test/tables.ts'
import {rng, sigmoid} from '../../base/numeric/index.ts'
import {fitLogistic, logOdds} from './fit-logistic.ts'
import {sparseRows} from './sparse-rows.ts'
import {anyLabelledRows, denseMinimum, denseObjective, drawRows} from './test-rows.ts'

const tight = {tolerance: 1e-10}

describe('fitLogistic', () => {
  test('fitLogistic(...) reaches the minimum that dense Newton steps find', () => {
    fc.assert(
      fc.property(anyLabelledRows, fc.constantFrom(0.01, 1, 30), (data, ridge) => {
        const rowWeights = data.labels.map((_, d) => (d % 5 === 4 ? 0 : 1 + (d % 3)))
        const {weights, bias, certificate} = fitLogistic(data.rows, data.labels, {...tight, ridge, rowWeights})
        const minimum = denseMinimum(data, data.rows.columnCount, rowWeights, ridge)
        const objective = denseObjective(data, rowWeights, ridge, minimum)
        expect(certificate.status).toBe('optimal')
        expect(Math.abs(denseObjective(data, rowWeights, ridge, [...weights, bias]) - objective)).toBeLessThan(1e-8)
        expect(largestDifference([...weights, bias], minimum)).toBeLessThan(1e-4)
      })
    )
  })

  test('fitLogistic(...) takes a soft label as two rows that share it', () => {
    const {lists, labels} = drawRows(60, [2, -1, 0.5, 1], -0.5, rng(3))
    const soft = labels.map((label, d) => (d % 2 ? label : 0.3))
    const doubled = sparseRows(4, [...lists, ...lists])
    const rowWeights = [...soft, ...soft.map(label => 1 - label)]
    const twice = fitLogistic(doubled, [...lists.map(() => 1), ...lists.map(() => 0)], {...tight, rowWeights})
    const once = fitLogistic(sparseRows(4, lists), soft, tight)
    expect(largestDifference(once.weights, twice.weights)).toBeLessThan(1e-8)
    expect(once.bias).toBeCloseTo(twice.bias, 8)
  })

  test('fitLogistic(..., {without}) equals a fit to rows that never had these columns', () => {
    const {rows, lists, labels} = drawRows(80, [2, -1, 3, 1], -0.5, rng(5))
    const pinned = fitLogistic(rows, labels, {...tight, without: [2]})
    const cut = sparseRows(
      4,
      lists.map(list => list.filter(j => j !== 2))
    )
    const copied = fitLogistic(cut, labels, tight)
    expect(pinned.weights[2]).toBe(0)
    expect(largestDifference(pinned.weights, copied.weights)).toBeLessThan(1e-8)
    expect(pinned.bias).toBeCloseTo(copied.bias, 8)
  })

  test('fitLogistic(...) keeps weights finite on separable rows, larger for a smaller ridge', () => {
    const rows = sparseRows(2, [[0], [0], [1], [1]])
    const gap = (ridge: number) => {
      const {weights, certificate} = fitLogistic(rows, [1, 1, 0, 0], {ridge, tolerance: 1e-9})
      expect(certificate.status).toBe('optimal')
      return weights[0] - weights[1]
    }
    // By symmetry b = 0 and w1 = -w0, with ridge w0 = 2 / (1 + exp(w0)).
    for (const ridge of [1, 0.001]) expect((ridge * gap(ridge)) / 2).toBeCloseTo(2 * sigmoid(-gap(ridge) / 2), 7)
    expect(gap(0.001)).toBeGreaterThan(gap(1))
    expect(gap(1e-6)).toBeGreaterThan(gap(0.001) + 5)
    expect(gap(1e-6)).toBeLessThan(40)
  })

  test('fitLogistic(...) reaches the minimum for labels beyond 0 and 1', () => {
    fc.assert(
      fc.property(anyLabelledRows, fc.constantFrom(0.1, 1, 30), ({rows, lists, labels: plain}, ridge) => {
        // What a label flipped one time in ten, either way, is worth: 1.125 or -0.125, and the mean stays inside.
        const labels = plain.map(label => (label - 0.1) / 0.8)
        const mean = labels.reduce((sum, label) => sum + label, 0) / labels.length
        fc.pre(mean > 0.02 && mean < 0.98)
        const {weights, bias, certificate} = fitLogistic(rows, labels, {...tight, ridge})
        const ones = labels.map(() => 1)
        const minimum = denseMinimum({lists, labels}, rows.columnCount, ones, ridge)
        expect(certificate.status).toBe('optimal')
        expect(largestDifference([...weights, bias], minimum)).toBeLessThan(1e-4)
      })
    )
  })

  test('fitLogistic(...) stops at the step limit or where rounding leaves nothing to gain, and says so', () => {
    const {rows, labels} = drawRows(300, [2, -1, 0.5, 1, -2], -0.5, rng(8))
    expect(fitLogistic(rows, labels, {...tight, stepLimit: 2}).certificate).toEqual({steps: 2, status: 'step-limit'})
    const loose = fitLogistic(rows, labels, {tolerance: 1e-2}).certificate
    const close = fitLogistic(rows, labels, tight).certificate
    expect(loose.steps).toBeLessThan(close.steps)
    const {status} = fitLogistic(rows, labels, {tolerance: 1e-30, stepLimit: 10_000}).certificate
    expect(status).toBe('stalled')
  })

  test('fitLogistic(...) needs few steps where common words move every margin and words go together', () => {
    const random = rng(9)
    const {lists, labels} = drawRows(
      2000,
      Float64Array.from({length: 60}, () => random.next() - 0.5),
      -1,
      random,
      40
    )
    // Columns 60 to 119 follow the first 60, but for one time in ten.
    const doubled = lists.map(list => [...list, ...list.filter(() => random.next() < 0.9).map(j => j + 60)])
    expect(fitLogistic(sparseRows(120, doubled), labels, {tolerance: 1e-8}).certificate.steps).toBeLessThan(60)
  })
})

test('fitLogistic(...) refuses labels that are all alike', () => {
  const rows = sparseRows(2, [[0], [1], []])
  expect(() => fitLogistic(rows, [-1, 1, -2])).toThrow('mean label must lie between 0 and 1')
  expect(() => fitLogistic(rows, [0, 0, 0])).toThrow('got 0 over 3 rows')
  expect(() => fitLogistic(rows, [1, 1, 1])).toThrow('got 1 over 3 rows')
  expect(() => fitLogistic(rows, [1, 0, 0], {rowWeights: [0, 1, 1]})).toThrow('got 0 over 3 rows')
})

test('logOdds(...) sums bias and weights of each row', () => {
  const classifier = {...fitLogistic(sparseRows(2, [[0], [1]]), [1, 0]), weights: Float64Array.of(2, -1), bias: 0.5}
  expect([...logOdds(classifier, sparseRows(2, [[], [0], [1], [0, 1]]))]).toEqual([0.5, 2.5, -0.5, 1.5])
})
