/**
 * e^x in whole numbers of 1300 bits, for judging the last bit of a double. A double is a whole number times a power of
 * two; so is, here, everything else: `fixed` stands for fixed / 2^BITS. Cost: some 200 multiplications a call.
 */
const BITS = 1300n
const ONE = 1n << BITS

/** ln 2 as the sum of 1 / (k 2^k). */
const LN2 = Array.from({length: Number(BITS)}, (_, at) => (ONE >> BigInt(at + 1)) / BigInt(at + 1)).reduce(
  (a, b) => a + b
)

/** The double x as mantissa * 2^exponent; its last place is worth 2^exponent. */
function parts(x: number): {readonly mantissa: bigint; readonly exponent: number} {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  const bits = view.getBigUint64(0)
  const power = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const mantissa = power === 0 ? fraction : fraction + (1n << 52n)
  return {mantissa: bits >> 63n ? -mantissa : mantissa, exponent: Math.max(power, 1) - 1075}
}

function shift(value: bigint, by: number): bigint {
  return by >= 0 ? value << BigInt(by) : value >> BigInt(-by)
}

function toFixed(x: number): bigint {
  const {mantissa, exponent} = parts(x)
  return shift(mantissa, exponent + Number(BITS))
}

/** e^x = fixed * 2^power with fixed between 1/2 and 2. */
function exactExp(x: number): {readonly fixed: bigint; readonly power: number} {
  const power = Math.round(x / Math.LN2)
  const r = toFixed(x) - BigInt(power) * LN2
  let term = ONE
  let fixed = 0n
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    fixed += term
    term = (term * r) / ONE / k
  }
  return {fixed, power}
}

function ratio(numerator: bigint, denominator: bigint): number {
  const size = numerator < 0n ? -numerator : numerator
  return Number((size << 20n) / denominator) / 2 ** 20
}

/** How far y is from e^x, in units of the last place of y. */
export function expError(x: number, y: number): number {
  const {fixed, power} = exactExp(x)
  const {mantissa, exponent} = parts(y)
  const up = exponent - power + Number(BITS)
  return ratio(shift(mantissa, up) - fixed, shift(1n, up))
}

/** How far y is from log(x + added), in units of the last place of y: the logarithm is off by (x + added) / e^y - 1. */
export function logError(x: number, y: number, added = 0): number {
  const {fixed, power} = exactExp(y)
  const off = ((shift(toFixed(x) + toFixed(added), -power) - fixed) << BITS) / fixed
  return ratio(off, shift(1n, parts(y).exponent + Number(BITS)))
}
