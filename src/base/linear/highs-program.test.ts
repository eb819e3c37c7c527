import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import type {LinearColumns, LinearProgram, LinearRow, LinearSolver} from './linear-program.ts'
import {loadLinearSolver} from './load-linear-solver.ts'

const inf = Number.POSITIVE_INFINITY
let solver: LinearSolver

beforeAll(async () => {
  solver = await loadLinearSolver()
})

/** max 5a + 4b + 3c with 2a + 3b + c <= 5, 4a + b + 2c <= 11, 3a + 4b + 2c <= 8: 13 at (2, 0, 1) (Chvatal, chapter 2). */
const chvatal: LinearRow[] = [
  {indices: [0, 1, 2], values: [2, 3, 1], lower: -inf, upper: 5},
  {indices: [0, 1, 2], values: [4, 1, 2], lower: -inf, upper: 11},
  {indices: [0, 1, 2], values: [3, 4, 2], lower: -inf, upper: 8}
]
const threeColumns: LinearColumns = {costs: [-5, -4, -3], lower: [0, 0, 0], upper: [inf, inf, inf]}

function withProgram<T>(columns: LinearColumns, rows: readonly LinearRow[], work: (program: LinearProgram) => T): T {
  const program = solver.open(columns)
  try {
    program.addRows(rows)
    return work(program)
  } finally {
    program.dispose()
  }
}

describe('solve()', () => {
  test('solve() finds the optimum of a program from a textbook, and its multipliers', () => {
    const {status, objective, bound, x, duals} = withProgram(threeColumns, chvatal, program => program.solve())
    expect(status).toBe('optimal')
    expect(objective).toBeCloseTo(-13, 9)
    expect(bound).toBe(objective)
    expect(x).toHaveLength(3)
    expect(x[0]).toBeCloseTo(2, 9)
    expect(x[1]).toBeCloseTo(0, 9)
    expect(x[2]).toBeCloseTo(1, 9)
    expect(Array.from(duals.rows, value => Math.round(value) || 0)).toEqual([-1, 0, -1])
    for (let n = 0; n < 3; n++) {
      const priced = chvatal.reduce((sum, row, at) => sum + row.values[n] * duals.rows[at], 0)
      expect(priced + duals.columns[n]).toBeCloseTo(threeColumns.costs[n], 9)
    }
  })

  test('solve() says infeasible, with nothing better than infinity', () => {
    const rows = [
      {indices: [0], values: [1], lower: 2, upper: inf},
      {indices: [0], values: [1], lower: -inf, upper: 1}
    ]
    const result = withProgram({costs: [1], lower: [0], upper: [inf]}, rows, program => program.solve())
    expect(result).toMatchObject({status: 'infeasible', objective: inf, bound: inf})
    expect(result.x).toHaveLength(0)
  })

  test('solve() says unbounded, also where presolve alone cannot tell it from infeasible', () => {
    const rows = [{indices: [0, 1], values: [1, -1], lower: 0, upper: inf}]
    const columns = {costs: [-1, 0], lower: [0, 0], upper: [inf, inf]}
    const result = withProgram(columns, rows, program => program.solve())
    expect(result).toMatchObject({status: 'unbounded', objective: -inf, bound: -inf})
    expect(withProgram({...columns, integer: [0, 1]}, rows, program => program.solve()).status).toBe('unbounded')
  })

  test('solve() of whole columns differs from the solve of the same program without them', () => {
    // Knapsack: the continuous optimum cuts an item, the best whole one is items 1 and 2 (values 4 + 5), or item 0 alone.
    const columns = {costs: [-6, -4, -5], lower: [0, 0, 0], upper: [1, 1, 1]}
    const rows = [
      {indices: [0, 1, 2], values: [5, 3, 4], lower: -inf, upper: 7},
      {indices: [1, 2], values: [1, 1], lower: -inf, upper: 1}
    ]
    const solve = (integer: number[], count: number) =>
      withProgram({...columns, integer}, rows.slice(0, count), program => program.solve())
    expect(solve([], 1).objective).toBeCloseTo(-9.0, 9)
    expect(solve([0, 1, 2], 1).objective).toBeCloseTo(-9, 9)
    expect(solve([], 2).objective).toBeCloseTo(-4 - (4 / 5) * 6, 9)
    const whole = solve([0, 1, 2], 2)
    expect(whole).toMatchObject({status: 'optimal'})
    expect(whole.objective).toBeCloseTo(-6, 9)
    expect(whole.bound).toBeCloseTo(-6, 9)
    expect(whole.duals.rows).toHaveLength(0)
  })

  test.each([{stop: () => true}, {stepLimit: 20}])('solve(%j) ends with status limit and a valid bound', limit => {
    const {columns, rows} = hardKnapsack()
    const solve = () => withProgram(columns, rows, program => program.solve(limit))
    const {status, objective, bound} = solve()
    expect(status).toBe('limit')
    expect(bound).toBeLessThanOrEqual(objective)
    expect(solve()).toMatchObject({status, objective, bound})
  })

  test('solve() after setCosts, setUpper and addRows equals a program opened anew', () => {
    fc.assert(
      fc.property(fc.integer({min: 0, max: 1e9}), seed => {
        const random = rng(seed)
        const numbers = (count: number) => Array.from({length: count}, () => Math.round(20 * random.next() - 10))
        const rows = Array.from({length: 6}, () => ({
          indices: [0, 1, 2, 3],
          values: numbers(4),
          lower: -20 * random.next(),
          upper: 30 * random.next()
        }))
        const [first, second] = [numbers(4), numbers(4)]
        const box = {lower: [-5, -5, -5, -5], upper: [5, 5, 5, 5]}
        const upper = [5, 3, 0, 5]
        for (const integer of [[], [0, 2]])
          withProgram({costs: first, ...box, integer}, rows.slice(0, 3), program => {
            program.solve()
            program.setCosts(second)
            program.setUpper(upper)
            program.addRows(rows.slice(3))
            const cold = withProgram({costs: second, ...box, upper, integer}, rows, other => other.solve())
            expect(program.solve().objective).toBeCloseTo(cold.objective, integer.length === 0 ? 7 : 6)
          })
      }),
      {numRuns: 30, seed: 7}
    )
  })

  test('solve() starts from the last basis: no step when nothing changed, few after a row', () => {
    const {columns, rows} = hardKnapsack()
    withProgram({...columns, integer: []}, rows, program => {
      const cold = program.solve()
      expect(cold.iterations).toBeGreaterThan(2)
      expect(program.solve().iterations).toBe(0)
      program.addRows([{indices: [0], values: [1], lower: 0, upper: 0.5}])
      expect(program.solve().iterations).toBeLessThan(cold.iterations)
    })
  })
})

test('addRows(...) refuses columns that do not exist or come twice, and nothing works after dispose()', () => {
  const row = {indices: [0], values: [1], lower: 0, upper: 1}
  const program = solver.open({costs: [1, 1], lower: [0, 0], upper: [1, 1]})
  expect(() => program.addRows([{...row, indices: [2]}])).toThrow()
  expect(() => program.addRows([{...row, indices: [0, 0], values: [1, 1]}])).toThrow()
  program.dispose()
  expect(() => program.solve()).toThrow()
})

/** A knapsack with nearly equal ratios: many nodes, so that a limit has something to stop. */
function hardKnapsack() {
  const random = rng(3)
  const weights = Array.from({length: 40}, () => 1000 + Math.floor(1000 * random.next()))
  const indices = weights.map((_, n) => n)
  const rows = [0, 1, 2].map(() => ({
    indices,
    values: weights.map(weight => weight + Math.floor(300 * random.next())),
    lower: -inf,
    upper: 30000
  }))
  const columns = {
    costs: weights.map(weight => -weight - Math.floor(50 * random.next())),
    lower: weights.map(() => 0),
    upper: weights.map(() => 1),
    integer: indices
  }
  return {columns, rows}
}
