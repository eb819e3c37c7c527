/** Line 3 of Algorithm FW for each polytope: the vertex with the smallest product with a gradient, and a proven bound. */

import type {LinearSolver} from '../../base/linear/index.ts'
import {dot} from '../../base/numeric/index.ts'
import {type BinaryQuadratic, enumerateMinimum, pairIndex} from '../../base/qubo/index.ts'
import type {MomentSolution, StopRule} from './certificate.ts'
import {conditionalGradient, type OracleAnswer} from './conditional-gradient.ts'
import {CutProgram} from './cut-program.ts'
import {type CutRow, type Separate, violatedTriangles} from './cuts.ts'
import {correctFully} from './fully-corrective.ts'
import {
  coordinateCount,
  coordinateGradient,
  independentCoordinates,
  type MomentLayout,
  momentsAt,
  placeAssignment,
  quadraticOf
} from './layout.ts'
import {insidePoint, MomentObjective, type MomentProblem} from './problem.ts'
import {minimizeOverTables} from './simplex.ts'

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
  if (polytope === 'simplex' || layout.conceptCount === 1) return simplexPolytope(layout, polytope)
  if (polytope === 'local') return localPolytope(layout, await loadLinear())
  if (polytope === 'cycle') return cyclePolytope(layout, await loadLinear())
  return layout.conceptCount <= ENUMERATED
    ? enumeratedPolytope(layout)
    : integerPolytope(layout, await loadLinear(), stop)
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

/** Minimises a quadratic function of 0/1 variables over a relaxation, and writes the coordinates of the minimiser. */
type QuadraticOracle = (q: BinaryQuadratic, x: Float64Array) => {readonly bound: number; readonly exact: boolean}

/** A polytope of consistent moments, from its oracle in coordinates (p, q). */
function coordinatePolytope(
  name: PolytopeName,
  layout: MomentLayout,
  oracle: QuadraticOracle,
  dispose: () => void = () => {}
): Polytope {
  const coefficients = new Float64Array(coordinateCount(layout))
  const x = new Float64Array(coordinateCount(layout))
  return {
    name,
    layout,
    minimize(gradient, vertex) {
      const constant = coordinateGradient(layout, gradient, coefficients)
      const {bound, exact} = oracle(quadraticOf(layout, coefficients), x)
      momentsAt(layout, x, vertex)
      const value = dot(gradient, vertex)
      return {value, bound: Math.min(value, constant + bound), exact}
    },
    dispose
  }
}

/**
 * Tables that agree on the concepts they share (Eq. 3). The oracle is a linear program in (p, q) that adds violated rows and keeps
 * them for later calls, as the two that follow.
 */
function localPolytope(layout: MomentLayout, solver: LinearSolver): Polytope {
  return cutPolytope('local', layout, solver, violatedPairs(layout.conceptCount))
}

/**
 * Pairs that agree on singles and satisfy the triangle inequalities of every three concepts (the cycle relaxation, which on the
 * complete graph is its triangles). Equal to the marginal polytope for up to four concepts.
 */
function cyclePolytope(layout: MomentLayout, solver: LinearSolver): Polytope {
  const pairs = violatedPairs(layout.conceptCount)
  const triangles = violatedTriangles(layout.conceptCount)
  return cutPolytope('cycle', layout, solver, (x, report) => {
    pairs(x, report)
    triangles(x, report)
  })
}

function cutPolytope(name: PolytopeName, layout: MomentLayout, solver: LinearSolver, separate: Separate): Polytope {
  const m = layout.conceptCount
  // Independent fair coins have slack 1/4 in every cell of a pair and in every triangle.
  const coins = independentCoordinates(new Float64Array(m).fill(1 / 2))
  const program = new CutProgram(solver, separate, coins, 1 / 4)
  const costs = new Float64Array(coins.length)
  const oracle: QuadraticOracle = ({linear, quadratic}, x) => {
    costs.set(linear)
    costs.set(quadratic, m)
    return {bound: program.minimize(costs, x), exact: true}
  }
  return coordinatePolytope(name, layout, oracle, () => program.dispose())
}

/** Finds the rows of the local polytope that x violates. */
function violatedPairs(m: number): Separate {
  const rows = pairRows(m)
  return (x, report) => {
    for (const row of rows) {
      const slack = row.values.reduce((sum, value, n) => sum + value * x[row.indices[n]], -row.lower)
      if (slack < 0) report(-slack, row)
    }
  }
}

/** The rows of the local polytope: the cells of every pair are at least 0. */
function pairRows(m: number): CutRow[] {
  const rows: CutRow[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const ik = m + pairIndex(i, k, m)
      rows.push({indices: [i, ik], values: [1, -1], lower: 0})
      rows.push({indices: [k, ik], values: [1, -1], lower: 0})
      rows.push({indices: [i, k, ik], values: [-1, -1, 1], lower: -1})
    }
  return rows
}

/** Up to this many concepts all 0/1 vectors are enumerated, within 50 ms. */
const ENUMERATED = 22

/** The moments of distributions over all concepts: mixtures of 0/1 vertices, of which the oracle visits all. */
function enumeratedPolytope(layout: MomentLayout): Polytope {
  return coordinatePolytope('marginal', layout, (q, x) => {
    const {y, value} = enumerateMinimum(q)
    placeAssignment(y, q.size, x)
    return {bound: value, exact: true}
  })
}

/** The same polytope for more concepts: the oracle is an integer program, as in the paper; `stop` leaves the best vertex found. */
function integerPolytope(layout: MomentLayout, solver: LinearSolver, stop: () => boolean): Polytope {
  const m = layout.conceptCount
  const zeros = new Float64Array(coordinateCount(layout))
  const integer = Array.from({length: m}, (_, i) => i)
  const program = solver.open({costs: zeros, lower: zeros, upper: zeros.map(() => 1), integer})
  program.addRows(pairRows(m).map(row => ({...row, upper: Number.POSITIVE_INFINITY})))
  const costs = zeros.slice()
  const oracle: QuadraticOracle = ({linear, quadratic}, x) => {
    costs.set(linear)
    costs.set(quadratic, m)
    program.setCosts(costs)
    const {status, bound, x: found} = program.solve({stop})
    placeAssignment(
      integer.map(i => (found[i] > 0.5 ? 1 : 0)),
      m,
      x
    )
    return {bound: bound - REDUCED_COST_ERROR * costs.length, exact: status === 'optimal'}
  }
  return coordinatePolytope('marginal', layout, oracle, () => program.dispose())
}

/** The solver takes a column in [0, 1] for optimal when its reduced cost has the wrong sign by this much (its default). */
const REDUCED_COST_ERROR = 1e-7
