import type {StringPlaces} from './plain-line.ts'
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
    if (bytes[at] === DOT) {
      // A leading dot, as in .net.
      const before = at === 0 ? 0 : bytes[at - 1]
      at++
      if ((KINDS[before] & WORD) !== 0 || before === DOT || (kindAt(at) & LETTER) === 0) continue
    } else if ((KINDS[bytes[at]] & WORD) === 0) {
      at++
      continue
    }
    while (at < length && (KINDS[bytes[at]] & WORD) !== 0) at++
    // Parts joined by a dot, a hyphen or an apostrophe: c++-style, i'm.
    for (;;) {
      let next = at
      while ((kindAt(next) & SIGN) !== 0) next++
      if ((kindAt(next) & JOINT) === 0 || (kindAt(next + 1) & WORD) === 0) break
      at = next + 1
      while ((kindAt(at) & WORD) !== 0) at++
    }
    at = signsEnd(bytes, at, length)
    let hash = HASH_START
    for (let k = from; k < at; k++) hash = Math.imul(hash ^ bytes[k], HASH_FACTOR)
    places.push(from, at, hash)
  }
}

/** The end of a token with its trailing signs and digits, as in c++11, or `end` if there are none. */
function signsEnd(bytes: Uint8Array, end: number, length: number): number {
  if (end >= length || (KINDS[bytes[end]] & SIGN) === 0 || (KINDS[bytes[end - 1]] & LETTER) === 0) return end
  let at = end
  while (at < length && (KINDS[bytes[at]] & SIGN) !== 0) at++
  while (at < length && bytes[at] >= 0x30 && bytes[at] <= 0x39) at++
  return at < length && (KINDS[bytes[at]] & (WORD | SIGN)) !== 0 ? end : at
}
