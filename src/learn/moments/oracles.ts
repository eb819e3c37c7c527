/** Line 3 of Algorithm FW for each polytope: the vertex with the smallest product with a gradient, and a proven bound. */

import type {LinearProgram, LinearSolver} from '../../base/linear/index.ts'
import {dot} from '../../base/numeric/index.ts'
import type {MomentSolution, StopRule} from './certificate.ts'
import {conditionalGradient, correctFully, type OracleAnswer} from './conditional-gradient.ts'
import {type CutRow, pairRows, rowProduct, type Separate, violatedTriangles} from './cuts.ts'
import {coordinateGradient, independentCoordinates, type MomentLayout, momentsAt} from './layout.ts'
import {insidePoint, MomentObjective, type MomentProblem} from './problem.ts'
import {minimizeOverTables} from './simplex.ts'
import {enumerateMinimum} from './vertex-search.ts'

/** Up to this many concepts all 0/1 vectors are enumerated, within 50 ms. */
const ENUMERATED = 22
/** Rows added per round, the most violated first: most of a large set turn out not to matter. */
const ROWS_PER_ROUND = 500
/** A row counts as violated beyond this: ten times the solver's own tolerance. */
const TOLERANCE = 1e-6
/** The solver takes a column in [0, 1] for optimal when its reduced cost has the wrong sign by this much (its default). */
const REDUCED_COST_ERROR = 1e-7
/** Independent fair coins have this slack in every cell of a pair and in every triangle. */
const COIN_SLACK = 1 / 4

export type PolytopeName = 'simplex' | 'local' | 'cycle' | 'marginal'

/**
 * A set of moment vectors, known by its linear oracle alone: the P of Eq. 4.
 * From the widest to the narrowest: `simplex` (every table is a distribution), `local` (tables agree on what they share),
 * `cycle` (and on every triangle), `marginal` (they are the moments of one distribution over all concepts).
 */
export interface Polytope {
  readonly name: string
  readonly layout: MomentLayout
  /** Line 3 of Algorithm FW: writes the vertex with the smallest <gradient, vertex>, both in the cells of `layout`. */
  minimize(gradient: Float64Array, vertex: Float64Array): OracleAnswer
  /** Releases a linear program; the polytope cannot be used afterwards. */
  dispose(): void
}

/** A polytope of your own, for `fit` and `recoverMoments`: opened once per fit, solved by conditional gradient. */
export interface CustomPolytope {
  readonly name: string
  open(layout: MomentLayout): Polytope
}

/** Minimises Eq. 4 over a polytope by the paper's method, from independent moments. */
export async function solveByConditionalGradient(
  problem: MomentProblem,
  name: PolytopeName | CustomPolytope,
  rule: StopRule,
  loadLinear: () => Promise<LinearSolver>
): Promise<MomentSolution> {
  const polytope = await openPolytope(name, problem.layout, loadLinear, () => rule.interruption(0) !== undefined)
  const start = new Float64Array(problem.layout.size)
  momentsAt(problem.layout, insidePoint(problem), start)
  const oracle = (gradient: Float64Array) => {
    const vertex = new Float64Array(start.length)
    return {...polytope.minimize(gradient, vertex), vertices: [vertex]}
  }
  try {
    return conditionalGradient(
      new MomentObjective(problem),
      {oracle, correct: correctFully, patience: {share: 0, steps: 10}, stepRange: {least: 0, most: 1}},
      [{point: start, weight: 1}],
      rule
    )
  } finally {
    polytope.dispose()
  }
}

/** Opens a polytope; `stop` ends a long search of the marginal oracle, whose bound is then what is proven so far. */
export async function openPolytope(
  polytope: PolytopeName | CustomPolytope,
  layout: MomentLayout,
  loadLinear: () => Promise<LinearSolver>,
  stop: () => boolean = () => false
): Promise<Polytope> {
  if (typeof polytope === 'object') return polytope.open(layout)
  const m = layout.conceptCount
  if (polytope === 'simplex' || m === 1) return simplexPolytope(layout, polytope)
  if (polytope === 'marginal' && m <= ENUMERATED) return coordinatePolytope(polytope, layout, enumeratingOracle(m))
  const separate = polytope === 'cycle' ? violatedTriangles(m) : () => {}
  const program = new MomentProgram(m, await loadLinear(), separate, polytope === 'marginal', stop)
  return coordinatePolytope(polytope, layout, program)
}

/** Every table is a distribution of its own, consistent or not: the oracle takes the best cell of each. O(cells). */
function simplexPolytope(layout: MomentLayout, name: PolytopeName): Polytope {
  return {
    name,
    layout,
    minimize(gradient, vertex) {
      const value = minimizeOverTables(gradient, layout.conceptCount, vertex)
      return {value, bound: value, exact: true}
    },
    dispose() {}
  }
}

/** Finds the minimiser of a linear function of the coordinates (p, q) over a polytope, and a proven bound of the minimum. */
interface CoordinateOracle {
  minimize(costs: Float64Array): {readonly x: Float64Array; readonly bound: number; readonly exact: boolean}
  dispose(): void
}

/** A polytope of consistent moments, from its oracle in coordinates (p, q). */
function coordinatePolytope(name: PolytopeName, layout: MomentLayout, oracle: CoordinateOracle): Polytope {
  const costs = new Float64Array(layout.conceptCount + layout.pairCount)
  return {
    name,
    layout,
    minimize(gradient, vertex) {
      const constant = coordinateGradient(layout, gradient, costs)
      const {x, bound, exact} = oracle.minimize(costs)
      momentsAt(layout, x, vertex)
      const value = dot(gradient, vertex)
      return {value, bound: Math.min(value, constant + bound), exact}
    },
    dispose: () => oracle.dispose()
  }
}

/** The marginal polytope of few concepts, by a visit to all of its vertices. */
function enumeratingOracle(m: number): CoordinateOracle {
  return {
    minimize(costs) {
      const {y, value} = enumerateMinimum(costs, m)
      return {x: independentCoordinates(y), bound: value, exact: true}
    },
    dispose() {}
  }
}

/**
 * A linear program over consistent moments (Eq. 3): the local polytope, or the cycle polytope with all rows that `separate` finds
 * (violated rows are added, and kept for later calls), or, with integer p, the marginal polytope by the paper's integer program.
 *
 * The solver works to a tolerance, so neither its point nor its value is trusted:
 * - the bound uses only its multipliers y >= 0: c.x >= y.lower + sum of min(0, c - A'y), for every x in the program;
 * - the point is moved towards independent fair coins, which satisfy every row with room to spare, until it satisfies them too.
 */
export class MomentProgram implements CoordinateOracle {
  readonly #m: number
  readonly #program: LinearProgram
  readonly #separate: Separate
  readonly #isInteger: boolean
  readonly #stop: () => boolean
  readonly #rows: CutRow[] = []
  readonly #known = new Set<string>()
  readonly #coins: Float64Array

  constructor(
    m: number,
    solver: LinearSolver,
    separate: Separate,
    isInteger = false,
    stop: () => boolean = () => false
  ) {
    this.#m = m
    this.#coins = independentCoordinates(new Float64Array(m).fill(1 / 2))
    const zeros = this.#coins.map(() => 0)
    const integer = isInteger ? Array.from({length: m}, (_, i) => i) : []
    this.#program = solver.open({costs: zeros, lower: zeros, upper: zeros.map(() => 1), integer})
    this.#separate = separate
    this.#isInteger = isInteger
    this.#stop = stop
    this.#addRows(pairRows(m))
  }

  #addRows(rows: readonly CutRow[]): void {
    this.#rows.push(...rows)
    for (const row of rows) this.#known.add(nameOf(row))
    this.#program.addRows(rows.map(row => ({...row, upper: Number.POSITIVE_INFINITY})))
  }

  minimize(costs: Float64Array): {x: Float64Array; bound: number; exact: boolean} {
    this.#program.setCosts(costs)
    for (;;) {
      // Only the search for whole numbers is long enough to be stopped.
      const {status, x, bound, duals} = this.#program.solve(this.#isInteger ? {stop: this.#stop} : {})
      if (this.#isInteger) {
        // Without a solution yet, x is empty, and the vertex is that of no concept.
        const assignment = independentCoordinates(Array.from({length: this.#m}, (_, i) => (x[i] > 0.5 ? 1 : 0)))
        return {x: assignment, bound: bound - REDUCED_COST_ERROR * costs.length, exact: status === 'optimal'}
      }
      if (status !== 'optimal') throw new Error(`internal error: the linear program is ${status}`)
      const violated = this.#violatedRows(x)
      if (violated.length === 0) return {x: this.#movedInside(x), bound: this.#bound(costs, duals.rows), exact: true}
      this.#addRows(violated)
    }
  }

  dispose(): void {
    this.#program.dispose()
  }

  /** The rows to add; a violated row that the program already has is the solver's tolerance at work. */
  #violatedRows(x: Float64Array): CutRow[] {
    const found: {violation: number; row: CutRow}[] = []
    this.#separate(x, (violation, row) => {
      if (violation > TOLERANCE && !this.#known.has(nameOf(row))) found.push({violation, row})
    })
    found.sort((a, b) => b.violation - a.violation)
    return found.slice(0, ROWS_PER_ROUND).map(({row}) => row)
  }

  #movedInside(x: Float64Array): Float64Array {
    let worst = 0
    for (const share of x) worst = Math.max(worst, -share, share - 1)
    for (const row of this.#rows) worst = Math.max(worst, row.lower - rowProduct(row, x))
    this.#separate(x, violation => {
      worst = Math.max(worst, violation)
    })
    if (worst === 0) return x
    // Slightly further than necessary, since this sum rounds too.
    const share = (worst + 1e-14) / (worst + 1e-14 + COIN_SLACK)
    return x.map((value, e) => value + share * (this.#coins[e] - value))
  }

  #bound(costs: Float64Array, y: Float64Array): number {
    const reducedCosts = costs.slice()
    let bound = 0
    this.#rows.forEach(({indices, values, lower}, at) => {
      if (!(y[at] > 0)) return
      bound += y[at] * lower
      for (let n = 0; n < indices.length; n++) reducedCosts[indices[n]] -= y[at] * values[n]
    })
    for (const cost of reducedCosts) if (cost < 0) bound += cost
    return bound
  }
}

function nameOf({indices, values}: CutRow): string {
  return `${indices}:${values}`
}
