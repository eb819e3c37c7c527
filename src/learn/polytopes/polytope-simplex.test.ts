import {describe, expect, test} from 'vitest'
import {momentLayout} from './moment-layout.ts'
import {describePolytope} from './polytope.contract.ts'
import {polytopeSimplex} from './polytope-simplex.ts'

describePolytope({name: 'simplex', orders: [1, 2, 3], load: async () => polytopeSimplex, grain: () => 1})

describe('polytopeSimplex', () => {
  test('minimize(...) takes the best cell of every table, whether or not they agree', () => {
    const vertex = new Float64Array(8)
    const answer = polytopeSimplex(momentLayout(2, 2)).minimize(Float64Array.of(0, 1, 0, 1, 5, 4, 3, 2), vertex)
    expect([...vertex]).toEqual([1, 0, 1, 0, 0, 0, 0, 1])
    expect(answer).toEqual({value: 2, bound: 2, exact: true})
  })
})
