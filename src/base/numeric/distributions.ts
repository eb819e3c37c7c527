import {AdfaError} from '../checks/index.ts'
import {exp, log, log1p} from './elementary.ts'
import type {Rng} from './rng.ts'

export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The 95% quantile of the standard normal distribution: a 90% interval extends this many standard deviations to either side. */
export const NORMAL_90 = 1.6448536269514722

/**
 * Returns P(X >= statistic) for a chi-square variable X, which is twice a gamma variable of shape degreesOfFreedom / 2. With 0
 * degrees of freedom X is 0.
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
 * Returns the x with P(X <= x) = probability for a beta variable X of density x^(a-1) (1-x)^(b-1) / B(a, b), by bisection on the
 * regularised incomplete beta function. Cost: about 60 continued fractions of some tens of terms.
 */
export function betaQuantile(a: number, b: number, probability: number): number {
  if (!(a > 0 && b > 0 && a + b < Number.POSITIVE_INFINITY && probability > 0 && probability < 1))
    throw new AdfaError(
      'bad-option',
      `beta quantile of ${a} and ${b} at ${probability}; give two numbers above 0 and a share between 0 and 1`
    )
  const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b)
  let [low, high] = [0, 1]
  for (let middle = 0.5; middle > low && middle < high && high - low > Number.EPSILON; middle = (low + high) / 2)
    if (betaProbability(a, b, middle, logBeta) < probability) low = middle
    else high = middle
  return (low + high) / 2
}

/**
 * Returns P(X >= x) for a gamma variable X of rate 1 and shape a, whose density is x^(a-1) e^-x / Gamma(a). This is the regularised
 * incomplete gamma function Q(a, x): the series of 1 - Q is used for x below a + 1, the continued fraction of Q above (Numerical
 * Recipes, 6.2). Cost: some tens of terms, and about sqrt(a) more near x = a.
 */
function gammaTail(shape: number, x: number): number {
  if (x === Number.POSITIVE_INFINITY) return 0
  const scale = exp(shape * log(x) - x - logGamma(shape))
  return x < shape + 1 ? 1 - scale * lowerSeries(shape, x) : scale * upperFraction(shape, x)
}

/** Returns log Gamma(a) for a > 0. The recurrence raises a to 16 or more, where Stirling's series leaves out terms below 1e-14. */
export function logGamma(a: number): number {
  let product = 1
  let z = a
  for (; z < 16; z++) product *= z
  const w = 1 / (z * z)
  const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z
  return (z - 0.5) * log(z) - z + 0.5 * log(2 * Math.PI) + series - log(product)
}

/** Returns 1 / a + x / (a (a + 1)) + x^2 / (a (a + 1) (a + 2)) + ... */
function lowerSeries(a: number, x: number): number {
  let [term, sum] = [1 / a, 1 / a]
  for (let n = 1; term > sum * Number.EPSILON; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

/** Returns 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))), by Lentz's method. */
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

/**
 * Returns P(X <= x) for a beta variable X by a continued fraction. For x above about the mean, it computes
 * 1 - P(1 - X <= 1 - x) instead, whose continued fraction converges faster.
 */
function betaProbability(a: number, b: number, x: number, logBeta: number): number {
  const scale = exp(a * log(x) + b * log1p(-x) - logBeta)
  return x < (a + 1) / (a + b + 2) ? (scale * betaFraction(a, b, x)) / a : 1 - (scale * betaFraction(b, a, 1 - x)) / b
}

/** Returns the continued fraction of the incomplete beta function (Numerical Recipes, 6.4) by Lentz's method, two terms per step. */
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

/** A binomial variate; p of 0/0 means that there is nothing to draw from. */
export function binomial(n: number, p: number, random: Rng): number {
  if (n === 0 || !(p > 0)) return 0
  if (p >= 1) return n
  if (n === 1) return random.next() < p ? 1 : 0
  if (p > 0.5) return n - binomial(n, 1 - p, random)
  return n * p < 10 ? binomialByInversion(n, p, random) : binomialByRejection(n, p, random)
}

/** Walk up the distribution from 0; p is at most 1/2 and the mean small. */
function binomialByInversion(n: number, p: number, random: Rng): number {
  const odds = p / (1 - p)
  let chance = exp(n * log1p(-p))
  let u = random.next()
  let k = 0
  while (u >= chance && k < n) {
    u -= chance
    k++
    chance *= (odds * (n + 1 - k)) / k
  }
  return k
}

/** BTRS of Hörmann (1993), "The generation of binomial random variates"; p is at most 1/2 and the mean at least 10. */
function binomialByRejection(n: number, p: number, random: Rng): number {
  const deviation = Math.sqrt(n * p * (1 - p))
  const b = 1.15 + 2.53 * deviation
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const alpha = (2.83 + 5.1 / b) * deviation
  const odds = p / (1 - p)
  const mode = Math.floor((n + 1) * p)
  /** log k! (n - k)! */
  const factorials = (k: number) => logGamma(k + 1) + logGamma(n - k + 1)
  for (;;) {
    const u = random.next() - 0.5
    const v = random.next()
    const edge = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / edge + b) * u + n * p + 0.5)
    if (edge >= 0.07 && v <= 0.92 - 4.2 / b) return k
    if (!(k >= 0 && k <= n)) continue
    // The log ratio of the probabilities of k and of the mode.
    const ratio = factorials(mode) - factorials(k) + (k - mode) * log(odds)
    if (log((v * alpha) / (a / (edge * edge) + b)) <= ratio) return k
  }
}
