import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {LogisticObjective} from './logistic-objective.ts'
import {anyLabelledRows, denseObjective, type LabelledRows} from './test-rows.ts'

const settings = fc.record({data: anyLabelledRows, seed: fc.nat(1e6), ridge: fc.constantFrom(0.01, 1, 30)})

/** An objective with row weights of which some are 0, and soft labels. */
function setUp({data, seed, ridge}: {data: LabelledRows; seed: number; ridge: number}) {
  const random = rng(seed)
  const rowWeights = data.labels.map((_, d) => (d % 5 === 4 ? 0 : 2 * random.next()))
  const labels = data.labels.map(label => 0.9 * label + 0.1 * random.next())
  const {rows} = data
  const draw = () => Float64Array.from({length: rows.columnCount + 1}, () => 6 * random.next() - 3)
  const objective = new LogisticObjective({rows, labels, rowWeights, ridge, pinned: new Uint8Array(rows.columnCount)})
  const margins = (point: Float64Array) => {
    const out = new Float64Array(rows.rowCount)
    objective.margins(point, out)
    return out
  }
  /** The formula, at the weights and the bias that the point stands for. */
  const formula = (point: Float64Array) =>
    denseObjective(
      {lists: data.lists, labels},
      rowWeights,
      ridge,
      point.map((value, j) => (j < rows.columnCount ? value : objective.bias(point)))
    )
  return {objective, margins, formula, draw, rows, labels, rowWeights}
}

const moved = (x: Float64Array, direction: Float64Array, t: number) => x.map((value, e) => value + t * direction[e])

test('value(...) equals the formula', () => {
  fc.assert(
    fc.property(settings, setting => {
      const {objective, margins, formula, draw} = setUp(setting)
      const point = draw()
      expect(objective.value(point, margins(point)) / formula(point)).toBeCloseTo(1, 12)
    })
  )
})

test('value(...) stays finite and exact for margins that overflow exp', () => {
  const rows = {rowCount: 2, columnCount: 1, starts: Uint32Array.of(0, 1, 1), indices: Uint32Array.of(0)}
  const pinned = new Uint8Array(1)
  const objective = new LogisticObjective({rows, labels: [0, 1], rowWeights: [1, 1], ridge: 1e-9, pinned})
  const margins = Float64Array.of(2000, -3000)
  expect(objective.value(Float64Array.of(0, 0), margins)).toBeCloseTo(5000, 9)
  const gradient = new Float64Array(2)
  objective.gradient(Float64Array.of(0, 0), margins, gradient)
  // Residuals 1 and -1; the column is in the first row alone, half of all.
  expect([...gradient]).toEqual([1, 0])
})

test('gradient(...) equals differences of the formula', () => {
  fc.assert(
    fc.property(settings, setting => {
      const {objective, margins, formula, draw} = setUp(setting)
      const point = draw()
      const gradient = new Float64Array(point.length)
      objective.gradient(point, margins(point), gradient)
      // Central differences: error h^2 F'''/6 and rounding F eps / h, both below 1e-6 of the sum of row weights here.
      const h = 1e-5
      point.forEach((_, e) => {
        const axis = new Float64Array(point.length).fill(1, e, e + 1)
        const difference = (formula(moved(point, axis, h)) - formula(moved(point, axis, -h))) / (2 * h)
        expect(Math.abs(gradient[e] - difference)).toBeLessThan(1e-5)
      })
    })
  )
})

test('alongLine(...) has the value of the formula on the line, and slope and curvature of its differences', () => {
  fc.assert(
    fc.property(settings, setting => {
      const {objective, margins, formula, draw} = setUp(setting)
      const point = draw()
      const direction = draw()
      const line = objective.alongLine(point, margins(point), direction, margins(direction))
      const h = 1e-4
      for (const t of [0, 0.4]) {
        const {value, slope, curvature} = line(t)
        const [before, here, after] = [t - h, t, t + h].map(place => formula(moved(point, direction, place)))
        expect(Math.abs(value / here - 1)).toBeLessThan(1e-11)
        const scale = 1 + Math.abs(here) + curvature
        expect(Math.abs(slope - (after - before) / (2 * h)) / scale).toBeLessThan(1e-5)
        expect(Math.abs(curvature - (after - 2 * here + before) / h ** 2) / scale).toBeLessThan(1e-4)
      }
    })
  )
})

test('gradient(...) and inverseDiagonal(...) are 0 at a pinned column', () => {
  const rows = {rowCount: 2, columnCount: 2, starts: Uint32Array.of(0, 2, 3), indices: Uint32Array.of(0, 1, 1)}
  const pinned = Uint8Array.of(1, 0)
  const objective = new LogisticObjective({rows, labels: [1, 0], rowWeights: [1, 3], ridge: 0.5, pinned})
  const gradient = new Float64Array(3)
  objective.gradient(Float64Array.of(1, 1, 1), Float64Array.of(0, 0), gradient)
  expect([...gradient]).toEqual([0, 0.5, 1])
  expect([...objective.inverseDiagonal(4, 0.25)]).toEqual([0, 2, 4 / 3])
})

test('inverseDiagonal(...) inverts the curvature along each axis where all margins are alike', () => {
  fc.assert(
    fc.property(settings, setting => {
      const {objective, margins, rows, rowWeights} = setUp(setting)
      const point = new Float64Array(rows.columnCount + 1)
      const total = rowWeights.reduce((sum, weight) => sum + weight, 0)
      const inverse = objective.inverseDiagonal(total, 0.5)
      point.forEach((_, e) => {
        const axis = new Float64Array(point.length).fill(1, e, e + 1)
        const {curvature} = objective.alongLine(point, margins(point), axis, margins(axis))(0)
        expect(curvature * inverse[e]).toBeCloseTo(1, 9)
      })
    })
  )
})
