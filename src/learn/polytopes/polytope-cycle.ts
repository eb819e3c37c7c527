import {AdfaError} from '../../base/checks/index.ts'
import type {LinearSolver} from '../../base/linear/index.ts'
import {CutProgram} from './cut-program.ts'
import {coordinateCount} from './moment-coordinates.ts'
import type {MomentLayout} from './moment-layout.ts'
import {coordinatePolytope, type Polytope} from './polytope.ts'
import {polytopeSimplex} from './polytope-simplex.ts'
import {violatedPairs, violatedTriangles} from './violated-rows.ts'

/**
 * Pairs that agree on singles and obey the triangle inequalities of every three concepts (the cycle relaxation, which on the
 * complete graph is its triangles). Equal to the marginal polytope for up to four concepts.
 *
 * Oracle: linear program in (p, q), rows added as they are violated and kept for the calls to come.
 */
export function polytopeCycle(layout: MomentLayout, solver: LinearSolver): Polytope {
  if (layout.order === 3)
    throw new AdfaError(
      'bad-option',
      'the cycle polytope has moments of up to 2 concepts, got order 3; the local polytope of order 3 holds every triangle'
    )
  if (layout.order === 1) return {...polytopeSimplex(layout), name: 'cycle'}
  const pairs = violatedPairs(layout)
  const triangles = violatedTriangles(layout)
  // Fair coins, independent of each other, are a quarter inside of every cell of a pair and every triangle.
  const coins = new Float64Array(coordinateCount(layout)).fill(1 / 4).fill(1 / 2, 0, layout.conceptCount)
  const program = new CutProgram(
    solver,
    (x, report) => {
      pairs(x, report)
      triangles(x, report)
    },
    coins,
    1 / 4
  )
  return coordinatePolytope(
    'cycle',
    layout,
    (coefficients, coordinates) => ({bound: program.minimize(coefficients, coordinates), exact: true}),
    () => program.dispose()
  )
}
