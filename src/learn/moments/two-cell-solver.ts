import {clamp} from '../../base/numeric/index.ts'
import {
  GAP_TOLERANCE,
  type Rates,
  type SimplexSolver,
  STEP_LIMIT,
  simplexObjective,
  type TableCertificate
} from './table-solver.ts'

/**
 * `TableSolver` for one variable and KL: one unknown, the share y of the mass with the variable on. The slope in y of
 * -a1 log(e + d y) - a0 log(1 - e - d y) - w1 log y - w0 log(1 - y), d = t - e, rises from minus to plus infinity; Newton
 * finds its zero, halving the bracket whenever a step would leave it. Without a shrinkage the answer is (a1/(a0+a1) - e)/d, clipped.
 */
export class TwoCellSolver implements SimplexSolver {
  readonly size = 2
  readonly mu = new Float64Array(2)
  readonly #r = new Float64Array(2)
  readonly #rates: Rates

  constructor(rates: Rates) {
    this.#rates = rates
  }

  solve(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): TableCertificate {
    const {truePositive: t, falsePositive: e} = this.#rates
    const [a0, a1] = [a[0], a[1]]
    const [w0, w1] = [w[0], w[1]]
    const d = t - e
    const free = clamp((a1 / (a0 + a1) - e) / d, 0, 1)
    const shrinkage = w0 + w1
    let y = shrinkage > 0 ? (free * (a0 + a1) + w1) / (a0 + a1 + shrinkage) : free
    let low = 0
    let high = 1
    for (let steps = 0; ; steps++) {
      const r1 = e + d * y
      const r0 = 1 - r1
      const q1 = a1 === 0 ? 0 : a1 / r1
      const q0 = a0 === 0 ? 0 : a0 / r0
      const on = w1 === 0 ? 0 : w1 / y
      const off = w0 === 0 ? 0 : w0 / (1 - y)
      const g1 = t * q1 + (1 - t) * q0 + on
      const g0 = e * q1 + (1 - e) * q0 + off
      const gap = Math.max(g0, g1) - y * g1 - (1 - y) * g0
      if (gap <= GAP_TOLERANCE * mass || steps === STEP_LIMIT) {
        this.mu[0] = (1 - y) * mass
        this.mu[1] = y * mass
        this.#r[0] = r0 * mass
        this.#r[1] = r1 * mass
        const objective = simplexObjective(a, w, mass, this.mu, this.#r, 'kl')
        return {objective, gap, steps, status: gap <= GAP_TOLERANCE * mass ? 'optimal' : 'step-limit'}
      }
      const slope = g0 - g1
      if (slope > 0) high = y
      else low = y
      const curvature = d * d * (q1 / r1 + q0 / r0) + on / y + off / (1 - y)
      const next = y - slope / curvature
      y = next > low && next < high ? next : (low + high) / 2
    }
  }
}
