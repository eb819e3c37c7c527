import {exp, log} from '../../base/numeric/index.ts'
import type {Rates, TableCertificate} from './table-solver.ts'

/**
 * The paper's own method on the simplex (supplement, Detailed methods): exponentiated gradient on
 * KL(a, R mu) + lambda KL(indep, mu) for one table, mu <- mu exp(-eta g) / Z, halving eta until the objective falls and
 * letting it grow again after a success. Slow and obvious; `TableSolver` reaches the same optimum in a few Newton steps.
 * Layout: 2^K cells, first variable most significant.
 */
export function exponentiatedGradient(
  rates: readonly Rates[],
  a: ArrayLike<number>,
  w: ArrayLike<number>,
  options: {readonly tolerance: number; readonly stepLimit: number}
): {mu: Float64Array; certificate: TableCertificate} {
  const size = 2 ** rates.length
  let mu = new Float64Array(size).fill(1 / size)
  let {objective, g} = evaluate(rates, a, w, mu)
  let eta = 1
  for (let steps = 0; ; steps++) {
    const gap = g.reduce((sum, slope, s) => sum + slope * mu[s], 0) - Math.min(...g)
    if (gap <= options.tolerance) return {mu, certificate: {objective, gap, steps, status: 'optimal'}}
    if (steps === options.stepLimit) return {mu, certificate: {objective, gap, steps, status: 'step-limit'}}
    const lowest = Math.min(...g)
    for (; ; eta /= 2) {
      const raw = mu.map((value, s) => value * exp(-eta * (g[s] - lowest)))
      const mass = raw.reduce((sum, value) => sum + value, 0)
      const next = raw.map(value => Math.max(value / mass, 1e-300))
      const after = evaluate(rates, a, w, next)
      if (after.objective > objective && eta > 1e-12) continue
      mu = next
      objective = after.objective
      g = after.g
      eta *= 2
      break
    }
  }
}

function evaluate(rates: readonly Rates[], a: ArrayLike<number>, w: ArrayLike<number>, mu: Float64Array) {
  const r = applyRates(rates, mu, false)
  const back = applyRates(
    rates,
    r.map((value, c) => (a[c] > 0 ? a[c] / value : 0)),
    true
  )
  const lambda = mu.reduce((sum, _, s) => sum + w[s], 0)
  let objective = 0
  for (let c = 0; c < mu.length; c++) {
    if (a[c] > 0) objective += a[c] * log(a[c] / r[c])
    if (w[c] > 0) objective += w[c] * log(w[c] / (lambda * mu[c]))
  }
  return {objective, g: mu.map((value, s) => -back[s] - w[s] / value)}
}

/** R x, or R' x: one 2x2 butterfly for each variable. */
function applyRates(rates: readonly Rates[], x: Float64Array, transposed: boolean): Float64Array {
  const y = Float64Array.from(x)
  rates.forEach(({truePositive: t, falsePositive: e}, k) => {
    const stride = 2 ** (rates.length - 1 - k)
    for (let cell = 0; cell < y.length; cell++) {
      if (cell & stride) continue
      const y0 = y[cell]
      const y1 = y[cell + stride]
      y[cell] = transposed ? (1 - e) * y0 + e * y1 : (1 - e) * y0 + (1 - t) * y1
      y[cell + stride] = transposed ? (1 - t) * y0 + t * y1 : e * y0 + t * y1
    }
  })
  return y
}
