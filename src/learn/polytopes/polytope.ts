import type {MomentLayout} from './moment-layout.ts'

export type PolytopeName = 'simplex' | 'local' | 'cycle' | 'marginal'

/** The answer of a polytope's linear oracle. */
export interface OracleAnswer {
  /** <gradient, vertex> of the vertex written. */
  readonly value: number
  /** No point of the polytope has a smaller product with the gradient, up to rounding. */
  readonly bound: number
  /** Whether the vertex is a minimiser, within tolerance; otherwise the best found, and `bound` may lie far below. */
  readonly exact: boolean
}

/**
 * A set of moment vectors, known by its linear oracle alone: the P of Eq. 4.
 * From the widest to the narrowest: `simplex` (every table is a distribution), `local` (tables agree on what they share),
 * `cycle` (and on every triangle), `marginal` (they are the moments of one distribution over all concepts).
 */
export interface Polytope {
  readonly name: string
  readonly layout: MomentLayout
  /**
   * Line 3 of Algorithm FW: writes the vertex with the smallest <gradient, vertex>, both in the cells of `layout`.
   * A vertex within `tolerance` (default 0) of the minimum will do, if that is less work.
   */
  minimize(gradient: Float64Array, vertex: Float64Array, tolerance?: number): OracleAnswer
  /** Releases a linear program; the polytope cannot be used afterwards. */
  dispose(): void
}

/** A polytope of your own, for `fit` and `recoverMoments`: opened once per fit, solved by conditional gradient. */
export interface CustomPolytope {
  readonly name: string
  open(layout: MomentLayout): Polytope
}

/** Every table is a distribution of its own, consistent or not: the oracle takes the best cell of each. O(cells). */
export function polytopeSimplex(layout: MomentLayout): Polytope {
  return {
    name: 'simplex',
    layout,
    minimize(gradient, vertex) {
      vertex.fill(0)
      let value = 0
      let cell = 0
      for (let s = 1; s <= layout.order; s++)
        for (let table = 0; table < layout.tableCount(s); table++) {
          let best = cell
          for (const end = cell + 2 ** s; cell < end; cell++) if (gradient[cell] < gradient[best]) best = cell
          vertex[best] = 1
          value += gradient[best]
        }
      return {value, bound: value, exact: true}
    },
    dispose() {}
  }
}
