import {exp, log} from './elementary.ts'

/**
 * The gamma distribution of rate 1: density x^(a-1) e^-x / Gamma(a) with shape a.
 *
 * The tail is the regularised incomplete gamma function Q(a, x), by the series of 1 - Q below a + 1 and the continued
 * fraction of Q above (Numerical Recipes, 6.2). Cost: some tens of terms; more, about sqrt(a), near x = a.
 */

/** P(X >= x). A caller that knows log Gamma(shape) more exactly may hand it over. */
export function gammaTail(shape: number, x: number, logGammaOfShape = logGamma(shape)): number {
  if (x <= 0) return 1
  if (x === Number.POSITIVE_INFINITY) return 0
  const scale = exp(shape * log(x) - x - logGammaOfShape)
  return x < shape + 1 ? 1 - scale * lowerSeries(shape, x) : scale * upperFraction(shape, x)
}

/**
 * log Gamma(a) for a > 0: Stirling's series, whose first term left out is below 1e-14 from 16 on, after the recurrence
 * to there.
 */
export function logGamma(a: number): number {
  let product = 1
  let z = a
  for (; z < 16; z++) product *= z
  const w = 1 / (z * z)
  const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z
  return (z - 0.5) * log(z) - z + 0.5 * log(2 * Math.PI) + series - log(product)
}

/** 1 / a + x / (a (a + 1)) + x^2 / (a (a + 1) (a + 2)) + ... */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; term > sum * Number.EPSILON; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

/** 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))), by Lentz's method. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a
  let c = Number.MAX_VALUE
  let d = 1 / b
  let value = d
  for (let n = 1, factor = 0; Math.abs(factor - 1) > 4 * Number.EPSILON; n++) {
    const numerator = n * (a - n)
    b += 2
    d = 1 / (b + numerator * d)
    c = b + numerator / c
    factor = c * d
    value *= factor
  }
  return value
}
