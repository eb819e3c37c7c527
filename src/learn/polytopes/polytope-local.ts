import {AdfaError} from '../../base/checks/index.ts'
import type {LinearSolver} from '../../base/linear/index.ts'
import {roofDual} from '../../base/qubo/index.ts'
import {CutProgram} from './cut-program.ts'
import {coordinateCount, coordinateParts} from './moment-coordinates.ts'
import type {MomentLayout} from './moment-layout.ts'
import {coordinatePolytope, type PolynomialMinimizer, type Polytope} from './polytope.ts'
import {polytopeSimplex} from './polytope-simplex.ts'
import {violatedPairs, violatedTriples} from './violated-rows.ts'

/** Linear programs over triples take seconds each at this size, and minutes beyond it. */
const TRIPLES_LIMIT = 30

/**
 * Tables that agree on the concepts they share (local consistency): in coordinates, all cells >= 0.
 *
 * Oracle of K = 2: roof duality, one max-flow, with its half-integral vertex. Of K = 3: a linear program in (p, q, r), rows added
 * as they are violated; it needs a solver, and at most 30 concepts.
 * Differs from the paper, which solves every oracle as a linear program.
 */
export function polytopeLocal(layout: MomentLayout, solver?: LinearSolver): Polytope {
  if (layout.order === 1) return {...polytopeSimplex(layout), name: 'local'}
  if (layout.order === 2) return coordinatePolytope('local', layout, minimizeByRoofDual(layout))
  if (solver === undefined)
    throw new AdfaError(
      'bad-option',
      'the local polytope of order 3 needs a linear solver; pass one from loadLinearSolver()'
    )
  if (layout.conceptCount > TRIPLES_LIMIT)
    throw new AdfaError(
      'bad-option',
      `the linear oracle of the local polytope of order 3 takes at most ${TRIPLES_LIMIT} concepts, got ${layout.conceptCount}; ` +
        'take order 2, the simplex polytope, or another solver'
    )
  const program = triplesProgram(layout, solver)
  return coordinatePolytope(
    'local',
    layout,
    (coefficients, coordinates) => ({bound: program.minimize(coefficients, coordinates), exact: true}),
    () => program.dispose()
  )
}

function minimizeByRoofDual(layout: MomentLayout): PolynomialMinimizer {
  const m = layout.conceptCount
  return (coefficients, coordinates) => {
    const {p: linear, q: quadratic} = coordinateParts(layout, coefficients)
    const {p, q} = coordinateParts(layout, coordinates)
    const {bound, half} = roofDual({size: m, linear, quadratic})
    p.set(half)
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++)
        q[pair] = quadratic[pair] < 0 ? Math.min(p[i], p[k]) : Math.max(0, p[i] + p[k] - 1)
    return {bound, exact: true}
  }
}

function triplesProgram(layout: MomentLayout, solver: LinearSolver): CutProgram {
  const pairs = violatedPairs(layout)
  const triples = violatedTriples(layout)
  // Fair coins, independent of each other: an eighth in every cell of a triple.
  const coins = new Float64Array(coordinateCount(layout))
  const {p, q, r} = coordinateParts(layout, coins)
  p.fill(1 / 2)
  q.fill(1 / 4)
  r.fill(1 / 8)
  return new CutProgram(
    solver,
    (x, report) => {
      pairs(x, report)
      triples(x, report)
    },
    coins,
    1 / 8
  )
}
