import {coordinateCount, type MomentLayout, momentsAt, polynomialOf} from './moment-layout.ts'
import type {Polytope, PolytopeName} from './polytope.ts'

/** Minimises a polynomial, given by its coefficients, over the coordinates in a polytope and writes the minimiser. */
export type PolynomialMinimizer = (
  coefficients: Float64Array,
  coordinates: Float64Array,
  tolerance: number
) => {readonly bound: number; readonly exact: boolean}

/** A polytope of consistent moments, from its minimiser in coordinates (p, q, r). */
export function coordinatePolytope(
  name: PolytopeName,
  layout: MomentLayout,
  minimizer: PolynomialMinimizer,
  dispose: () => void = () => {}
): Polytope {
  const coefficients = new Float64Array(coordinateCount(layout))
  const coordinates = new Float64Array(coordinateCount(layout))
  return {
    name,
    layout,
    minimize(gradient, vertex, tolerance = 0) {
      const constant = polynomialOf(layout, gradient, coefficients)
      const {bound, exact} = minimizer(coefficients, coordinates, tolerance)
      momentsAt(layout, coordinates, vertex)
      let value = 0
      for (let c = 0; c < vertex.length; c++) value += gradient[c] * vertex[c]
      return {value, bound: Math.min(value, constant + bound), exact}
    },
    dispose
  }
}
