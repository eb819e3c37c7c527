import {AdfaError} from '../checks/index.ts'
import {exp, log, log1p} from './elementary.ts'

/** An estimate with its interval. */
export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Half the width of a 90% interval of a normal variable, in standard deviations. */
export const NORMAL_90 = 1.6448536269514722

/**
 * P(X >= statistic) of a chi-square variable X, which is twice a gamma variable of shape degrees / 2. With 0 degrees of
 * freedom X is 0.
 */
export function chiSquareTail(statistic: number, degreesOfFreedom: number): number {
  if (!(Number.isInteger(degreesOfFreedom) && degreesOfFreedom >= 0) || Number.isNaN(statistic))
    throw new AdfaError(
      'bad-option',
      `chi-square of ${statistic} with ${degreesOfFreedom} degrees of freedom; give two numbers, the second whole and at least 0`
    )
  if (statistic <= 0) return 1
  if (degreesOfFreedom === 0) return 0
  return gammaTail(degreesOfFreedom / 2, statistic / 2)
}

/**
 * Returns the x with P(X <= x) = share of a beta variable, density x^(a-1) (1-x)^(b-1) / B(a, b): bisection on the regularised
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
    if (betaBelow(a, b, middle, logBeta) < share) low = middle
    else high = middle
  return (low + high) / 2
}

/**
 * P(X >= x) of a gamma variable of rate 1, density x^(a-1) e^-x / Gamma(a) with shape a: the regularised incomplete gamma
 * function Q(a, x), by the series of 1 - Q below a + 1 and the continued fraction of Q above (Numerical Recipes, 6.2).
 * Cost: some tens of terms; about sqrt(a) more near x = a.
 */
function gammaTail(shape: number, x: number): number {
  if (x === Number.POSITIVE_INFINITY) return 0
  const scale = exp(shape * log(x) - x - logGamma(shape))
  return x < shape + 1 ? 1 - scale * lowerSeries(shape, x) : scale * upperFraction(shape, x)
}

/** log Gamma(a) for a > 0: the recurrence up to 16, then Stirling's series, whose first omitted term is below 1e-14 there. */
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

/** P(X <= x) of a beta variable; above the mean by the tail of 1 - X, where the fraction is short. */
function betaBelow(a: number, b: number, x: number, logBeta: number): number {
  const scale = exp(a * log(x) + b * log1p(-x) - logBeta)
  return x < (a + 1) / (a + b + 2) ? (scale * betaFraction(a, b, x)) / a : 1 - (scale * betaFraction(b, a, 1 - x)) / b
}

/** 1 / (1 + d1 / (1 + d2 / (1 + ...))) by Lentz's method; d alternates between the even and the odd terms. */
function betaFraction(a: number, b: number, x: number): number {
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
