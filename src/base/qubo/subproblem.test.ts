import fc from 'fast-check'
import {expect, test} from 'vitest'
import {quadraticValue} from './binary-function.ts'
import {enumerateMinimum} from './enumerate-minimum.ts'
import {RANK, SpinRelaxation} from './spin-relaxation.ts'
import {expand, inheritState, restrict, spinForm, splitNode} from './subproblem.ts'
import {allPoints, quadratics, randomQuadratic, rounding} from './test-functions.ts'
import {noTarget, relax} from './test-relaxation.ts'
import {tightenRelaxation} from './tighten-relaxation.ts'
import {TriangleCuts} from './triangle-cuts.ts'

test('spinForm(q) has the values of q when y = (1 + x_0 x) / 2, whatever the sign of x_0', () => {
  fc.assert(
    fc.property(quadratics(6), q => {
      const {J, constant} = spinForm(q)
      const n = q.size + 1
      for (const y of allPoints(q.size)) {
        for (const first of [-1, 1]) {
          const x = [first, ...Array.from(y, bit => first * (2 * bit - 1))]
          let value = constant
          for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) value += J[a * n + b] * x[a] * x[b]
          expect(Math.abs(value - quadraticValue(q, y))).toBeLessThanOrEqual(rounding(q.linear, q.quadratic))
        }
      }
    }),
    {numRuns: 30, seed: 51}
  )
})

test('restrict(q, fixed) is q on the points that agree, and expand(...) gives those points', () => {
  fc.assert(
    fc.property(quadratics(7), fc.infiniteStream(fc.integer({min: -1, max: 1})), (q, stream) => {
      const fixed = Int8Array.from({length: q.size}, () => stream.next().value ?? 0)
      const sub = restrict(q, fixed)
      for (const values of allPoints(sub.free.length)) {
        const y = expand(sub, values)
        for (let i = 0; i < q.size; i++) if (fixed[i] >= 0) expect(y[i]).toBe(fixed[i])
        const difference = sub.constant + quadraticValue(sub.rest, values) - quadraticValue(q, y)
        expect(Math.abs(difference)).toBeLessThanOrEqual(rounding(q.linear, q.quadratic))
      }
    }),
    {numRuns: 60, seed: 54}
  )
})

test('inheritState(...) keeps cuts that hold for all signs, and vectors and multipliers that start near the old bound', () => {
  const q = randomQuadratic(24, 3)
  const relaxation = relax(q)
  const before = tightenRelaxation(relaxation, {rounds: 8, age: 0, ...noTarget})
  const fixed = Int8Array.from({length: 24}, (_, i) => (i % 6 === 0 ? (i / 6) % 2 : -1))
  const sub = restrict(q, fixed)
  const free = Int32Array.from({length: 24}, (_, i) => i)
  const state = inheritState({free, vectors: relaxation.vectors, cuts: relaxation.cuts}, sub)
  const {a, b, c, count} = state.cuts
  expect(count).toBeGreaterThan(10)
  for (let at = 0; at < count; at++) {
    expect(a[at]).toBeLessThan(b[at])
    expect(b[at]).toBeLessThan(c[at])
    expect(c[at]).toBeLessThanOrEqual(sub.free.length)
  }
  const {J, constant} = spinForm(sub.rest)
  const child = new SpinRelaxation(J, sub.constant + constant, state.vectors, state.cuts)
  for (let sweep = 0; sweep < 20; sweep++) child.sweep()
  // Fixing variables can only raise the relaxation; the multipliers it inherits already prove most of that.
  expect(child.prove(Number.POSITIVE_INFINITY)).toBeGreaterThan(before - 0.5)
})

test('inheritState(...) lets x_0 stand for a fixed variable, with its sign, and drops a cut that has x_0 twice', () => {
  const q = randomQuadratic(4, 1)
  const cuts = new TriangleCuts()
  cuts.add(1, 2, 3, 1, -1, 5)
  cuts.add(0, 1, 4, -1, 1, 6)
  cuts.add(2, 3, 4, -1, -1, 7)
  const parent = {free: Int32Array.of(0, 1, 2, 3), vectors: new Float64Array(5 * RANK), cuts}
  const cutsOf = (value: number) => {
    const {a, b, c, beta, gamma, multiplier, count} = inheritState(
      parent,
      restrict(q, Int8Array.of(value, -1, -1, -1))
    ).cuts
    return Array.from({length: count}, (_, at) => [a[at], b[at], c[at], beta[at], gamma[at], multiplier[at]])
  }
  expect(cutsOf(1)).toEqual([
    [0, 1, 2, 1, -1, 5],
    [1, 2, 3, -1, -1, 7]
  ])
  expect(cutsOf(0)).toEqual([
    [0, 1, 2, -1, 1, 5],
    [1, 2, 3, -1, -1, 7]
  ])
})

test('splitNode(...) leaves out no point below the target, and bounds those it leaves out', () => {
  let leftOut = 0
  fc.assert(
    fc.property(quadratics(7), fc.double({min: 0, max: 0.2, noNaN: true}), (q, share) => {
      const tolerance = rounding(q.linear, q.quadratic)
      const relaxation = relax(q)
      tightenRelaxation(relaxation, {rounds: 3, age: 0, ...noTarget})
      const target = enumerateMinimum(q).value + share * 1e10 * tolerance
      const {parts, closed} = splitNode(restrict(q, new Int8Array(q.size).fill(-1)), relaxation, target)
      for (const y of allPoints(q.size)) {
        const value = quadraticValue(q, y)
        const homes = parts.filter(({fixed}) => fixed.every((bit, i) => bit < 0 || bit === y[i]))
        expect(homes.length).toBeLessThanOrEqual(1)
        for (const {bound} of homes) expect(bound).toBeLessThanOrEqual(value + tolerance)
        if (homes.length > 0) continue
        leftOut++
        expect(value).toBeGreaterThanOrEqual(target - tolerance)
        expect(closed).toBeLessThanOrEqual(value + tolerance)
        expect(closed).toBeGreaterThanOrEqual(target)
      }
    }),
    {numRuns: 100, seed: 61}
  )
  expect(leftOut).toBeGreaterThan(100)
})
