import type {SpinRelaxation} from './spin-relaxation.ts'
import type {Subproblem} from './subproblem.ts'

/** What is left to look at: every point below the target agrees with one of the parts. */
export interface NodeSplit {
  readonly parts: readonly {readonly fixed: Int8Array; readonly bound: number}[]
  /** A lower bound of all points that agree with none of them, at least the target; infinite when there are no such points. */
  readonly closed: number
}

/**
 * Divide a subproblem whose relaxation has just been proven: fix the variables one of whose values cannot lead below the
 * target, then split on the variable that is least decided and matters most.
 */
export function splitNode(sub: Subproblem, relaxation: SpinRelaxation, target: number): NodeSplit {
  const {products, norms} = relaxation
  const forced = relaxation.forcedBounds()
  const fixed = sub.fixed.slice()
  let closed = Number.POSITIVE_INFINITY
  let chosen = 0
  let best = Number.NEGATIVE_INFINITY
  for (let a = 1; a < relaxation.n; a++) {
    const without0 = forced[2 * a] >= target
    const without1 = forced[2 * a + 1] >= target
    if (without0) closed = Math.min(closed, forced[2 * a])
    if (without1) closed = Math.min(closed, forced[2 * a + 1])
    if (without0 && without1) return {parts: [], closed}
    if (without0 || without1) fixed[sub.free[a - 1]] = without0 ? 1 : 0
    const score = (1 - products[a] * products[a]) * Math.sqrt(norms[a])
    if (without0 || without1 || score <= best) continue
    best = score
    chosen = a
  }
  if (chosen === 0) return {parts: [{fixed, bound: Number.NEGATIVE_INFINITY}], closed}
  const parts = [0, 1].map(value => {
    const part = fixed.slice()
    part[sub.free[chosen - 1]] = value
    return {fixed: part, bound: forced[2 * chosen + value]}
  })
  return {parts, closed}
}
