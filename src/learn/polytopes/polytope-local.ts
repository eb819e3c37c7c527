import {AdfaError} from '../../base/checks/index.ts'
import type {LinearSolver} from '../../base/linear/index.ts'
import {roofDual} from '../../base/qubo/index.ts'
import {coordinatePolytope, type PolynomialMinimizer} from './coordinate-polytope.ts'
import {CutProgram} from './cut-program.ts'
import {coordinateCount, coordinateParts, type MomentLayout, quadraticOf} from './moment-layout.ts'
import {type Polytope, type PolytopeName, polytopeSimplex} from './polytope.ts'
import {violatedPairs, violatedTriples} from './violated-cells.ts'
import {type Separate, violatedTriangles} from './violated-rows.ts'

/** Linear programs over triples take seconds each at this size, and minutes beyond it. */
const TRIPLES_LIMIT = 30

/**
 * Tables that agree on the concepts they share (local consistency): in coordinates, all cells >= 0.
 *
 * Oracle for K = 2: roof duality, one max-flow, with its half-integral vertex. For K = 3: a linear program in (p, q, r) that adds
 * violated rows; at most 30 concepts.
 * Differs from the paper, which solves every oracle as a linear program.
 */
export function polytopeLocal(layout: MomentLayout, solver: LinearSolver): Polytope {
  if (layout.order === 1) return {...polytopeSimplex(layout), name: 'local'}
  if (layout.order === 2) return coordinatePolytope('local', layout, minimizeByRoofDual(layout))
  if (layout.conceptCount > TRIPLES_LIMIT)
    throw new AdfaError(
      'bad-option',
      `the linear oracle of the local polytope of order 3 takes at most ${TRIPLES_LIMIT} concepts, got ${layout.conceptCount}; ` +
        'use order 2, the simplex polytope, or another solver'
    )
  return polytopeOfRows('local', layout, solver, [violatedPairs(layout), violatedTriples(layout)])
}

/**
 * Pairs that agree on singles and satisfy the triangle inequalities of every three concepts (the cycle relaxation, which on the
 * complete graph is its triangles). Equal to the marginal polytope for up to four concepts.
 *
 * Oracle: a linear program in (p, q) that adds violated rows and keeps them for later calls.
 */
export function polytopeCycle(layout: MomentLayout, solver: LinearSolver): Polytope {
  if (layout.order === 3)
    throw new AdfaError(
      'bad-option',
      'the cycle polytope has moments of up to 2 concepts, got order 3; the local polytope of order 3 implies every triangle'
    )
  if (layout.order === 1) return {...polytopeSimplex(layout), name: 'cycle'}
  return polytopeOfRows('cycle', layout, solver, [violatedPairs(layout), violatedTriangles(layout)])
}

function minimizeByRoofDual(layout: MomentLayout): PolynomialMinimizer {
  const m = layout.conceptCount
  return (coefficients, coordinates) => {
    const f = quadraticOf(layout, coefficients)
    const {p, q} = coordinateParts(layout, coordinates)
    const {bound, half} = roofDual(f)
    p.set(half)
    for (let i = 0, pair = 0; i < m; i++)
      for (let k = i + 1; k < m; k++, pair++)
        q[pair] = f.quadratic[pair] < 0 ? Math.min(p[i], p[k]) : Math.max(0, p[i] + p[k] - 1)
    return {bound, exact: true}
  }
}

function polytopeOfRows(
  name: PolytopeName,
  layout: MomentLayout,
  solver: LinearSolver,
  separators: readonly Separate[]
): Polytope {
  // Independent fair coins have slack 2^-K in every cell of a table of K concepts, and a quarter in every triangle.
  const coins = new Float64Array(coordinateCount(layout))
  const {p, q, r} = coordinateParts(layout, coins)
  p.fill(1 / 2)
  q.fill(1 / 4)
  r.fill(1 / 8)
  const separate: Separate = (x, report) => {
    for (const rows of separators) rows(x, report)
  }
  const program = new CutProgram(solver, separate, coins, 2 ** -layout.order)
  return coordinatePolytope(
    name,
    layout,
    (coefficients, coordinates) => ({bound: program.minimize(coefficients, coordinates), exact: true}),
    () => program.dispose()
  )
}
