import type {StringPlaces} from './string-places.ts'
import {HASH_FACTOR, HASH_START} from './token-table.ts'

/** Kinds of ASCII characters, as bits. */
const LETTER = 1
const WORD = 2
const JOINT = 4
const SIGN = 8

const KINDS = new Uint8Array(256)
for (let byte = 0; byte < 128; byte++) {
  const character = String.fromCharCode(byte)
  if (/[a-z]/i.test(character)) KINDS[byte] |= LETTER
  if (/\w/.test(character)) KINDS[byte] |= WORD
  if (/[.'-]/.test(character)) KINDS[byte] |= JOINT
  if (/[+#]/.test(character)) KINDS[byte] |= SIGN
}

const DOT = 0x2e

/** The tokens of `tokenize` in ASCII text, from 0 up to `length`, as places in it. */
export function tokenizeAscii(bytes: Uint8Array, length: number, places: StringPlaces): void {
  places.count = 0
  const kindAt = (at: number) => (at < length ? KINDS[bytes[at]] : 0)
  for (let at = 0; at < length; ) {
    const from = at
    let hash = HASH_START
    if (bytes[at] === DOT) {
      // A leading dot, as in .net.
      const before = at === 0 ? 0 : bytes[at - 1]
      at++
      if ((KINDS[before] & WORD) !== 0 || before === DOT || (kindAt(at) & LETTER) === 0) continue
      hash = Math.imul(hash ^ DOT, HASH_FACTOR)
    } else if ((KINDS[bytes[at]] & WORD) === 0) {
      at++
      continue
    }
    // Parts joined by a dot, a hyphen or an apostrophe, with signs before it: i'm, c++-style.
    let start = at
    do {
      for (; at < start; at++) hash = Math.imul(hash ^ bytes[at], HASH_FACTOR)
      for (; at < length && (KINDS[bytes[at]] & WORD) !== 0; at++) hash = Math.imul(hash ^ bytes[at], HASH_FACTOR)
      start = joinEnd(bytes, at, length)
    } while (start > 0)
    for (const end = signsEnd(bytes, at, length); at < end; at++) hash = Math.imul(hash ^ bytes[at], HASH_FACTOR)
    places.push(from, at, hash)
  }
}

/** The start of the next part of a token that is joined to what ends at `at`, or 0 if there is none. */
function joinEnd(bytes: Uint8Array, at: number, length: number): number {
  let next = at
  while (next < length && (KINDS[bytes[next]] & SIGN) !== 0) next++
  if (next + 1 >= length || (KINDS[bytes[next]] & JOINT) === 0) return 0
  return (KINDS[bytes[next + 1]] & WORD) === 0 ? 0 : next + 1
}

/** The end of a token with its trailing signs and digits, as in c++11, or `end` if there are none. */
function signsEnd(bytes: Uint8Array, end: number, length: number): number {
  if (end >= length || (KINDS[bytes[end]] & SIGN) === 0 || (KINDS[bytes[end - 1]] & LETTER) === 0) return end
  let at = end
  while (at < length && (KINDS[bytes[at]] & SIGN) !== 0) at++
  while (at < length && bytes[at] >= 0x30 && bytes[at] <= 0x39) at++
  return at < length && (KINDS[bytes[at]] & (WORD | SIGN)) !== 0 ? end : at
}
