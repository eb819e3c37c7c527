/**
 * XXH64 with seed 0, the checksum at the end of a Zstandard frame, fed piece by piece.
 *
 * 64-bit numbers are pairs of 32-bit halves in the loop over stripes of 32 bytes, which sees every byte; the end, which
 * runs once, is written with BigInt as in the specification (xxHash, doc/xxhash_spec.md).
 */
export interface Xxhash64 {
  update(bytes: Uint8Array): void
  digest(): bigint
}

const P1 = 0x9e3779b185ebca87n
const P2 = 0xc2b2ae3d27d4eb4fn
const P3 = 0x165667b19e3779f9n
const P4 = 0x85ebca77c2b2ae63n
const P5 = 0x27d4eb2f165667c5n

export function xxhash64(): Xxhash64 {
  // Four lanes, low half then high half: P1 + P2, P2, 0, -P1.
  const lanes = new Int32Array(8)
  for (const [lane, start] of [P1 + P2, P2, 0n, -P1].entries()) {
    lanes[2 * lane] = Number(BigInt.asIntN(32, start))
    lanes[2 * lane + 1] = Number(BigInt.asIntN(32, start >> 32n))
  }
  const rest = new Uint8Array(32)
  let restLength = 0
  let byteCount = 0
  return {
    update(bytes) {
      byteCount += bytes.length
      let at = 0
      if (restLength > 0) {
        at = Math.min(32 - restLength, bytes.length)
        rest.set(bytes.subarray(0, at), restLength)
        restLength += at
        if (restLength < 32) return
        addStripe(lanes, rest, 0)
      }
      for (; at + 32 <= bytes.length; at += 32) addStripe(lanes, bytes, at)
      rest.set(bytes.subarray(at))
      restLength = bytes.length - at
    },
    digest: () => finish(lanes, rest.subarray(0, restLength), byteCount)
  }
}

/** lane = rotl(lane + input * P2, 31) * P1, for the four lanes. */
function addStripe(lanes: Int32Array, bytes: Uint8Array, from: number): void {
  for (let lane = 0, at = from; lane < 8; lane += 2, at += 8) {
    const inLow = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    const inHigh = bytes[at + 4] | (bytes[at + 5] << 8) | (bytes[at + 6] << 16) | (bytes[at + 7] << 24)
    const scaledHigh = highProduct(inLow, 0xeb4f, 0x27d4) + Math.imul(inLow, 0xc2b2ae3d) + Math.imul(inHigh, 0x27d4eb4f)
    const sumLow = (lanes[lane] >>> 0) + (Math.imul(inLow, 0x27d4eb4f) >>> 0)
    const low = sumLow | 0
    const high = (lanes[lane + 1] + scaledHigh + (sumLow > 0xffffffff ? 1 : 0)) | 0
    const turnedLow = (low << 31) | (high >>> 1)
    const turnedHigh = (high << 31) | (low >>> 1)
    lanes[lane] = Math.imul(turnedLow, 0x85ebca87)
    lanes[lane + 1] =
      highProduct(turnedLow, 0xca87, 0x85eb) + Math.imul(turnedLow, 0x9e3779b1) + Math.imul(turnedHigh, 0x85ebca87)
  }
}

/** The upper 32 bits of an unsigned 32 by 32 bit product; the second factor comes as its two 16-bit halves. */
function highProduct(a: number, b0: number, b1: number): number {
  const a0 = a & 0xffff
  const a1 = a >>> 16
  const middle = a1 * b0 + ((a0 * b0) >>> 16)
  const second = a0 * b1 + (middle & 0xffff)
  return a1 * b1 + (middle >>> 16) + (second >>> 16)
}

function finish(lanes: Int32Array, rest: Uint8Array, byteCount: number): bigint {
  let hash = P5
  if (byteCount >= 32) {
    const v = [0, 2, 4, 6].map(lane => (wrap(BigInt(lanes[lane + 1])) << 32n) | BigInt(lanes[lane] >>> 0)).map(wrap)
    hash = rotate(v[0], 1n) + rotate(v[1], 7n) + rotate(v[2], 12n) + rotate(v[3], 18n)
    for (const lane of v) hash = wrap(hash ^ round(lane)) * P1 + P4
  }
  hash = wrap(hash + BigInt(byteCount))
  const view = new DataView(rest.buffer, rest.byteOffset, rest.length)
  let at = 0
  for (; at + 8 <= rest.length; at += 8) hash = wrap(rotate(hash ^ round(view.getBigUint64(at, true)), 27n) * P1 + P4)
  if (at + 4 <= rest.length) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3)
    at += 4
  }
  for (; at < rest.length; at++) hash = wrap(rotate(hash ^ wrap(BigInt(rest[at]) * P5), 11n) * P1)
  hash = wrap((hash ^ (hash >> 33n)) * P2)
  hash = wrap((hash ^ (hash >> 29n)) * P3)
  return hash ^ (hash >> 32n)
}

function round(input: bigint): bigint {
  return wrap(rotate(wrap(input * P2), 31n) * P1)
}

function rotate(value: bigint, bits: bigint): bigint {
  const wrapped = wrap(value)
  return wrap((wrapped << bits) | (wrapped >> (64n - bits)))
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}
