import {describe, expect, test} from 'vitest'
import {loadLinearSolver} from '../../base/linear/index.ts'
import {momentLayout} from './moment-layout.ts'
import {describePolytope} from './polytope.contract.ts'
import {polytopeCycle, polytopeLocal} from './polytope-local.ts'

describePolytope({
  name: 'local',
  orders: [1, 2, 3],
  load: async () => {
    const solver = await loadLinearSolver()
    return layout => polytopeLocal(layout, solver)
  },
  // Half-integral for K = 2; a linear program's point may be moved inside because it rounds.
  grain: order => [1, 0.5, 0][order - 1]
})

describe('polytopeLocal', () => {
  test('polytopeLocal(...) of order 3 refuses more concepts than its programs can take', async () => {
    const solver = await loadLinearSolver()
    expect(() => polytopeLocal(momentLayout(31, 3), solver)).toThrow('at most 30 concepts, got 31')
  })
})

describePolytope({
  name: 'cycle',
  orders: [1, 2],
  load: async () => {
    const solver = await loadLinearSolver()
    return layout => polytopeCycle(layout, solver)
  },
  grain: () => 0
})

describe('polytopeCycle', () => {
  test('polytopeCycle(...) refuses triples, and says what holds their triangles', async () => {
    const solver = await loadLinearSolver()
    expect(() => polytopeCycle(momentLayout(3, 3), solver)).toThrow(
      'the local polytope of order 3 implies every triangle'
    )
  })
})
