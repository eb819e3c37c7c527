/** Line 3 of Algorithm FW for each polytope: the vertex with the smallest product with a gradient, and a proven bound. */

import type {LinearProgram, LinearSolver} from '../../base/linear/index.ts'
import {dot} from '../../base/numeric/index.ts'
import type {MomentSolution, StopRule} from './certificate.ts'
import {conditionalGradient, correctFully, type OracleAnswer} from './conditional-gradient.ts'
import {type CutRow, deepestRows, localPolytopeRows, rowProduct, type Separate, violatedTriangles} from './cuts.ts'
import {MomentObjective} from './objective.ts'
import {
  coordinateGradient,
  independentCoordinates,
  insidePoint,
  type MomentLayout,
  type MomentProblem,
  momentsAt
} from './problem.ts'
import {minimizeOverTables} from './simplex.ts'
import {enumerateMinimum} from './vertex-search.ts'

/** Up to this many concepts all 0/1 vectors are enumerated, within a tenth of a second. */
const ENUMERATED = 22
/** A row counts as violated beyond this: ten times the solver's own tolerance. */
const TOLERANCE = 1e-6
/** The solver takes a column in [0, 1] for optimal when its reduced cost has the wrong sign by this much (its default). */
const REDUCED_COST_ERROR = 1e-7
/** Independent fair coins have at least this slack in every cell of a pair and in every triangle of unit length. */
const COIN_SLACK = 0.1

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
  const start = momentsAt(problem.layout, insidePoint(problem))
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
  const program = openProgram(m, await loadLinear(), polytope === 'marginal')
  const separate = polytope === 'cycle' ? violatedTriangles(m) : () => {}
  const oracle = polytope === 'marginal' ? integerOracle(m, program, stop) : linearOracle(m, program, separate)
  return coordinatePolytope(polytope, layout, oracle, () => program.dispose())
}

/** Every table is a distribution of its own, consistent or not: the oracle takes the best cell of each. O(cells). */
function simplexPolytope(layout: MomentLayout, name: PolytopeName): Polytope {
  return {
    name,
    layout,
    minimize(gradient, vertex) {
      const value = minimizeOverTables(gradient, layout, vertex)
      return {value, bound: value, exact: true}
    },
    dispose() {}
  }
}

/** Finds the minimiser of a linear function of the coordinates (p, q) over a polytope, and a proven bound of the minimum. */
type CoordinateOracle = (costs: Float64Array) => {
  readonly x: Float64Array
  readonly bound: number
  readonly exact: boolean
}

/** A polytope of consistent moments, from its oracle in coordinates (p, q). */
function coordinatePolytope(
  name: PolytopeName,
  layout: MomentLayout,
  oracle: CoordinateOracle,
  dispose: () => void = () => {}
): Polytope {
  const costs = new Float64Array(layout.conceptCount + layout.pairCount)
  return {
    name,
    layout,
    minimize(gradient, vertex) {
      const constant = coordinateGradient(layout, gradient, costs)
      const {x, bound, exact} = oracle(costs)
      const value = dot(gradient, momentsAt(layout, x, vertex))
      return {value, bound: Math.min(value, constant + bound), exact}
    },
    dispose
  }
}

/** The marginal polytope of few concepts, by a visit to all of its vertices. */
function enumeratingOracle(m: number): CoordinateOracle {
  return costs => {
    const {y, value} = enumerateMinimum(costs, m)
    return {x: independentCoordinates(y), bound: value, exact: true}
  }
}

/** The marginal polytope by the paper's integer program: the local polytope with whole p. */
function integerOracle(m: number, program: LinearProgram, stop: () => boolean): CoordinateOracle {
  return costs => {
    program.setCosts(costs)
    const {status, x, bound} = program.solve({stop})
    // Without a solution yet, x is empty, and the vertex is that of no concept.
    const y = Array.from({length: m}, (_, i) => (x[i] > 0.5 ? 1 : 0))
    const proven = bound - REDUCED_COST_ERROR * costs.length
    return {x: independentCoordinates(y), bound: proven, exact: status === 'optimal'}
  }
}

/**
 * The local polytope (Eq. 3), or with `separate` a narrower one, by a linear program. Rows that `separate` finds violated are
 * added, and kept for later calls.
 *
 * The solver works to a tolerance, so neither its point nor its value is trusted:
 * - the bound uses only its multipliers y >= 0: c.x >= y.lower + sum of min(0, c - A'y), for every x in the program;
 * - the point is moved towards independent fair coins, which satisfy every row with room to spare, until it satisfies them too.
 */
function linearOracle(m: number, program: LinearProgram, separate: Separate): CoordinateOracle {
  const coins = independentCoordinates(new Float64Array(m).fill(1 / 2))
  const rows = localPolytopeRows(m)
  const known = new Set<string>()
  return costs => {
    program.setCosts(costs)
    for (;;) {
      const {status, x, duals} = program.solve()
      if (status !== 'optimal') throw new Error(`internal error: the linear program is ${status}`)
      // A violated row that the program already has is the solver's tolerance at work.
      const isNew = (row: CutRow) => !known.has(nameOf(row))
      const violated = deepestRows(separate, x, (depth, row) => depth > TOLERANCE && isNew(row))
      if (violated.length === 0) return {x: movedInside(x), bound: provenBound(costs, duals.rows), exact: true}
      for (const row of violated) known.add(nameOf(row))
      rows.push(...violated)
      program.addRows(violated.map(asLinearRow))
    }
  }

  function movedInside(x: Float64Array): Float64Array {
    let worst = 0
    for (const share of x) worst = Math.max(worst, -share, share - 1)
    for (const row of rows) worst = Math.max(worst, row.lower - rowProduct(row, x))
    separate(x, violation => {
      worst = Math.max(worst, violation)
    })
    if (worst === 0) return x
    // Slightly further than necessary, since this sum rounds too.
    const share = (worst + 1e-14) / (worst + 1e-14 + COIN_SLACK)
    return x.map((value, e) => value + share * (coins[e] - value))
  }

  function provenBound(costs: Float64Array, y: Float64Array): number {
    const reducedCosts = costs.slice()
    let bound = 0
    rows.forEach(({indices, values, lower}, at) => {
      if (!(y[at] > 0)) return
      bound += y[at] * lower
      for (let n = 0; n < indices.length; n++) reducedCosts[indices[n]] -= y[at] * values[n]
    })
    for (const cost of reducedCosts) if (cost < 0) bound += cost
    return bound
  }
}

/** Opens a program over the local polytope in coordinates, with whole p if asked for. */
function openProgram(m: number, solver: LinearSolver, isInteger: boolean): LinearProgram {
  const zeros = new Float64Array((m * (m + 1)) / 2)
  const integer = isInteger ? Array.from({length: m}, (_, i) => i) : []
  const program = solver.open({costs: zeros, lower: zeros, upper: zeros.map(() => 1), integer})
  program.addRows(localPolytopeRows(m).map(asLinearRow))
  return program
}

function asLinearRow(row: CutRow) {
  return {...row, upper: Number.POSITIVE_INFINITY}
}

function nameOf({indices, values}: CutRow): string {
  return `${indices}:${values}`
}
