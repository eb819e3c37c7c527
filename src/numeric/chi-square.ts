import {exp, log} from './elementary.ts'
import {AdfaError} from './error.ts'

/**
 * P(X >= statistic) of a chi-square variable X: the regularised incomplete gamma function Q(a, x) at a = degrees / 2
 * and x = statistic / 2, by the series of 1 - Q below a + 1 and the continued fraction of Q above (Numerical Recipes,
 * 6.2). With 0 degrees of freedom X is 0. Cost: some tens of terms; more, about sqrt(a), near x = a.
 */
export function chiSquareTail(statistic: number, degreesOfFreedom: number): number {
  if (!(Number.isInteger(degreesOfFreedom) && degreesOfFreedom >= 0) || Number.isNaN(statistic))
    throw new AdfaError(
      'bad-option',
      `chi-square of ${statistic} with ${degreesOfFreedom} degrees of freedom; give numbers, the second whole and from 0 on`
    )
  if (statistic <= 0) return 1
  if (degreesOfFreedom === 0 || statistic === Number.POSITIVE_INFINITY) return 0
  const a = degreesOfFreedom / 2
  const x = statistic / 2
  const scale = exp(a * log(x) - x - logGammaOfHalf(degreesOfFreedom))
  return x < a + 1 ? 1 - scale * lowerSeries(a, x) : scale * upperFraction(a, x)
}

/** log Gamma(n / 2), by its recurrence from Gamma(1) = 1 or Gamma(1/2) = sqrt(pi). */
function logGammaOfHalf(n: number): number {
  let sum = n % 2 === 0 ? 0 : 0.5 * log(Math.PI)
  for (let at = n - 2; at > 0; at -= 2) sum += log(at / 2)
  return sum
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
