import fc from 'fast-check'
import {expect, test} from 'vitest'
import {xxhash64} from './xxhash64.ts'

const mask = (1n << 64n) - 1n
const [P1, P2, P3, P4, P5] = [
  11400714785074694791n,
  14029467366897019727n,
  1609587929392839161n,
  9650029242287828579n,
  2870177450012600261n
]

test.each([
  ['', 0xef46db3751d8e999n],
  ['a', 0xd24ec4f1a98c6e5bn],
  ['abc', 0x44bc2cf5ad770999n],
  ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n]
])('xxhash64() of "%s" is the number of the reference implementation', (text, expected) => {
  const hash = xxhash64()
  hash.update(Buffer.from(text))
  expect(hash.digest()).toBe(expected)
})

test('xxhash64() equals the specification in plain BigInt, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 300}), fc.array(fc.nat(300), {maxLength: 5}), (bytes, cuts) => {
      const hash = xxhash64()
      const places = [0, ...cuts.filter(cut => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      for (const [at, to] of places.slice(1).entries()) hash.update(bytes.subarray(places[at], to))
      expect(hash.digest()).toBe(slowXxhash64(bytes))
    })
  )
})

function slowXxhash64(bytes: Uint8Array): bigint {
  const buffer = Buffer.from(bytes)
  const rotate = (value: bigint, bits: bigint) => ((value << bits) | (value >> (64n - bits))) & mask
  const round = (sum: bigint, input: bigint) => (rotate((sum + input * P2) & mask, 31n) * P1) & mask
  const lanes = [(P1 + P2) & mask, P2, 0n, (mask + 1n - P1) & mask]
  let at = 0
  for (; at + 32 <= buffer.length; at += 32)
    for (const k of [0, 1, 2, 3]) lanes[k] = round(lanes[k], buffer.readBigUInt64LE(at + 8 * k))
  let hash = P5
  if (buffer.length >= 32) {
    hash = [1n, 7n, 12n, 18n].reduce((sum, bits, k) => sum + rotate(lanes[k], bits), 0n) & mask
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * P1 + P4) & mask
  }
  hash = (hash + BigInt(buffer.length)) & mask
  for (; at + 8 <= buffer.length; at += 8)
    hash = (rotate(hash ^ round(0n, buffer.readBigUInt64LE(at)), 27n) * P1 + P4) & mask
  for (; at + 4 <= buffer.length; at += 4)
    hash = (rotate(hash ^ ((BigInt(buffer.readUInt32LE(at)) * P1) & mask), 23n) * P2 + P3) & mask
  for (; at < buffer.length; at++) hash = (rotate(hash ^ ((BigInt(buffer[at]) * P5) & mask), 11n) * P1) & mask
  hash = ((hash ^ (hash >> 33n)) * P2) & mask
  hash = ((hash ^ (hash >> 29n)) * P3) & mask
  return hash ^ (hash >> 32n)
}
