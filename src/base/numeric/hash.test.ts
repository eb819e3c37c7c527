import fc from 'fast-check'
import {expect, test} from 'vitest'
import {crc32, hashString} from './hash.ts'

test('crc32("123456789") is the check value cbf43926 of CRC-32/ISO-HDLC', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  expect(crc32(new Uint8Array(0))).toBe(0)
  expect(crc32(Uint8Array.of(0))).toBe(0xd202ef8d)
})

/** Bit by bit, without a table. */
function slowCrc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit++) {
      const carry = (crc ^ (byte >>> bit)) & 1
      crc = (crc >>> 1) ^ (carry ? 0xedb88320 : 0)
    }
  return ~crc >>> 0
}

test('crc32(...) equals the bit-by-bit computation', () => {
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 200}), bytes => crc32(bytes) === slowCrc32(bytes)),
    {seed: 1}
  )
})

/** Any UTF-16, half of a surrogate pair included. */
const anyText = fc.array(fc.nat(0xffff), {maxLength: 30}).map(units => String.fromCharCode(...units))

/** FNV-1a over little-endian UTF-16, then the finaliser of MurmurHash3, in integers of any size. */
function slowHash(text: string, seed: number): number {
  const word = (value: bigint) => BigInt.asUintN(32, value)
  const finalise = (value: bigint) => {
    let h = value
    h = word((h ^ (h >> 16n)) * 0x85ebca6bn)
    h = word((h ^ (h >> 13n)) * 0xc2b2ae35n)
    return h ^ (h >> 16n)
  }
  let h = 0x811c9dc5n ^ finalise(word(BigInt(seed)))
  for (const byte of new Uint8Array(Buffer.from(text, 'utf16le'))) h = word((h ^ BigInt(byte)) * 0x01000193n)
  return Number(finalise(h))
}

test('hashString(...) equals its definition in integers of any size', () => {
  fc.assert(
    fc.property(anyText, fc.integer(), (text, seed) => hashString(text, seed) === slowHash(text, seed)),
    {seed: 3}
  )
})

test('hashString(...) never changes', () => {
  expect([hashString(''), hashString('adfa'), hashString('adfa', 1), hashString('日本', -1)]).toEqual([
    0xab3e7c0b, 0x1e56ad07, 0x05c2c1a8, 0xc64e1259
  ])
})
