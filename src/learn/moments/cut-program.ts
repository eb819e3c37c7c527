import type {LinearProgram, LinearRow, LinearSolver} from '../../base/linear/index.ts'
import type {CutRow, Separate} from './cuts.ts'

/** Rows added per round, the most violated first: most of a large set turn out not to matter. */
const ROWS_PER_ROUND = 500
/** A row counts as violated beyond this: ten times the solver's own tolerance. */
const TOLERANCE = 1e-6

/**
 * A linear program over columns in [0, 1] with too many rows to write down: solve, add the violated rows, and solve again from
 * the last basis until none is violated. Rows are kept from one objective to the next.
 *
 * The solver works to a tolerance, so neither its point nor its value is trusted:
 * - the bound uses only its multipliers y >= 0: c.x >= y.lower + sum of min(0, c - A'y), for every x in the program;
 * - the point is moved towards `centre`, which satisfies every row with room to spare, until it satisfies them too.
 */
export class CutProgram {
  readonly #program: LinearProgram
  readonly #separate: Separate
  readonly #centre: Float64Array
  readonly #room: number
  readonly #rows: CutRow[] = []
  readonly #known = new Set<string>()
  readonly #reduced: Float64Array

  /** `room`: the slack of `centre` in every row, those of `separate` and the bounds 0 and 1. */
  constructor(solver: LinearSolver, separate: Separate, centre: Float64Array, room: number) {
    const zeros = new Float64Array(centre.length)
    this.#program = solver.open({costs: zeros, lower: zeros, upper: zeros.map(() => 1)})
    this.#separate = separate
    this.#centre = centre
    this.#room = room
    this.#reduced = zeros.slice()
  }

  get rowCount(): number {
    return this.#rows.length
  }

  #addRows(rows: readonly CutRow[]): void {
    this.#rows.push(...rows)
    for (const row of rows) this.#known.add(nameOf(row))
    this.#program.addRows(rows.map(row => ({...row, upper: Number.POSITIVE_INFINITY}) satisfies LinearRow))
  }

  /** Writes a minimiser of `costs . x` and returns a lower bound on the minimum. */
  minimize(costs: Float64Array, x: Float64Array): number {
    this.#program.setCosts(costs)
    for (;;) {
      const result = this.#program.solve()
      if (result.status !== 'optimal') throw new Error(`internal error: the linear program is ${result.status}`)
      x.set(result.x)
      const {worst, rows} = this.#violated(x)
      if (rows.length === 0) {
        this.#moveInside(x, worst)
        return this.#bound(costs, result.duals.rows)
      }
      this.#addRows(rows)
    }
  }

  dispose(): void {
    this.#program.dispose()
  }

  /** The worst violation and the rows to add; a violated row that the program already has is the solver's tolerance at work. */
  #violated(x: Float64Array): {worst: number; rows: CutRow[]} {
    const found: {violation: number; row: CutRow}[] = []
    let worst = 0
    for (const share of x) worst = Math.max(worst, -share, share - 1)
    this.#separate(x, (violation, row) => {
      worst = Math.max(worst, violation)
      if (violation > TOLERANCE && !this.#known.has(nameOf(row))) found.push({violation, row})
    })
    found.sort((a, b) => b.violation - a.violation)
    return {worst, rows: found.slice(0, ROWS_PER_ROUND).map(({row}) => row)}
  }

  #moveInside(x: Float64Array, violation: number): void {
    if (violation <= 0) return
    // Slightly further than necessary, since this sum rounds too.
    const distance = violation + 1e-14
    const share = distance / (distance + this.#room)
    for (let n = 0; n < x.length; n++) x[n] += share * (this.#centre[n] - x[n])
  }

  #bound(costs: Float64Array, y: Float64Array): number {
    const reduced = this.#reduced
    reduced.set(costs)
    let bound = 0
    this.#rows.forEach(({indices, values, lower}, at) => {
      if (!(y[at] > 0)) return
      bound += y[at] * lower
      for (let n = 0; n < indices.length; n++) reduced[indices[n]] -= y[at] * values[n]
    })
    for (const cost of reduced) if (cost < 0) bound += cost
    return bound
  }
}

function nameOf({indices, values}: CutRow): string {
  return `${indices.join()}:${values.join()}`
}
