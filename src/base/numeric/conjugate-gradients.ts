import {dot} from './dot.ts'

export interface ConjugateGradientOptions {
  /** out = matrix v, for a symmetric positive definite matrix. */
  readonly multiply: (v: Float64Array, out: Float64Array) => void
  /** out = nearly matrix^-1 r, also symmetric and positive definite. */
  readonly precondition: (r: Float64Array, out: Float64Array) => void
  /** Stop when the residual has shrunk to this share, in the norm of the preconditioner. */
  readonly residual: number
  readonly stepLimit: number
  /** Or when its square in that norm is at most this; 0 when left out. */
  readonly floor?: number
}

/** Preconditioned conjugate gradients: x becomes nearly matrix^-1 b. Gives the number of steps. */
export function conjugateGradients(b: Float64Array, x: Float64Array, options: ConjugateGradientOptions): number {
  const {multiply, precondition, residual, stepLimit, floor = 0} = options
  const r = Float64Array.from(b)
  const z = new Float64Array(b.length)
  const product = new Float64Array(b.length)
  x.fill(0)
  precondition(r, z)
  const p = Float64Array.from(z)
  let rz = dot(r, z)
  const enough = Math.max(floor, residual * residual * rz)
  let steps = 0
  for (; steps < stepLimit && rz > enough; steps++) {
    multiply(p, product)
    const alpha = rz / dot(p, product)
    for (let e = 0; e < x.length; e++) {
      x[e] += alpha * p[e]
      r[e] -= alpha * product[e]
    }
    precondition(r, z)
    const before = rz
    rz = dot(r, z)
    const beta = rz / before
    for (let e = 0; e < x.length; e++) p[e] = z[e] + beta * p[e]
  }
  return steps
}
