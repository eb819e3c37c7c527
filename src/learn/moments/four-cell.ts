import type {Rates} from '../noise/index.ts'
import type {TableCertificate} from './certificate.ts'
import {GAP_TOLERANCE, type SimplexSolver, STEP_LIMIT, simplexObjective} from './table-solver.ts'

/**
 * `TableSolver` for two variables and KL, with the same method, letters and cells, unrolled into scalars. A fit solves hundreds of
 * thousands of 4-cell problems, each in 0.8 us here and in 3.7 us there. `solve` is one long function because its parts would have
 * to pass the 16 entries of R and some 20 scalars through memory.
 */
export class FourCellSolver implements SimplexSolver {
  readonly size = 4
  readonly mu = new Float64Array(4)
  readonly #r = new Float64Array(4)
  readonly #i: Rates
  readonly #k: Rates

  constructor(i: Rates, k: Rates) {
    this.#i = i
    this.#k = k
  }

  solve(a: ArrayLike<number>, w: ArrayLike<number>, mass: number): TableCertificate {
    const [a0, a1, a2, a3] = [a[0], a[1], a[2], a[3]]
    const [w0, w1, w2, w3] = [w[0], w[1], w[2], w[3]]
    const {truePositive: ti, falsePositive: ei} = this.#i
    const {truePositive: tk, falsePositive: ek} = this.#k
    const R00 = (1 - ei) * (1 - ek)
    const R01 = (1 - ei) * (1 - tk)
    const R02 = (1 - ti) * (1 - ek)
    const R03 = (1 - ti) * (1 - tk)
    const R10 = (1 - ei) * ek
    const R11 = (1 - ei) * tk
    const R12 = (1 - ti) * ek
    const R13 = (1 - ti) * tk
    const R20 = ei * (1 - ek)
    const R21 = ei * (1 - tk)
    const R22 = ti * (1 - ek)
    const R23 = ti * (1 - tk)
    const R30 = ei * ek
    const R31 = ei * tk
    const R32 = ti * ek
    const R33 = ti * tk

    // Start near R^-1 a, moved inside.
    const scale = 1 / ((ti - ei) * (tk - ek))
    let x0 = scale * (ti * (tk * a0 + (tk - 1) * a1) + (ti - 1) * (tk * a2 + (tk - 1) * a3))
    let x1 = scale * (ti * (-ek * a0 + (1 - ek) * a1) + (ti - 1) * (-ek * a2 + (1 - ek) * a3))
    let x2 = scale * (-ei * (tk * a0 + (tk - 1) * a1) + (1 - ei) * (tk * a2 + (tk - 1) * a3))
    let x3 = scale * (-ei * (-ek * a0 + (1 - ek) * a1) + (1 - ei) * (-ek * a2 + (1 - ek) * a3))
    const shrinkage = w0 + w1 + w2 + w3
    if (shrinkage > 0 || Math.min(x0, x1, x2, x3) <= 0) {
      const even = 0.005 * mass
      const perWeight = shrinkage > 0 ? (0.1 * mass) / shrinkage : 0
      x0 = Math.max(x0, even + perWeight * w0)
      x1 = Math.max(x1, even + perWeight * w1)
      x2 = Math.max(x2, even + perWeight * w2)
      x3 = Math.max(x3, even + perWeight * w3)
    }
    const share = mass / (x0 + x1 + x2 + x3)
    x0 *= share
    x1 *= share
    x2 *= share
    x3 *= share
    const least = 1e-3 * mass
    let z0 = Math.max(w0, least) / x0
    let z1 = Math.max(w1, least) / x1
    let z2 = Math.max(w2, least) / x2
    let z3 = Math.max(w3, least) / x3

    for (let steps = 0; ; steps++) {
      const r0 = R00 * x0 + R01 * x1 + R02 * x2 + R03 * x3
      const r1 = R10 * x0 + R11 * x1 + R12 * x2 + R13 * x3
      const r2 = R20 * x0 + R21 * x1 + R22 * x2 + R23 * x3
      const r3 = R30 * x0 + R31 * x1 + R32 * x2 + R33 * x3
      // Minus the slope of KL in R mu; a cell never observed has none, even where r is 0.
      const q0 = a0 === 0 ? 0 : a0 / r0
      const q1 = a1 === 0 ? 0 : a1 / r1
      const q2 = a2 === 0 ? 0 : a2 / r2
      const q3 = a3 === 0 ? 0 : a3 / r3
      const s0 = R00 * q0 + R10 * q1 + R20 * q2 + R30 * q3
      const s1 = R01 * q0 + R11 * q1 + R21 * q2 + R31 * q3
      const s2 = R02 * q0 + R12 * q1 + R22 * q2 + R32 * q3
      const s3 = R03 * q0 + R13 * q1 + R23 * q2 + R33 * q3
      const g0 = s0 + w0 / x0
      const g1 = s1 + w1 / x1
      const g2 = s2 + w2 / x2
      const g3 = s3 + w3 / x3
      const gap = mass * Math.max(g0, g1, g2, g3) - (g0 * x0 + g1 * x1 + g2 * x2 + g3 * x3)
      if (gap <= GAP_TOLERANCE * mass || steps === STEP_LIMIT) {
        const {mu} = this
        mu[0] = x0
        mu[1] = x1
        mu[2] = x2
        mu[3] = x3
        this.#r[0] = r0
        this.#r[1] = r1
        this.#r[2] = r2
        this.#r[3] = r3
        const status = gap <= GAP_TOLERANCE * mass ? 'optimal' : 'step-limit'
        return {objective: simplexObjective(a, w, mass, mu, this.#r, 'kl'), gap, steps, status}
      }

      // The Newton matrix, lower triangle, factored as L D L' on the way.
      const c0 = a0 === 0 ? 0 : q0 / r0
      const c1 = a1 === 0 ? 0 : q1 / r1
      const c2 = a2 === 0 ? 0 : q2 / r2
      const c3 = a3 === 0 ? 0 : q3 / r3
      const H00 = x0 * x0 * (R00 * R00 * c0 + R10 * R10 * c1 + R20 * R20 * c2 + R30 * R30 * c3) + x0 * z0
      const H10 = x1 * x0 * (R01 * R00 * c0 + R11 * R10 * c1 + R21 * R20 * c2 + R31 * R30 * c3)
      const H11 = x1 * x1 * (R01 * R01 * c0 + R11 * R11 * c1 + R21 * R21 * c2 + R31 * R31 * c3) + x1 * z1
      const H20 = x2 * x0 * (R02 * R00 * c0 + R12 * R10 * c1 + R22 * R20 * c2 + R32 * R30 * c3)
      const H21 = x2 * x1 * (R02 * R01 * c0 + R12 * R11 * c1 + R22 * R21 * c2 + R32 * R31 * c3)
      const H22 = x2 * x2 * (R02 * R02 * c0 + R12 * R12 * c1 + R22 * R22 * c2 + R32 * R32 * c3) + x2 * z2
      const H30 = x3 * x0 * (R03 * R00 * c0 + R13 * R10 * c1 + R23 * R20 * c2 + R33 * R30 * c3)
      const H31 = x3 * x1 * (R03 * R01 * c0 + R13 * R11 * c1 + R23 * R21 * c2 + R33 * R31 * c3)
      const H32 = x3 * x2 * (R03 * R02 * c0 + R13 * R12 * c1 + R23 * R22 * c2 + R33 * R32 * c3)
      const H33 = x3 * x3 * (R03 * R03 * c0 + R13 * R13 * c1 + R23 * R23 * c2 + R33 * R33 * c3) + x3 * z3
      const L10 = H10 / H00
      const L20 = H20 / H00
      const L30 = H30 / H00
      const D1 = H11 - L10 * H10
      const M21 = H21 - L20 * H10
      const M31 = H31 - L30 * H10
      const L21 = M21 / D1
      const L31 = M31 / D1
      const D2 = H22 - L20 * H20 - L21 * M21
      const M32 = H32 - L30 * H20 - L31 * M21
      const L32 = M32 / D2
      const D3 = H33 - L30 * H30 - L31 * M31 - L32 * M32

      // Two right-hand sides: the step u without the mass constraint, and v = H^-1 mu to restore it.
      const excess =
        Math.max(0, x0 * z0 - w0) + Math.max(0, x1 * z1 - w1) + Math.max(0, x2 * z2 - w2) + Math.max(0, x3 * z3 - w3)
      const extra = 0.0125 * excess
      let u0 = w0 + extra + x0 * s0
      let u1 = w1 + extra + x1 * s1 - L10 * u0
      let u2 = w2 + extra + x2 * s2 - L20 * u0 - L21 * u1
      let u3 = (w3 + extra + x3 * s3 - L30 * u0 - L31 * u1 - L32 * u2) / D3
      u2 = u2 / D2 - L32 * u3
      u1 = u1 / D1 - L21 * u2 - L31 * u3
      u0 = u0 / H00 - L10 * u1 - L20 * u2 - L30 * u3
      let v0 = x0
      let v1 = x1 - L10 * v0
      let v2 = x2 - L20 * v0 - L21 * v1
      const v3 = (x3 - L30 * v0 - L31 * v1 - L32 * v2) / D3
      v2 = v2 / D2 - L32 * v3
      v1 = v1 / D1 - L21 * v2 - L31 * v3
      v0 = v0 / H00 - L10 * v1 - L20 * v2 - L30 * v3
      const nu = (x0 * u0 + x1 * u1 + x2 * u2 + x3 * u3) / (x0 * v0 + x1 * v1 + x2 * v2 + x3 * v3)
      u0 -= nu * v0
      u1 -= nu * v1
      u2 -= nu * v2
      u3 -= nu * v3

      // Dual steps relative to z, then both as far as 99% of the way to the boundary.
      const d0 = (w0 + extra) / (x0 * z0) - u0 - 1
      const d1 = (w1 + extra) / (x1 * z1) - u1 - 1
      const d2 = (w2 + extra) / (x2 * z2) - u2 - 1
      const d3 = (w3 + extra) / (x3 * z3) - u3 - 1
      const primal = 0.99 / Math.max(0.99, -u0, -u1, -u2, -u3)
      const dual = 0.99 / Math.max(0.99, -d0, -d1, -d2, -d3)
      x0 *= 1 + primal * u0
      x1 *= 1 + primal * u1
      x2 *= 1 + primal * u2
      x3 *= 1 + primal * u3
      z0 *= 1 + dual * d0
      z1 *= 1 + dual * d1
      z2 *= 1 + dual * d2
      z3 *= 1 + dual * d3
    }
  }
}
