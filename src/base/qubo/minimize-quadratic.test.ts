import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {type BinaryQuadratic, quadraticValue} from './binary-function.ts'
import {enumerateMinimum} from './enumerate-minimum.ts'
import {minimizeQuadratic} from './minimize-quadratic.ts'
import {pairIndex} from './pair-index.ts'
import {libraryIsThere, libraryMinima, randomQuadratic, readInstance, rounding} from './test-functions.ts'

/**
 * `sum over r of (b.y - k)(b.y - k - 1)` with b of -1, 0 and 1: never negative, dense, and 0 on many points at once when the
 * terms are made around one point. So look the objectives that moment recovery asks about near its optimum.
 */
function nearTies(size: number, terms: number, seed: number): BinaryQuadratic & {readonly offset: number} {
  const random = rng(seed)
  const q = {size, linear: new Float64Array(size), quadratic: new Float64Array((size * (size - 1)) / 2)}
  const planted = Uint8Array.from({length: size}, () => (random.next() < 0.2 ? 1 : 0))
  let offset = 0
  for (let term = 0; term < terms; term++) {
    const weight = 0.1 + random.next()
    const b = Array.from({length: size}, () => Math.floor(3 * random.next()) - 1)
    const k = b.reduce((sum, sign, i) => sum + sign * planted[i], 0) - Math.floor(2 * random.next())
    offset += weight * k * (k + 1)
    for (let i = 0; i < size; i++) {
      q.linear[i] += weight * (b[i] * b[i] - (2 * k + 1) * b[i])
      for (let l = i + 1; l < size; l++) q.quadratic[pairIndex(i, l, size)] += 2 * weight * b[i] * b[l]
    }
  }
  return {...q, offset}
}

describe('minimizeQuadratic', () => {
  test('minimizeQuadratic(q) proves what enumeration finds, real and whole, beyond what it enumerates itself', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const dense = randomQuadratic(18 + (seed % 3), seed, seed % 2 === 0 ? 20 : 0)
      const sparse = {...dense, quadratic: dense.quadratic.map((w, at) => (at % 4 === 0 ? w : 0))}
      const positive = {...dense, quadratic: dense.quadratic.map(Math.abs), linear: dense.linear.map(u => -Math.abs(u))}
      for (const q of [dense, sparse, positive]) {
        const {y, value, bound, status} = minimizeQuadratic(q)
        const tolerance = rounding(q.linear, q.quadratic)
        expect(status).toBe('optimal')
        expect(value).toBe(quadraticValue(q, y))
        expect(Math.abs(value - enumerateMinimum(q).value)).toBeLessThanOrEqual(tolerance)
        expect(bound).toBeLessThanOrEqual(value)
        expect(bound).toBeGreaterThanOrEqual(value - 2 * tolerance)
      }
    }
  })

  test('minimizeQuadratic(q) gets through functions whose minimum is shared by many points', () => {
    for (const [size, seed] of [
      [20, 1],
      [35, 2]
    ] as const) {
      const q = nearTies(size, 2 * size, seed)
      const {value, bound, status} = minimizeQuadratic(q)
      expect(status).toBe('optimal')
      expect(value + q.offset).toBeCloseTo(0, 9)
      expect(bound + q.offset).toBeCloseTo(0, 5)
    }
  })

  test('minimizeQuadratic(q) is not thrown by variables without any weight, nor by weights of very different size', () => {
    const q = randomQuadratic(24, 8)
    const idle = {...q, linear: q.linear.slice(), quadratic: q.quadratic.slice()}
    for (let i = 0; i < 24; i++) {
      if (i % 5 === 0) idle.linear[i] = 0
      for (let k = i + 1; k < 24; k++) if (i % 5 === 0 || k % 5 === 0) idle.quadratic[pairIndex(i, k, 24)] = 0
    }
    const scales = {
      ...q,
      quadratic: q.quadratic.map((w, at) => w * 10 ** (at % 7)),
      linear: q.linear.map(u => u * 1e-3)
    }
    for (const each of [idle, scales]) {
      const {value, bound} = minimizeQuadratic(each)
      const tolerance = 2 * rounding(each.linear, each.quadratic)
      expect(Math.abs(value - enumerateMinimum(each).value)).toBeLessThanOrEqual(tolerance)
      expect(bound).toBeGreaterThanOrEqual(value - tolerance)
    }
  })

  test('minimizeQuadratic(q, {nodeLimit, stop}) stopped early has a point and a valid bound', () => {
    const q = randomQuadratic(24, 3)
    const {value: smallest} = enumerateMinimum(q)
    for (const nodeLimit of [0, 1, 2]) {
      const {value, bound, nodes, status} = minimizeQuadratic(q, {nodeLimit})
      expect(nodes).toBeLessThanOrEqual(nodeLimit)
      if (nodeLimit < 2) expect(status).toBe('node-limit')
      expect(value).toBeGreaterThanOrEqual(smallest)
      expect(bound).toBeLessThanOrEqual(smallest + 1e-9)
      expect(bound).toBeGreaterThan(Number.NEGATIVE_INFINITY)
    }
    for (const patience of [0, 1, 3]) {
      let asked = 0
      const {bound, status} = minimizeQuadratic(q, {stop: () => asked++ >= patience})
      expect(status).toBe('stopped')
      expect(asked).toBe(patience + 1)
      expect(bound).toBeLessThanOrEqual(smallest + 1e-9)
    }
  })

  test('minimizeQuadratic(q, {nodeLimit}) has a bound that only rises with the nodes', () => {
    const q = nearTies(40, 60, 4)
    let last = Number.NEGATIVE_INFINITY
    for (const nodeLimit of [0, 1, 4, 16]) {
      const {bound} = minimizeQuadratic(q, {nodeLimit})
      expect(bound).toBeGreaterThanOrEqual(last)
      last = bound
    }
    expect(last).toBeLessThanOrEqual(-q.offset + 1e-9)
  })

  test('minimizeQuadratic(q, {tolerance}) may stop that far from the minimum, and says so in its bound', () => {
    const q = randomQuadratic(30, 5)
    const exact = minimizeQuadratic(q)
    const near = minimizeQuadratic(q, {tolerance: 2})
    expect(near.status).toBe('optimal')
    expect(near.nodes).toBeLessThan(exact.nodes)
    expect(near.bound).toBeGreaterThanOrEqual(near.value - 2)
    expect(near.bound).toBeLessThanOrEqual(exact.value + 1e-9)
  })

  test('minimizeQuadratic(q, {cutoff}) proves that nothing lies below, or finds what does', () => {
    const q = randomQuadratic(26, 6)
    const exact = minimizeQuadratic(q)
    const below = minimizeQuadratic(q, {cutoff: exact.value - 1})
    expect(below.bound).toBeGreaterThanOrEqual(exact.value - 1)
    expect(below.bound).toBeLessThanOrEqual(exact.value + 1e-9)
    expect(below.nodes).toBeLessThanOrEqual(exact.nodes)
    expect(minimizeQuadratic(q, {cutoff: exact.value + 1}).value).toBe(exact.value)
  })

  test('minimizeQuadratic(q, {incumbent}) is never worse than the points it was given', () => {
    const q = randomQuadratic(22, 7)
    const {y, value} = enumerateMinimum(q)
    const incumbent = Uint8Array.from([...new Uint8Array(22), ...y])
    expect(minimizeQuadratic(q, {incumbent, nodeLimit: 0}).value).toBeLessThanOrEqual(value)
  })

  test('minimizeQuadratic(q, options) refuses options it does not have or cannot use', () => {
    const q = randomQuadratic(3, 1)
    const refused = (options: object, message: RegExp) =>
      expect(() => minimizeQuadratic(q, options)).toThrow(
        expect.objectContaining({code: 'bad-option', message: expect.stringMatching(message)})
      )
    refused({nodesLimit: 3}, /did you mean "nodeLimit"/)
    refused({nodeLimit: -1}, /`nodeLimit` must be .* got -1/)
    refused({tolerance: -1}, /`tolerance` must be .* got -1/)
    refused({cutoff: Number.NaN}, /`cutoff` must be .* got NaN/)
    refused({incumbent: new Uint8Array(4)}, /`incumbent` has 4 numbers/)
  })

  test('minimizeQuadratic(q) of whole coefficients has a whole bound', () => {
    fc.assert(
      fc.property(fc.integer({min: 1, max: 1e6}), fc.integer({min: 0, max: 2}), (seed, nodeLimit) => {
        const q = randomQuadratic(18, seed, 10)
        const even = {...q, linear: q.linear.map(u => 2 * u), quadratic: q.quadratic.map(w => 4 * w)}
        const {bound, value} = minimizeQuadratic(even, {nodeLimit})
        expect(Math.abs(bound % 2)).toBe(0)
        expect(bound).toBeLessThanOrEqual(enumerateMinimum(even).value)
        expect(value).toBeGreaterThanOrEqual(bound)
      }),
      {numRuns: 15, seed: 41}
    )
  })

  describe.runIf(libraryIsThere)('on the library', () => {
    test.each(libraryMinima)('minimizeQuadratic(%s) proves the best-known value %d', (name, best) => {
      expect(minimizeQuadratic(readInstance(name))).toMatchObject({value: best, bound: best, status: 'optimal'})
    })
  })
})
