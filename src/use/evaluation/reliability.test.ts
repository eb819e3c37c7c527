import fc from 'fast-check'
import {expect, test} from 'vitest'
import {calibrationError, reliabilityCurve} from './reliability.ts'

const predictions = fc.array(fc.tuple(fc.double({min: 0, max: 1, noNaN: true}), fc.integer({min: 0, max: 1})), {
  minLength: 1,
  maxLength: 60
})

test('reliabilityCurve(...) takes probabilities of one fifteenth together, over all concepts, and leaves out empty bins', () => {
  // 0.335 and 0.395 share the sixth bin, 0.36 too; 0.31 has the fifth, and a certainty the last.
  const curve = reliabilityCurve(
    [
      [0.335, 0.31, 1],
      [0.395, 0.36]
    ],
    [
      [0, 0, 1],
      [1, 1]
    ]
  )
  expect(curve).toEqual([
    {meanProbability: 0.31, shareFound: 0, count: 1},
    {meanProbability: expect.closeTo((0.335 + 0.395 + 0.36) / 3, 12), shareFound: 2 / 3, count: 3},
    {meanProbability: 1, shareFound: 1, count: 1}
  ])
})

test('reliabilityCurve(...) keeps every prediction: its bins rise and add up to what was said and what was found', () => {
  fc.assert(
    fc.property(predictions, pairs => {
      const scores = pairs.map(([score]) => score)
      const truths = pairs.map(([, truth]) => truth)
      const curve = reliabilityCurve([scores], [truths])
      const total = (of: (bin: (typeof curve)[number]) => number) => curve.reduce((sum, bin) => sum + of(bin), 0)
      const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
      expect(total(({count}) => count)).toBe(pairs.length)
      expect(total(({count, meanProbability}) => count * meanProbability)).toBeCloseTo(sum(scores), 9)
      expect(total(({count, shareFound}) => count * shareFound)).toBeCloseTo(sum(truths), 9)
      curve.forEach(({meanProbability}, at) => {
        if (at > 0) expect(meanProbability).toBeGreaterThan(curve[at - 1].meanProbability)
      })
    })
  )
})

test('calibrationError(...) is the distance of what was said and what was found, a prediction at a time', () => {
  const curve = [
    {meanProbability: 0.1, shareFound: 0.2, count: 3},
    {meanProbability: 0.9, shareFound: 0.5, count: 1}
  ]
  expect(calibrationError(curve)).toBeCloseTo((3 * 0.1 + 0.4) / 4, 12)
  expect(calibrationError([{meanProbability: 0.25, shareFound: 0.25, count: 8}])).toBe(0)
})
