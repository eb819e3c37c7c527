import {expect, test} from 'vitest'
import {largestDifference} from '../../../test/tables.ts'
import {dot, type Rng, rng} from '../../base/numeric/index.ts'
import {addMultiple, CurvaturePairs} from './curvature-pairs.ts'

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

test('direction(...) equals the dense update by its definition, with none, few and more pairs than it holds', () => {
  const random = rng(4)
  const diagonal = Float64Array.from({length: size}, () => 0.1 + random.next())
  const zero = new Float64Array(size)
  for (const count of [0, 1, 3, 4, 9]) {
    const given = randomPairs(count, random)
    const pairs = new CurvaturePairs(diagonal, 4)
    for (const {s, y} of given) pairs.add(s, zero, y)
    const g = vector(random)
    const out = new Float64Array(size).fill(7)
    pairs.direction(g, out)
    expect(largestDifference(out, denseDirection(given.slice(-4), diagonal, g))).toBeLessThan(1e-10)
  }
})

test('add(...) takes the change of gradient, after less before', () => {
  const random = rng(5)
  const diagonal = new Float64Array(size).fill(1)
  const [{s, y}] = randomPairs(1, random)
  const before = vector(random)
  const pairs = new CurvaturePairs(diagonal, 4)
  pairs.add(
    s,
    before,
    before.map((value, e) => value + y[e])
  )
  const out = new Float64Array(size)
  // The secant equation: H y = s.
  pairs.direction(y, out)
  expect(
    largestDifference(
      out,
      s.map(value => -value)
    )
  ).toBeLessThan(1e-12)
})

test('addMultiple(...) adds in place', () => {
  const x = Float64Array.of(1, 2)
  addMultiple(x, Float64Array.of(3, -1), 2)
  expect([...x]).toEqual([7, 0])
})
