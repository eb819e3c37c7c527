import fc from 'fast-check'
import {expect, test} from 'vitest'
import {quadraticValue} from './binary-quadratic.ts'
import {enumerateMinimum} from './enumerate-minimum.ts'
import {splitNode} from './split-node.ts'
import {restrict} from './subproblem.ts'
import {allPoints, quadratics, rounding} from './test-functions.ts'
import {noTarget, relax} from './test-relaxation.ts'
import {tightenRelaxation} from './tighten-relaxation.ts'

test('splitNode(...) leaves out no point below the target, and bounds those it leaves out', () => {
  let leftOut = 0
  fc.assert(
    fc.property(quadratics(7), fc.double({min: 0, max: 0.2, noNaN: true}), (q, share) => {
      const tolerance = rounding(q.linear, q.quadratic)
      const relaxation = relax(q)
      tightenRelaxation(relaxation, {rounds: 3, age: 0, ...noTarget})
      const target = enumerateMinimum(q).value + share * 1e10 * tolerance
      const {parts, closed} = splitNode(restrict(q, new Int8Array(q.size).fill(-1)), relaxation, target)
      for (const y of allPoints(q.size)) {
        const value = quadraticValue(q, y)
        const homes = parts.filter(({fixed}) => fixed.every((bit, i) => bit < 0 || bit === y[i]))
        expect(homes.length).toBeLessThanOrEqual(1)
        for (const {bound} of homes) expect(bound).toBeLessThanOrEqual(value + tolerance)
        if (homes.length > 0) continue
        leftOut++
        expect(value).toBeGreaterThanOrEqual(target - tolerance)
        expect(closed).toBeLessThanOrEqual(value + tolerance)
        expect(closed).toBeGreaterThanOrEqual(target)
      }
    }),
    {numRuns: 100, seed: 61}
  )
  expect(leftOut).toBeGreaterThan(100)
})
