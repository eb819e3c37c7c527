/**
 * exp, log and log1p use additions, multiplications and divisions alone, which IEEE 754 defines to the last bit. `Math.exp` and
 * `Math.log` differ in the last bit between Node 20 and Chromium 156, so models fitted in the two would differ in their bytes.
 * The method and the constants come from fdlibm (Sun, 1993); the error is below one unit in the last place.
 */

/** log(2) is the sum of these two; k * LN2_HIGH is exact for the exponent k of every double. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10

/** Returns e^x as 2^k e^r, where r = x - k log(2) lies between -log(2) / 2 and log(2) / 2, and e^r is a rational function of r. */
export function exp(x: number): number {
  if (!(x < 709.782712893384)) return x > 0 ? Number.POSITIVE_INFINITY : x
  if (x < -745.1332191019411) return 0
  const k = Math.floor(x * Math.LOG2E + 0.5)
  const high = x - k * LN2_HIGH
  const low = k * LN2_LOW
  const r = high - low
  const z = r * r
  const c =
    r -
    z *
      (0.16666666666666602 +
        z *
          (-0.0027777777777015593 +
            z * (0.00006613756321437934 + z * (-0.0000016533902205465252 + z * 4.1381367970572385e-8))))
  const y = 1 + ((r * c) / (2 - c) - low + high)
  // Where 2^k is not a normal number itself, y is multiplied by it in two steps.
  if (k > 1023) return y * 2 * POWERS[1023 + 1022]
  return k < -1021 ? y * POWERS[k + 1022 + 60] * 2 ** -60 : y * POWERS[k + 1022]
}

export function log(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN
  if (x < 1e-300) return log(x * 2 ** 60) - 60 * LN2_HIGH - 60 * LN2_LOW
  if (x > 1e300) return log(x * 2 ** -60) + 60 * LN2_HIGH + 60 * LN2_LOW
  const k = exponent(x)
  return logFromParts(x * POWERS[1022 - k] - 1, 0, k)
}

/** Returns log(1 + x), accurate also for tiny x. */
export function log1p(x: number): number {
  if (!(x > -1) || x > 1e300) return x === -1 ? Number.NEGATIVE_INFINITY : log(x)
  if (x > -1.1102230246251565e-16 && x < 1.1102230246251565e-16) return x
  if (x > -0.2928932188134524 && x < 0.41421356237309503) return logFromParts(x, 0, 0)
  const u = 1 + x
  const k = exponent(u)
  const roundingError = k < 54 ? (k >= 2 ? 1 - (u - x) : x - (u - 1)) / u : 0
  return logFromParts(u * POWERS[1022 - k] - 1, roundingError, k)
}

/** Returns the k for which x / 2^k lies between sqrt(1/2) and sqrt(2). */
function exponent(x: number): number {
  DOUBLE[0] = x
  return ((WORDS[HIGH] + (0x3ff00000 - 0x3fe6a09e)) >>> 20) - 0x3ff
}

/** Returns log(2^k (1 + f)) + c for 1 + f between sqrt(1/2) and sqrt(2); c corrects the rounding of f. */
function logFromParts(f: number, c: number, k: number): number {
  const half = 0.5 * f * f
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373))
  const odd = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)))
  return s * (half + odd + even) + (k * LN2_LOW + c) - half + f + k * LN2_HIGH
}

/** POWERS[n] is 2^(n - 1022), from 2^-1022 to 2^1023. */
const POWERS = new Float64Array(2046)
POWERS[0] = 2.2250738585072014e-308
for (let at = 1; at < POWERS.length; at++) POWERS[at] = 2 * POWERS[at - 1]

/** `WORDS` are the two 32-bit halves of `DOUBLE`, and `HIGH` is the index of the one with the exponent. */
const DOUBLE = new Float64Array(1)
const WORDS = new Uint32Array(DOUBLE.buffer)
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0]
