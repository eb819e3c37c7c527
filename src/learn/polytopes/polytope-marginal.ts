import {withDefaults} from '../../base/checks/index.ts'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {enumerateCubic, enumerateMinimum, minimizeQuadratic, searchCubic} from '../../base/qubo/index.ts'
import {coordinateParts} from './moment-coordinates.ts'
import type {MomentLayout} from './moment-layout.ts'
import {coordinatePolytope, type PolynomialMinimizer, type Polytope} from './polytope.ts'
import {polytopeSimplex} from './polytope-simplex.ts'

export interface MarginalOptions {
  /** Nodes of branch and bound a call, at most; beyond, the vertex is the best known and the bound what is proven. */
  readonly nodeLimit: number
  /** Asked during branch and bound; true ends it in the same way. */
  readonly stop: () => boolean
  /** Starts of the search that stands in for an exact oracle over many triples, and its randomness. */
  readonly starts: number
  readonly random: Rng | undefined
  /** A wider polytope of the same layout, whose bound is taken when that search proves nothing; `simplex` when left out. */
  readonly outer: Polytope | undefined
}

export const marginalDefaults: MarginalOptions = {
  nodeLimit: Number.POSITIVE_INFINITY,
  stop: () => false,
  starts: 100,
  random: undefined,
  outer: undefined
}

/** Up to so many concepts all 0/1 vectors are tried: under 1 ms for pairs, some 0.1 s for triples. */
const PAIRS_ENUMERATED = 16
const TRIPLES_ENUMERATED = 20
/** Branch and bound begins from so many of the last vertices. */
const RECENT = 20

/**
 * The moments of distributions over all concepts at once: mixtures of 0/1 vertices.
 *
 * Oracle: minimise a quadratic function of 0/1 variables, by enumeration or by branch and bound. Of K = 3: a cubic function, by
 * enumeration up to 20 concepts; beyond, by search, which is not exact and takes its bound from a wider polytope.
 * Differs from the paper, which solves integer programs with a general solver.
 */
export function polytopeMarginal(layout: MomentLayout, options?: Partial<MarginalOptions>): Polytope {
  const full = withDefaults('marginal polytope', marginalDefaults, options)
  const m = layout.conceptCount
  if (layout.order === 1) return {...polytopeSimplex(layout), name: 'marginal'}
  if (layout.order === 2)
    return coordinatePolytope(
      'marginal',
      layout,
      m <= PAIRS_ENUMERATED ? tryPairs(layout) : branchAndBound(layout, full)
    )
  if (m <= TRIPLES_ENUMERATED) return coordinatePolytope('marginal', layout, tryTriples(layout))
  return boundedBy(
    coordinatePolytope('marginal', layout, searchTriples(layout, full)),
    full.outer ?? polytopeSimplex(layout)
  )
}

function tryPairs(layout: MomentLayout): PolynomialMinimizer {
  return (coefficients, coordinates) => {
    const {p: linear, q: quadratic} = coordinateParts(layout, coefficients)
    const {y, value} = enumerateMinimum({size: layout.conceptCount, linear, quadratic})
    placeVertex(layout, y, coordinates)
    return {bound: value, exact: true}
  }
}

function branchAndBound(layout: MomentLayout, {nodeLimit, stop}: MarginalOptions): PolynomialMinimizer {
  const size = layout.conceptCount
  let recent = new Uint8Array(0)
  return (coefficients, coordinates, tolerance) => {
    const {p: linear, q: quadratic} = coordinateParts(layout, coefficients)
    const found = minimizeQuadratic({size, linear, quadratic}, {incumbent: recent, tolerance, nodeLimit, stop})
    recent = Uint8Array.of(...found.y, ...recent).slice(0, RECENT * size)
    placeVertex(layout, found.y, coordinates)
    return {bound: found.bound, exact: found.status === 'optimal'}
  }
}

function tryTriples(layout: MomentLayout): PolynomialMinimizer {
  return (coefficients, coordinates) => {
    const {p: linear, q: quadratic, r: cubic} = coordinateParts(layout, coefficients)
    const {y, value} = enumerateCubic({size: layout.conceptCount, linear, quadratic, cubic})
    placeVertex(layout, y, coordinates)
    return {bound: value, exact: true}
  }
}

function searchTriples(layout: MomentLayout, {starts, random = rng(1)}: MarginalOptions): PolynomialMinimizer {
  const size = layout.conceptCount
  return (coefficients, coordinates) => {
    const {p: linear, q: quadratic, r: cubic} = coordinateParts(layout, coefficients)
    const {rows} = searchCubic({size, linear, quadratic, cubic}, {starts, rng: random, keep: 1})
    placeVertex(layout, rows.subarray(0, size), coordinates)
    return {bound: Number.NEGATIVE_INFINITY, exact: false}
  }
}

/** The same vertices, with the bound of a wider polytope where it is better. */
function boundedBy(polytope: Polytope, outer: Polytope): Polytope {
  const elsewhere = new Float64Array(polytope.layout.size)
  return {
    ...polytope,
    minimize(gradient, vertex, tolerance) {
      const {value, bound, exact} = polytope.minimize(gradient, vertex, tolerance)
      const wider = Math.min(value, outer.minimize(gradient, elsewhere).bound)
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
