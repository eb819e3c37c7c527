import fc from 'fast-check'
import {expect, test} from 'vitest'
import {loadLinearSolver} from '../linear/index.ts'
import {type BinaryQuadratic, pairIndex, quadraticValue} from './binary-quadratic.ts'
import {enumerateMinimum} from './enumerate-minimum.ts'
import {roofDual} from './roof-dual.ts'
import {allPoints, localValue, quadratics, randomQuadratic, rounding} from './test-functions.ts'

test('roofDual(q) has a half-integral point whose value is the bound', () => {
  fc.assert(
    fc.property(quadratics(12), q => {
      const {bound, half} = roofDual(q)
      for (const p of half) expect([0, 0.5, 1]).toContain(p)
      expect(Math.abs(localValue(q, half) - bound)).toBeLessThanOrEqual(rounding(q.linear, q.quadratic))
    }),
    {seed: 21}
  )
})

test('roofDual(q) bounds every point from below, and every minimiser agrees where it is not 1/2', () => {
  fc.assert(
    fc.property(quadratics(8), q => {
      const {bound, half} = roofDual(q)
      const tolerance = rounding(q.linear, q.quadratic)
      const {value} = enumerateMinimum(q)
      expect(bound).toBeLessThanOrEqual(value + tolerance)
      for (const y of allPoints(q.size)) {
        if (quadraticValue(q, y) > value) continue
        for (let i = 0; i < q.size; i++) if (half[i] !== 0.5) expect(y[i]).toBe(half[i])
      }
    }),
    {seed: 22}
  )
})

test('roofDual(q) equals the linear program over the local polytope', async () => {
  const solver = await loadLinearSolver()
  const optimum = (q: BinaryQuadratic) => {
    const program = solver.open(localColumns(q))
    program.addRows(localRows(q.size))
    const {objective, status} = program.solve()
    program.dispose()
    expect(status).toBe('optimal')
    return objective
  }
  for (let seed = 1; seed <= 12; seed++) {
    const q = randomQuadratic(6 + seed, seed, seed % 2 === 0 ? 10 : 0)
    const strong = {...q, linear: q.linear.map(u => (u * q.size) / 4)}
    const attractive = {...strong, quadratic: q.quadratic.map(w => (w > 0.5 ? w : -Math.abs(w)))}
    // The solver's own feasibility tolerance is 1e-7.
    for (const each of [q, strong, attractive]) expect(roofDual(each).bound).toBeCloseTo(optimum(each), 5)
  }
})

test('roofDual(q) is exact and decides everything where all pairs attract', () => {
  fc.assert(
    fc.property(quadratics(10), given => {
      const q = {...given, quadratic: given.quadratic.map(w => -Math.abs(w))}
      const tolerance = rounding(q.linear, q.quadratic)
      expect(Math.abs(roofDual(q).bound - enumerateMinimum(q).value)).toBeLessThanOrEqual(tolerance)
    }),
    {seed: 23}
  )
  const q = randomQuadratic(200, 9)
  const attractive = {...q, linear: q.linear.map(u => 50 * u), quadratic: q.quadratic.map(w => -Math.abs(w))}
  const {bound, half} = roofDual(attractive)
  expect(half.every(p => p !== 0.5)).toBe(true)
  expect(bound).toBeCloseTo(quadraticValue(attractive, half), 7)
})

test('roofDual(q) works for 200 variables, dense', () => {
  const q = randomQuadratic(200, 1)
  const {bound, half} = roofDual(q)
  expect(localValue(q, half)).toBeCloseTo(bound, 7)
})

function localColumns({size: m, linear, quadratic}: BinaryQuadratic) {
  const count = m + quadratic.length
  return {costs: [...linear, ...quadratic], lower: new Float64Array(count), upper: new Float64Array(count).fill(1)}
}

function localRows(m: number) {
  const infinity = Number.POSITIVE_INFINITY
  const rows = []
  for (let i = 0; i < m; i++) {
    for (let k = i + 1; k < m; k++) {
      const pair = m + pairIndex(i, k, m)
      rows.push({indices: [pair, i], values: [1, -1], lower: -infinity, upper: 0})
      rows.push({indices: [pair, k], values: [1, -1], lower: -infinity, upper: 0})
      rows.push({indices: [i, k, pair], values: [1, 1, -1], lower: -infinity, upper: 1})
    }
  }
  return rows
}
