import {rng} from '../../base/numeric/index.ts'
import {enumerateCubic, enumerateMinimum, minimizeQuadratic, searchCubic} from '../../base/qubo/index.ts'
import {coordinatePolytope, type PolynomialMinimizer} from './coordinate-polytope.ts'
import {coordinateParts, cubicOf, type MomentLayout, quadraticOf} from './moment-layout.ts'
import {type Polytope, polytopeSimplex} from './polytope.ts'

/** Up to this many concepts all 0/1 vectors are enumerated: under 1 ms for pairs, some 0.1 s for triples. */
const PAIRS_ENUMERATED = 16
const TRIPLES_ENUMERATED = 20
/** Branch and bound starts from this many of the last vertices. */
const RECENT = 20
/** Starts of the search that replaces an exact oracle over many triples. */
const STARTS = 100

/**
 * The moments of distributions over all concepts: mixtures of 0/1 vertices.
 *
 * Oracle: minimise a quadratic function of 0/1 variables, by enumeration or by branch and bound, which ends when `stop` returns
 * true: the vertex is then the best known and the bound what is proven. For K = 3: a cubic function, by enumeration up to 20
 * concepts; beyond, by search, which is not exact and takes its bound from the simplex.
 * Differs from the paper, which solves integer programs with a general solver.
 */
export function polytopeMarginal(layout: MomentLayout, stop: () => boolean = () => false): Polytope {
  if (layout.order === 1) return {...polytopeSimplex(layout), name: 'marginal'}
  const m = layout.conceptCount
  if (m <= (layout.order === 2 ? PAIRS_ENUMERATED : TRIPLES_ENUMERATED))
    return coordinatePolytope('marginal', layout, enumeration(layout))
  if (layout.order === 2) return coordinatePolytope('marginal', layout, branchAndBound(layout, stop))
  return boundedBySimplex(coordinatePolytope('marginal', layout, tripleSearch(layout)))
}

function enumeration(layout: MomentLayout): PolynomialMinimizer {
  return (coefficients, coordinates) => {
    const {y, value} =
      layout.order === 2
        ? enumerateMinimum(quadraticOf(layout, coefficients))
        : enumerateCubic(cubicOf(layout, coefficients))
    placeVertex(layout, y, coordinates)
    return {bound: value, exact: true}
  }
}

function branchAndBound(layout: MomentLayout, stop: () => boolean): PolynomialMinimizer {
  let recent = new Uint8Array(0)
  return (coefficients, coordinates, tolerance) => {
    const limits = {incumbent: recent, tolerance, nodeLimit: Number.POSITIVE_INFINITY, stop}
    const found = minimizeQuadratic(quadraticOf(layout, coefficients), limits)
    recent = Uint8Array.of(...found.y, ...recent).slice(0, RECENT * layout.conceptCount)
    placeVertex(layout, found.y, coordinates)
    return {bound: found.bound, exact: found.status === 'optimal'}
  }
}

function tripleSearch(layout: MomentLayout): PolynomialMinimizer {
  const random = rng(1)
  return (coefficients, coordinates) => {
    const {rows} = searchCubic(cubicOf(layout, coefficients), {starts: STARTS, rng: random, keep: 1})
    placeVertex(layout, rows.subarray(0, layout.conceptCount), coordinates)
    return {bound: Number.NEGATIVE_INFINITY, exact: false}
  }
}

/** The same vertices, with the bound of the simplex where it is better. */
function boundedBySimplex(polytope: Polytope): Polytope {
  const simplex = polytopeSimplex(polytope.layout)
  const elsewhere = new Float64Array(polytope.layout.size)
  return {
    ...polytope,
    minimize(gradient, vertex, tolerance) {
      const {value, bound, exact} = polytope.minimize(gradient, vertex, tolerance)
      const wider = Math.min(value, simplex.minimize(gradient, elsewhere).bound)
      return {value, bound: Math.max(bound, wider), exact}
    }
  }
}

/** The coordinates of a 0/1 vertex: products of its entries. */
function placeVertex(layout: MomentLayout, y: Uint8Array, coordinates: Float64Array): void {
  const {p, q, r} = coordinateParts(layout, coordinates)
  const m = layout.conceptCount
  p.set(y)
  for (let i = 0, pair = 0; i < m; i++) for (let k = i + 1; k < m; k++, pair++) q[pair] = y[i] * y[k]
  if (layout.order < 3) return
  for (let i = 0, triple = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) for (let l = k + 1; l < m; l++, triple++) r[triple] = y[i] * y[k] * y[l]
}
