import fc from 'fast-check'
import {expect, test} from 'vitest'
import {exp} from '../../base/numeric/index.ts'
import {type LinePoint, searchLine} from './search-line.ts'

/** c (t - best)^2 / 2 */
const parabola = (c: number, best: number) => (t: number) => ({
  value: (c * (t - best) ** 2) / 2,
  slope: c * (t - best),
  curvature: c
})

const search = (at: (t: number) => LinePoint) => {
  let trials = 0
  const found = searchLine(at(0), t => {
    trials++
    return at(t)
  })
  return {found, trials}
}

test('searchLine(...) takes the full step when it is good enough, and asks no more', () => {
  expect(search(parabola(3, 1.2))).toEqual({found: {t: 1, value: expect.closeTo(0.06, 12)}, trials: 1})
})

test('searchLine(...) finds the minimum of a parabola in two trials, near or far', () => {
  for (const best of [1e-6, 0.1, 40, 1e6]) {
    const {found, trials} = search(parabola(2, best))
    expect(found?.t).toBeCloseTo(best, 6)
    expect(trials).toBe(2)
  }
})

test('searchLine(...) halves the slope and never raises the value of exp(a t) - b t', () => {
  const shape = fc.record({
    a: fc.double({min: 0.01, max: 50, noNaN: true}),
    b: fc.double({min: 1.01, max: 100, noNaN: true})
  })
  fc.assert(
    fc.property(shape, ({a, b}) => {
      const at = (t: number) => {
        const e = exp(a * t)
        return {value: e - a * b * t, slope: a * (e - b), curvature: a * a * e}
      }
      const found = searchLine(at(0), at)
      expect(found).toBeDefined()
      const {value, slope} = at(found?.t ?? 0)
      expect(found?.value).toBe(value)
      expect(Math.abs(slope)).toBeLessThanOrEqual(0.5 * Math.abs(at(0).slope))
      expect(value).toBeLessThan(at(0).value)
    })
  )
})

test('searchLine(...) does not take a step that flattens the slope but raises the value', () => {
  // The slope rises from -1 to 0.4 within 0.14 and stays: small at 1, yet the value there is above the start.
  const at = (t: number) => {
    const bent = Math.min(t, 0.14)
    return {
      value: -bent + 5 * bent * bent + 0.4 * (t - bent),
      slope: -1 + 10 * bent,
      curvature: t < 0.14 ? 10 : 0
    }
  }
  expect(at(1).value).toBeGreaterThan(at(0).value)
  const {found} = search(at)
  expect(found?.t).toBeLessThan(0.14)
  expect(found?.value).toBeLessThan(0)
})

test('searchLine(...) gives up where the function does not fall, or falls for ever', () => {
  for (const slope of [0, 1, Number.NaN])
    expect(search(() => ({value: 1, slope, curvature: 0}))).toEqual({found: undefined, trials: 0})
  expect(search(t => ({value: -t, slope: -1, curvature: 0})).found).toBeUndefined()
})
