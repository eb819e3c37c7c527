import fc from 'fast-check'
import {expect, test} from 'vitest'
import {largestDifference} from '../../../test/tables.ts'
import {dot, exp, type Rng, rng} from '../../base/numeric/index.ts'
import {descentDirection, type LinePoint, searchLine} from './lbfgs.ts'

const size = 6
const vector = (random: Rng) => Float64Array.from({length: size}, () => random.next() - 0.5)

/** A quadratic with a diagonal and one dense direction. */
function randomPairs(count: number, random: Rng) {
  const scale = Float64Array.from({length: size}, () => 0.1 + 10 * random.next())
  const u = vector(random)
  const multiply = (v: Float64Array) => v.map((value, e) => scale[e] * value + 5 * dot(u, v) * u[e])
  return Array.from({length: count}, () => {
    const s = vector(random)
    return {s, y: multiply(s)}
  })
}

/** The same by its definition: H <- (I - s y'/s'y) H (I - y s'/s'y) + s s'/s'y, on dense matrices. */
function denseDirection(pairs: readonly {s: Float64Array; y: Float64Array}[], diagonal: Float64Array, g: Float64Array) {
  const last = pairs.at(-1)
  const scale = last
    ? dot(last.s, last.y) /
      dot(
        last.y,
        last.y.map((value, e) => value * diagonal[e])
      )
    : 1
  let apply = (v: Float64Array) => v.map((value, e) => scale * diagonal[e] * value)
  for (const {s, y} of pairs) {
    const inner = apply
    const product = dot(s, y)
    apply = v => {
      const along = dot(s, v) / product
      const middle = inner(v.map((value, e) => value - along * y[e]))
      const back = dot(y, middle) / product
      return middle.map((value, e) => value - back * s[e] + along * s[e])
    }
  }
  return apply(g).map(value => -value)
}

test('descentDirection(...) equals the dense update by its definition, with no pairs, one and several', () => {
  const random = rng(4)
  const diagonal = Float64Array.from({length: size}, () => 0.1 + random.next())
  for (const count of [0, 1, 4]) {
    const given = randomPairs(count, random)
    const pairs = given.map(({s, y}) => ({step: s, change: y, product: dot(s, y)}))
    const g = vector(random)
    expect(largestDifference(descentDirection(g, pairs, diagonal), denseDirection(given, diagonal, g))).toBeLessThan(
      1e-10
    )
  }
})

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
