import {describe, expect, test} from 'vitest'
import {loadLinearSolver} from '../../base/linear/index.ts'
import {momentLayout} from './moment-layout.ts'
import {describePolytope} from './polytope.contract.ts'
import {polytopeCycle} from './polytope-cycle.ts'

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
      'the local polytope of order 3 holds every triangle'
    )
  })
})
