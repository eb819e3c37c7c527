import {logGamma} from './distributions.ts'
import {exp, log, log1p} from './elementary.ts'
import type {Rng} from './rng.ts'

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
