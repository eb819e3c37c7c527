import type {MomentLayout} from './moment-layout.ts'
import type {Polytope} from './polytope.ts'

/** Every table a distribution of its own, whether or not they agree: the oracle takes the best cell of each. O(cells). */
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
