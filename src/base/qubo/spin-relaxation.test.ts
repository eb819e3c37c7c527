import fc from 'fast-check'
import {expect, test} from 'vitest'
import {quadraticValue} from './binary-function.ts'
import {RANK, SpinRelaxation} from './spin-relaxation.ts'
import {allPoints, quadratics, randomQuadratic, rounding} from './test-functions.ts'
import {noTarget, relax} from './test-relaxation.ts'
import {tightenRelaxation} from './tighten-relaxation.ts'
import {TriangleCuts} from './triangle-cuts.ts'

test('SpinRelaxation.prove(...) never exceeds the minimum, with cuts or without, at rest or in the middle of a move', () => {
  fc.assert(
    fc.property(quadratics(8), fc.integer({min: 0, max: 40}), fc.integer(), (q, moves, seed) => {
      const relaxation = relax(q, seed)
      const tolerance = rounding(q.linear, q.quadratic)
      let smallest = Number.POSITIVE_INFINITY
      for (const y of allPoints(q.size)) smallest = Math.min(smallest, quadraticValue(q, y))
      for (let move = 0; move < moves; move++) {
        if (move % 10 === 5) relaxation.renewCuts(20)
        relaxation.sweep()
        relaxation.ascend(3)
      }
      expect(relaxation.prove(Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(smallest + tolerance)
      expect(relaxation.prove(smallest + 100 * tolerance + 1e-9)).toBeLessThanOrEqual(smallest + tolerance)
    }),
    {numRuns: 150, seed: 52}
  )
})

test('SpinRelaxation.prove(...) does not take vectors on which all shrinkages cancel for an optimum', () => {
  const J = Float64Array.of(0, 0, 1, -1, 0, 0, -1, 1, 1, -1, 0, 0, -1, 1, 0, 0)
  const vectors = new Float64Array(4 * RANK)
  for (let a = 0; a < 4; a++) vectors[a * RANK] = 1
  const relaxation = new SpinRelaxation(J, 0, vectors, new TriangleCuts())
  expect(relaxation.prove(Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(-4)
})

test('SpinRelaxation.forcedBounds() bounds each half of the points', () => {
  fc.assert(
    fc.property(quadratics(8), q => {
      const relaxation = relax(q)
      tightenRelaxation(relaxation, {rounds: 3, age: 0, ...noTarget})
      const forced = relaxation.forcedBounds()
      const tolerance = rounding(q.linear, q.quadratic)
      for (const y of allPoints(q.size)) {
        const value = quadraticValue(q, y)
        for (let i = 0; i < q.size; i++) expect(forced[2 * (i + 1) + y[i]]).toBeLessThanOrEqual(value + tolerance)
      }
    }),
    {numRuns: 60, seed: 53}
  )
})

test('tightenRelaxation(...) closes the gap of small dense functions that triangles can close', () => {
  // Three variables: the triangle inequalities with x_0 describe the polytope of four signs, so the bound is the minimum.
  for (let seed = 1; seed <= 10; seed++) {
    const q = randomQuadratic(3, seed)
    let smallest = Number.POSITIVE_INFINITY
    for (const y of allPoints(3)) smallest = Math.min(smallest, quadraticValue(q, y))
    const relaxation = relax(q)
    expect(tightenRelaxation(relaxation, {rounds: 60, age: 0, ...noTarget})).toBeGreaterThan(smallest - 1e-3)
  }
})

test('tightenRelaxation(...) gains by its cuts, ends at its target, and heeds stop', () => {
  const q = randomQuadratic(30, 2)
  const plain = relax(q)
  for (let sweep = 0; sweep < 300; sweep++) plain.sweep()
  const without = plain.prove(Number.POSITIVE_INFINITY)
  const bound = tightenRelaxation(relax(q), {rounds: 12, age: 0, ...noTarget})
  expect(bound).toBeGreaterThan(without + 0.1)
  const target = (bound + without) / 2
  expect(tightenRelaxation(relax(q), {rounds: 12, age: 0, target, stop: () => false})).toBe(target)
  let asked = 0
  tightenRelaxation(relax(q), {...noTarget, rounds: 12, age: 0, stop: () => ++asked === 2})
  expect(asked).toBe(2)
})
