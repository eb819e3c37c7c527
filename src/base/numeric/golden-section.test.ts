import fc from 'fast-check'
import {expect, test} from 'vitest'
import {goldenSection} from './golden-section.ts'

test('goldenSection(...) encloses the maximum of a function that rises, then falls', () => {
  const number = fc.double({min: -5, max: 5, noNaN: true})
  fc.assert(
    fc.property(number, top => {
      const {low, high, best} = goldenSection(at => ({at, value: -Math.abs(at - top)}), [-6, 6], 0.01)
      expect(high - low).toBeLessThanOrEqual(0.01)
      // A comparison of values that differ by rounding may cut off that much.
      expect(top).toBeGreaterThanOrEqual(low - 1e-9)
      expect(top).toBeLessThanOrEqual(high + 1e-9)
      expect(best.at).toBeGreaterThanOrEqual(low)
      expect(best.at).toBeLessThanOrEqual(high)
    })
  )
})
