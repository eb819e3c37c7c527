/** 10^k, exact from k = 17 to 22, and its two halves of at most 26 bits, whose products with those of another number are exact. */
const POWERS = Float64Array.of(1e17, 1e18, 1e19, 1e20, 1e21, 1e22)
const SPLITTER = 2 ** 27 + 1
const HIGH = POWERS.map(high)
const LOW = POWERS.map((power, at) => power - HIGH[at])
/** Nearer to an edge than this, rounding of the sums below could decide. */
const CLOSE = 1e-9
const DIGIT = 48

const value64 = new Float64Array(1)
const words = new Uint32Array(value64.buffer)
const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
const HIGH_WORD = isLittle ? 1 : 0

function high(value: number): number {
  const scaled = SPLITTER * value
  return scaled - (scaled - value)
}

/**
 * Writes a number from 1e-6 up to 1 as `String` does, from `bytes[at]` on, and returns where it ends; -1, with nothing
 * written that counts, for other numbers and the few that need more care. Needs room for 24 bytes.
 *
 * 10^k v, which has 17 digits before the point, is the sum of two numbers without error. Every decimal nearer to v than half
 * the distance to the next number reads as v, so that the last digits are rounded away while the rest is that near.
 */
export function writeDecimal(value: number, bytes: Uint8Array, at: number): number {
  if (!(value >= 1e-6 && value < 1)) return -1
  let power = 0
  for (let edge = 0.1; value < edge; power++) edge = EDGES[power]
  const product = value * POWERS[power]
  const upper = high(value)
  const lower = value - upper
  const rest = upper * HIGH[power] - product + upper * LOW[power] + lower * HIGH[power] + lower * LOW[power]
  // The whole part is first * 10^8 + last.
  const whole = Math.floor(rest)
  const fraction = rest - whole
  let first = Math.floor(product / 1e8)
  let last = product - first * 1e8 + whole
  if (last < 0) {
    first--
    last += 1e8
  } else if (last >= 1e8) {
    first++
    last -= 1e8
  }
  value64[0] = value
  const exponent = words[HIGH_WORD] >>> 20
  // Below a power of two the next number is nearer.
  if (words[1 - HIGH_WORD] === 0 && (words[HIGH_WORD] & 0xfffff) === 0) return -1
  const near = HALF_STEPS[exponent] * POWERS[power]
  // Digits of `last` go one after another from `left` to `below`, while the nearest number without them is near enough.
  let left = last | 0
  let below = 0
  let unit = 1
  let count = 9
  let kept = 0
  for (; ; unit *= 10) {
    const over = below + fraction
    const isUp = over + over > unit
    const distance = isUp ? unit - over : over
    if (Math.abs(distance - near) < CLOSE || Math.abs(over + over - unit) < CLOSE) return -1
    if (distance > near) break
    kept = isUp ? left + 1 : left
    if (--count === 0) return -1
    const next = (left / 10) | 0
    below += (left - 10 * next) * unit
    left = next
  }
  if (kept >= LIMITS[count]) {
    kept -= LIMITS[count]
    first++
  }
  if (first >= 1e9 || first < 1e8) return -1
  return writeDigits(bytes, at, power, first, kept, count)
}

/** 10^count. */
const LIMITS = Int32Array.from({length: 9}, (_, count) => 10 ** count)
/** The lower edges of the powers, and half the distance to the next number, by the bits of the exponent. */
const EDGES = Float64Array.of(0.01, 1e-3, 1e-4, 1e-5, 1e-6)
const HALF_STEPS = Float64Array.from({length: 1023}, (_, exponent) => 2 ** (exponent - 1023 - 53))

/** `0.`, zeros, 9 digits and `count` more. */
function writeDigits(bytes: Uint8Array, at: number, zeros: number, first: number, last: number, count: number): number {
  bytes[at++] = DIGIT
  bytes[at++] = 46
  for (let zero = 0; zero < zeros; zero++) bytes[at++] = DIGIT
  writeWhole(bytes, at, first, 9)
  writeWhole(bytes, at + 9, last, count)
  return at + 9 + count
}

function writeWhole(bytes: Uint8Array, at: number, value: number, count: number): void {
  let left = value | 0
  for (let place = at + count - 1; place >= at; place--) {
    const tenth = (left / 10) | 0
    bytes[place] = DIGIT + left - 10 * tenth
    left = tenth
  }
}
