import fc from 'fast-check'
import {expect, test} from 'vitest'
import {positiveUnlabelledLabels} from './positive-unlabelled.ts'

const share = fc.double({min: 0.01, max: 0.99, noNaN: true})

test('positiveUnlabelledLabels(...) is P(Y = 1 | x, A) where no anchor is false', () => {
  fc.assert(
    fc.property(share, share, (p, c) => {
      // Four cells: with the concept and the anchor p c, with the concept alone p (1 - c), without 1 - p.
      const [fired, not] = positiveUnlabelledLabels([1, 0], [p * c, p * c], c)
      expect(fired).toBe(1)
      expect(not).toBeCloseTo((p * (1 - c)) / (p * (1 - c) + 1 - p), 10)
      expect(p * c * fired + (1 - p * c) * not).toBeCloseTo(p, 10)
    })
  )
})

test('positiveUnlabelledLabels(...) stays at 1 for chances above the labelled share, and at 0 for none', () => {
  expect([...positiveUnlabelledLabels([0, 0, 0, 0], [0.5, 0.7, 1, 0], 0.5)]).toEqual([1, 1, 1, 0])
  expect([...positiveUnlabelledLabels([0], [0.4], 1)]).toEqual([0])
})

test('positiveUnlabelledLabels(...) refuses a share that is none', () => {
  for (const odd of [0, -1, 1.1, Number.NaN])
    expect(() => positiveUnlabelledLabels([1], [0.5], odd)).toThrow('must lie in (0, 1]')
})
