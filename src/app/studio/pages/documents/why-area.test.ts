import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {fallScale, signedText} from './why-area.tsx'

const step = fc.double({min: -6, max: 6, noNaN: true})

/** Steps that add up, from 0. */
function rowsOf(steps: readonly number[]) {
  let at = 0
  return steps.map(logOdds => {
    const from = at
    at += logOdds
    return {from, to: at}
  })
}

describe('fallScale', () => {
  it('keeps bars on the picture; each begins where the last one ended', () => {
    fc.assert(
      fc.property(fc.array(step, {minLength: 1, maxLength: 20}), steps => {
        const rows = rowsOf(steps)
        const scale = fallScale(rows, rows.at(-1)?.to ?? 0, 136)
        expect(scale.zero).toBeGreaterThanOrEqual(3)
        for (const {from, to} of rows) {
          const {x, width} = scale.bar(from, to)
          expect(x).toBeGreaterThanOrEqual(3 - 1e-9)
          expect(x + width).toBeLessThanOrEqual(133 + 1.5)
          expect(width).toBeGreaterThanOrEqual(1.5)
        }
      })
    )
  })

  it('draws certainty to the right of the rest, and certain absence to the left', () => {
    const sure = fallScale(
      [
        {from: 0, to: -2},
        {from: -2, to: Number.POSITIVE_INFINITY}
      ],
      Number.POSITIVE_INFINITY,
      136
    )
    expect(sure.bar(-2, Number.POSITIVE_INFINITY)).toEqual({x: 3, width: 130})
    expect(sure.zero).toBeLessThan(133)
    const never = fallScale([{from: 0, to: Number.NEGATIVE_INFINITY}], Number.NEGATIVE_INFINITY, 136)
    expect(never.bar(0, Number.NEGATIVE_INFINITY)).toEqual({x: 3, width: 130})
  })
})

it('signs log-odds', () => {
  expect([1.2, -0.351, 0.001, Number.POSITIVE_INFINITY].map(signedText)).toEqual(['+1.20', '−0.35', '0.00', 'certain'])
})
