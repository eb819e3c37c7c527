/** Line 3 of Algorithm FW for each polytope: finds the vertex of smallest product with a gradient, and a proven bound. */
import type {LinearProgram, LinearSolver} from '../../base/linear/index.ts'
import {dot} from '../../base/numeric/index.ts'
import type {MomentSolution, StopRule} from './certificate.ts'
import {conditionalGradient, correctFully, type OracleAnswer} from './conditional-gradient.ts'
import {
  type CutRow,
  deepestRows,
  localPolytopeRows,
  rowKey,
  rowProduct,
  type Separate,
  violatedTriangles
} from './cuts.ts'
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

/** The most concepts for which all 0/1 vectors are enumerated, within a tenth of a second. */
const ENUMERATED = 22
/** Rows are added if they are violated by more than this, ten times the tolerance of the linear solver. */
const TOLERANCE = 1e-6
/** The solver's tolerance: a reduced cost may have the wrong sign by this much, so the bound may err by this per column. */
const REDUCED_COST_ERROR = 1e-7
/** Independent fair coins have at least this slack in every cell of a pair and in every triangle row of unit length. */
const COIN_SLACK = 0.1

export type PolytopeName = 'simplex' | 'local' | 'cycle' | 'marginal'

/**
 * The polytope P of Eq. 4, a set of moment vectors that is known by its linear oracle.
 * From the widest to the narrowest: `simplex` (every table is a distribution), `local` (tables agree on the concepts they share,
 * Eq. 3), `cycle` (triangle inequalities hold too), `marginal` (moments of one distribution over all concepts).
 */
export interface Polytope {
  /** Line 3 of Algorithm FW: writes the vertex with the smallest <gradient, vertex>. */
  minimize(gradient: Float64Array, vertex: Float64Array): OracleAnswer
  /** Releases a linear program; the polytope cannot be used afterwards. */
  dispose(): void
}

/** A polytope of your own, for `fit` and `recoverMoments`, which solve it by conditional gradient. */
export interface CustomPolytope {
  readonly name: string
  /** Called once per fit. Gradients and vertices have this layout. */
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

/** Opens a polytope. `stop` ends a long search of the marginal oracle, which then returns the bound proven so far. */
export async function openPolytope(
  polytope: PolytopeName | CustomPolytope,
  layout: MomentLayout,
  loadLinear: () => Promise<LinearSolver>,
  stop: () => boolean = () => false
): Promise<Polytope> {
  if (typeof polytope === 'object') return polytope.open(layout)
  const m = layout.conceptCount
  if (polytope === 'simplex' || m === 1) return simplexPolytope(layout)
  if (polytope === 'marginal' && m <= ENUMERATED) return coordinatePolytope(layout, enumeratingOracle(m))
  const program = openProgram(m, await loadLinear(), polytope === 'marginal')
  const separate = polytope === 'cycle' ? violatedTriangles(m) : () => {}
  const oracle = polytope === 'marginal' ? integerOracle(m, program, stop) : linearOracle(m, program, separate)
  return coordinatePolytope(layout, oracle, () => program.dispose())
}

/** Returns the polytope in which every table is a distribution, consistent or not. Its oracle takes the best cell of each. */
function simplexPolytope(layout: MomentLayout): Polytope {
  return {
    minimize(gradient, vertex) {
      const value = minimizeOverTables(gradient, layout, vertex)
      return {value, bound: value, exact: true}
    },
    dispose() {}
  }
}

/** Minimises a linear function of the coordinates (p, q) over a polytope, and returns a proven bound of the minimum. */
type CoordinateOracle = (costs: Float64Array) => {
  readonly x: Float64Array
  readonly bound: number
  readonly exact: boolean
}

/** Returns a polytope of consistent moments (Eq. 3), given its oracle in coordinates (p, q). */
function coordinatePolytope(layout: MomentLayout, oracle: CoordinateOracle, dispose: () => void = () => {}): Polytope {
  const costs = new Float64Array(layout.conceptCount + layout.pairCount)
  return {
    minimize(gradient, vertex) {
      const constant = coordinateGradient(layout, gradient, costs)
      const {x, bound, exact} = oracle(costs)
      const value = dot(gradient, momentsAt(layout, x, vertex))
      return {value, bound: Math.min(value, constant + bound), exact}
    },
    dispose
  }
}

/** Returns the oracle of the marginal polytope that enumerates all vertices, for few concepts. */
function enumeratingOracle(m: number): CoordinateOracle {
  return costs => {
    const {y, value} = enumerateMinimum(costs, m)
    return {x: independentCoordinates(y), bound: value, exact: true}
  }
}

/** Returns the paper's oracle of the marginal polytope: an integer program over the local polytope with p in {0, 1}. */
function integerOracle(m: number, program: LinearProgram, stop: () => boolean): CoordinateOracle {
  return costs => {
    program.setCosts(costs)
    const {status, x, bound} = program.solve({stop})
    // If the search was stopped before its first solution, x is empty, and y is all 0.
    const y = Array.from({length: m}, (_, i) => (x[i] > 0.5 ? 1 : 0))
    const proven = bound - REDUCED_COST_ERROR * costs.length
    return {x: independentCoordinates(y), bound: proven, exact: status === 'optimal'}
  }
}

/**
 * Returns the oracle of the local polytope (Eq. 3), or with `separate` of a narrower one, by a linear program. Rows that
 * `separate` finds violated are added, and stay for later calls.
 *
 * The solver works to a tolerance, so neither its point nor its value is trusted:
 * - the bound uses only its multipliers y >= 0: c.x >= y.lower + sum of min(0, c - A'y), for every x in the program;
 * - the point is moved towards the coordinates of independent fair coins, which have slack in every row, until it satisfies all.
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
      // Rows that the program already has can only be violated within the solver's tolerance.
      const isNew = (row: CutRow) => !known.has(rowKey(row))
      const violated = deepestRows(separate, x, (depth, row) => depth > TOLERANCE && isNew(row))
      if (violated.length === 0) return {x: movedInside(x), bound: provenBound(costs, duals.rows), exact: true}
      for (const row of violated) known.add(rowKey(row))
      rows.push(...violated)
      program.addRows(violated.map(asLinearRow))
    }
  }

  /** Returns a point near x that satisfies all rows. */
  function movedInside(x: Float64Array): Float64Array {
    let worst = 0
    for (const coordinate of x) worst = Math.max(worst, -coordinate, coordinate - 1)
    for (const row of rows) worst = Math.max(worst, row.lower - rowProduct(row, x))
    separate(x, violation => {
      worst = Math.max(worst, violation)
    })
    if (worst === 0) return x
    // The point moves slightly further than necessary, since the moved point is rounded too.
    const step = (worst + 1e-14) / (worst + 1e-14 + COIN_SLACK)
    return x.map((value, e) => value + step * (coins[e] - value))
  }

  /** Returns the lower bound of the minimum that the multipliers y prove, whatever the solver's tolerance. */
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

/** Opens a linear program over the local polytope in coordinates (p, q), in which p may have to be integers. */
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
