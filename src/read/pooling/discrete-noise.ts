/**
 * Whole-number noise for privacy, drawn exactly (Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential
 * Privacy", 2020, algorithms 1-3): every decision is a coin of rational weight, tossed in big integers, so that the
 * numbers reveal no rounding of exponentials.
 *
 * discrete Laplace of scale t:     P(x) = (1 - q) / (1 + q) q^|x| with q = exp(-1 / t)
 * discrete Gaussian of variance v: P(x) ~ exp(-x^2 / (2 v))
 *
 * Cost: about thirty tosses per number on average, at any scale.
 * Differs from the source: a coin of weight n/d compares the binary digits of n/d with tosses until one differs, two tosses
 * on average, where the source draws a whole number below d.
 */

/** A source of randomness: 32 random bits at a time, as a non-negative integer. */
export type RandomWords = () => number

/** Draws noise, consuming random bits one by one. */
export class NoiseSource {
  readonly #words: RandomWords
  #bits = 0
  #left = 0

  constructor(words: RandomWords) {
    this.#words = words
  }

  /** Discrete Laplace noise; `scale` is a whole number above 0. */
  laplace(scale: number): number {
    const t = BigInt(scale)
    for (;;) {
      const u = this.#below(t)
      if (!this.#coinExp(u, t)) continue
      let v = 0n
      while (this.#coinExp(1n, 1n)) v++
      const size = u + t * v
      const isNegative = this.#toss() === 1
      // Zero has one sign only; otherwise it would be drawn twice as often.
      if (isNegative && size === 0n) continue
      return Number(isNegative ? -size : size)
    }
  }

  /** Discrete Gaussian noise; `variance` (the parameter v above) is a whole number above 0. */
  gaussian(variance: number): number {
    const v = BigInt(variance)
    const scale = Math.floor(Math.sqrt(variance)) + 1
    const t = BigInt(scale)
    for (;;) {
      const proposal = this.laplace(scale)
      // exp(-(|y| - v/t)^2 / (2 v)), numerator and denominator times t^2
      const off = BigInt(Math.abs(proposal)) * t - v
      if (this.#coinExp(off * off, 2n * v * t * t)) return proposal
    }
  }

  /** True with probability exp(-n / d). */
  #coinExp(n: bigint, d: bigint): boolean {
    let left = n
    for (; left > d; left -= d) if (!this.#coinExpBelow1(1n, 1n)) return false
    return this.#coinExpBelow1(left, d)
  }

  /** The same for n <= d: the number of coins of weight (n/d)/k, k = 1, 2, ..., up to the first tails is odd. */
  #coinExpBelow1(n: bigint, d: bigint): boolean {
    let k = 1n
    while (this.#coin(n, d * k)) k++
    return k % 2n === 1n
  }

  /** True with probability n / d, n <= d. */
  #coin(n: bigint, d: bigint): boolean {
    for (let rest = n; rest > 0n; ) {
      rest *= 2n
      const digit = rest >= d ? 1 : 0
      if (digit === 1) rest -= d
      const toss = this.#toss()
      if (toss !== digit) return digit === 1
    }
    return false
  }

  /** A whole number, uniform in 0 .. limit - 1. */
  #below(limit: bigint): bigint {
    const length = (limit - 1n).toString(2).length
    for (;;) {
      let value = 0n
      for (let bit = 0; bit < length; bit++) value = 2n * value + BigInt(this.#toss())
      if (value < limit) return value
    }
  }

  #toss(): number {
    if (this.#left === 0) {
      this.#bits = this.#words()
      this.#left = 32
    }
    const bit = this.#bits & 1
    this.#bits >>>= 1
    this.#left--
    return bit
  }
}
