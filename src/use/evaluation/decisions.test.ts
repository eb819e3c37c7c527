import fc from 'fast-check'
import {expect, test} from 'vitest'
import {decisionFigures} from './decisions.ts'

const scores = [
  [0.9, 0.5, 0.2, 0.1],
  [0.7, 0.4, 0.3, 0.0]
]
const truths = [
  [1, 0, 1, 0],
  [1, 1, 0, 0]
]

test('decisionFigures(...) agrees with a table worked out by hand, at any threshold', () => {
  // From 0.5 on, concept 0: one hit, one miss, one alarm; concept 1: one hit, one miss.
  const even = decisionFigures(scores, truths, 0.5)
  expect(even.microF1).toBeCloseTo((2 * 2) / (2 * 2 + 2 + 1), 12)
  expect(even.macroF1).toBeCloseTo((2 / (2 + 1 + 1) + 2 / (2 + 1)) / 2, 12)
  // From 0.2 on, concept 0: two hits, one alarm; concept 1: two hits, one alarm.
  const low = decisionFigures(scores, truths, 0.2)
  expect([low.microF1, low.macroF1]).toEqual([8 / (8 + 2), 4 / (4 + 1)])
  expect(decisionFigures(scores, truths, 0.95)).toEqual({microF1: 0, macroF1: 0})
})

test('decisionFigures(...) averages over the concepts that occur; alarms of the others count for micro F1 alone', () => {
  const figures = decisionFigures([[0.9, 0.1], [0.8]], [[1, 0], [0]], 0.5)
  expect(figures).toEqual({microF1: 2 / 3, macroF1: 1})
})

test('decisionFigures(...) of one concept is the harmonic mean of precision and recall', () => {
  const pairs = fc.array(fc.tuple(fc.integer({min: 0, max: 10}), fc.integer({min: 0, max: 1})), {minLength: 1})
  fc.assert(
    fc.property(pairs, fc.integer({min: 0, max: 10}), (drawn, tenth) => {
      const reported = drawn.filter(([score]) => score >= tenth)
      const hits = reported.filter(([, truth]) => truth === 1).length
      const present = drawn.filter(([, truth]) => truth === 1).length
      fc.pre(hits > 0)
      const precision = hits / reported.length
      const recall = hits / present
      const {microF1, macroF1} = decisionFigures(
        [drawn.map(([score]) => score / 10)],
        [drawn.map(([, truth]) => truth)],
        tenth / 10
      )
      expect(microF1).toBeCloseTo((2 * precision * recall) / (precision + recall), 12)
      expect(macroF1).toBe(microF1)
    })
  )
})
