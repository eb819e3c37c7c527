/** The character after a backslash, by what follows it; 0 for anything else. */
export const ESCAPED = new Uint8Array(256)
for (const [letter, character] of Object.entries({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t'
}))
  ESCAPED[letter.charCodeAt(0)] = character.charCodeAt(0)

export const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

export function foldTable(lowerCase: boolean): Uint8Array {
  return Uint8Array.from({length: 256}, (_, byte) => (lowerCase && byte >= 65 && byte <= 90 ? byte + 32 : byte))
}

export function isSame(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[from + at]) return false
  return true
}

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

export function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}

export function isNumberPart(byte: number): boolean {
  return isDigit(byte) || byte === 0x2e || byte === 0x2d || byte === 0x2b || byte === 0x65 || byte === 0x45
}
