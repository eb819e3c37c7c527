import type {LinearProgram, LinearRow, LinearSolver} from '../../base/linear/index.ts'

/** At most so many rows a round, the most violated first: most of a crowd turn out not to matter. */
const ROWS_PER_ROUND = 500
/** A row is violated beyond this: ten times what the solver itself allows. */
const TOLERANCE = 1e-6

/** `sum_n values[n] x[indices[n]] >= lower`. */
export interface CutRow {
  readonly indices: readonly number[]
  readonly values: readonly number[]
  readonly lower: number
}

/** Reports every row that x violates, and by how much. */
export type Separate = (x: Float64Array, report: (violation: number, row: CutRow) => void) => void

/**
 * A linear program over columns in [0, 1] with more rows than one wants to write down: solve, add the rows that are violated,
 * solve again from the last basis, until none is. Rows are kept from one objective to the next.
 *
 * The solver works to a tolerance, so neither its point nor its value is taken on trust:
 * - the bound comes from its multipliers y >= 0 alone: c.x >= y.lower + sum of min(0, c - A'y), for every x in the program;
 * - the point is pulled towards `centre`, which must hold every row with room to spare, until it holds them too.
 */
export class CutProgram {
  readonly #program: LinearProgram
  readonly #separate: Separate
  readonly #centre: Float64Array
  readonly #room: number
  readonly #rows: CutRow[] = []
  readonly #known = new Set<string>()
  readonly #reduced: Float64Array

  /** `room`: by how much `centre` is inside of every row, those of `separate` and the bounds 0 and 1. */
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

  /** Writes a minimiser of `costs . x` and gives a lower bound on the minimum. */
  minimize(costs: Float64Array, x: Float64Array): number {
    this.#program.setCosts(costs)
    for (;;) {
      const result = this.#program.solve()
      if (result.status !== 'optimal') throw new Error(`internal error: the linear program came out ${result.status}`)
      x.set(result.x)
      const {worst, rows} = this.#violated(x)
      if (rows.length === 0) {
        this.#pullInside(x, worst)
        return this.#bound(costs, result.duals.rows)
      }
      this.#addRows(rows)
    }
  }

  dispose(): void {
    this.#program.dispose()
  }

  /** The worst violation of all, and the rows to add; a row the program has already is the solver's own tolerance at work. */
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

  #pullInside(x: Float64Array, violation: number): void {
    if (violation <= 0) return
    // A little further than it takes, since this sum rounds too.
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
