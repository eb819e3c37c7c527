import {describe, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {CutProgram} from './cut-program.ts'
import type {Separate} from './violated-rows.ts'

/** x + y >= 1/2. */
const sumRow: Separate = (x, report) => {
  const violation = 0.5 - x[0] - x[1]
  if (violation > 0) report(violation, {indices: [0, 1], values: [1, 1], lower: 0.5})
}

describe('CutProgram', () => {
  test('minimize(...) adds the rows that are violated, once, and keeps them', async () => {
    const program = new CutProgram(await loadLinearSolver(), sumRow, Float64Array.of(0.5, 0.5), 0.5)
    const x = new Float64Array(2)
    expect(program.minimize(Float64Array.of(1, 2), x)).toBeCloseTo(0.5, 12)
    expect([...x]).toEqual([0.5, 0])
    expect(program.rowCount).toBe(1)
    expect(program.minimize(Float64Array.of(2, 1), x)).toBeCloseTo(0.5, 12)
    expect([...x]).toEqual([0, 0.5])
    expect(program.minimize(Float64Array.of(-1, -1), x)).toBeCloseTo(-2, 12)
    expect(program.rowCount).toBe(1)
    program.dispose()
  })

  test('minimize(...) trusts neither value nor point of a solver that rounds', async () => {
    // A solver that answers a little outside of its rows, with multipliers that are a little wrong.
    const exact = await loadLinearSolver()
    const sloppy: LinearSolver = {
      open(columns) {
        const program = exact.open(columns)
        return {
          addRows: rows => program.addRows(rows),
          setCosts: costs => program.setCosts(costs),
          dispose: () => program.dispose(),
          solve() {
            const result = program.solve()
            const rows = result.duals.rows.map(y => 1.000001 * y)
            return {...result, objective: 9, x: result.x.map(value => value - 5e-7), duals: {...result.duals, rows}}
          }
        }
      }
    }
    const program = new CutProgram(sloppy, sumRow, Float64Array.of(0.5, 0.5), 0.5)
    const x = new Float64Array(2)
    const bound = program.minimize(Float64Array.of(1, 2), x)
    expect(bound).toBeLessThanOrEqual(0.5)
    expect(bound).toBeGreaterThan(0.5 - 1e-5)
    expect(Math.min(...x)).toBeGreaterThanOrEqual(0)
    expect(x[0] + x[1]).toBeGreaterThanOrEqual(0.5)
    expect(x[0] + 2 * x[1]).toBeLessThan(0.5 + 1e-5)
    program.dispose()
  })
})
