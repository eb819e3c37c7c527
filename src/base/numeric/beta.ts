import {AdfaError} from '../checks/index.ts'
import {exp, log, log1p} from './elementary.ts'
import {logGamma} from './gamma.ts'

/**
 * The x with P(X <= x) = share of a beta variable, density x^(a-1) (1-x)^(b-1) / B(a, b): bisection on the regularised
 * incomplete beta function, by its continued fraction (Numerical Recipes, 6.4). Cost: 60 fractions of some tens of
 * terms.
 */
export function betaQuantile(a: number, b: number, share: number): number {
  if (!(a > 0 && b > 0 && a + b < Number.POSITIVE_INFINITY && share > 0 && share < 1))
    throw new AdfaError(
      'bad-option',
      `beta quantile of ${a} and ${b} at ${share}; give two numbers above 0 and a share between 0 and 1`
    )
  const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b)
  let low = 0
  let high = 1
  for (let middle = 0.5; middle > low && middle < high && high - low > Number.EPSILON; middle = (low + high) / 2)
    if (below(a, b, middle, logBeta) < share) low = middle
    else high = middle
  return (low + high) / 2
}

/** P(X <= x); above the mean by the tail of 1 - X, where the fraction is short. */
function below(a: number, b: number, x: number, logBeta: number): number {
  const scale = exp(a * log(x) + b * log1p(-x) - logBeta)
  return x < (a + 1) / (a + b + 2) ? (scale * fraction(a, b, x)) / a : 1 - (scale * fraction(b, a, 1 - x)) / b
}

/** 1 / (1 + d1 / (1 + d2 / (1 + ...))) by Lentz's method; d alternates between the even and the odd terms. */
function fraction(a: number, b: number, x: number): number {
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let n = 1, factor = 0; Math.abs(factor - 1) > 4 * Number.EPSILON; n++) {
    const even = (n * (b - n) * x) / ((a + 2 * n - 1) * (a + 2 * n))
    d = 1 / (1 + even * d)
    c = 1 + even / c
    value *= d * c
    const odd = (-(a + n) * (a + b + n) * x) / ((a + 2 * n) * (a + 2 * n + 1))
    d = 1 / (1 + odd * d)
    c = 1 + odd / c
    factor = d * c
    value *= factor
  }
  return value
}
