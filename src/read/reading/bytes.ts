/**
 * What readers do with bytes in their inner loops. `portableTools` run everywhere; Node has others that give the same and take
 * half the time (`nodeTools` of read/files).
 */
export interface ByteTools {
  isAscii(bytes: Uint8Array): boolean
  isUtf8(bytes: Uint8Array): boolean
  view(bytes: Uint8Array): ByteView
  /** Decompressors of Parquet by their names there, where the runtime has faster ones. */
  readonly unpack?: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>>
}

/** Bytes that are searched and decoded many times. */
export interface ByteView {
  /** The next place of a byte, or -1. */
  indexOf(byte: number, from: number): number
  /** Text in UTF-8, with U+FFFD for what is none. */
  text(from: number, to: number): string
}

const lenient = new TextDecoder('utf-8', {ignoreBOM: true})
const strict = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})
const encoder = new TextEncoder()

export const portableTools: ByteTools = {
  isAscii(bytes) {
    for (let at = 0; at < bytes.length; at++) if (bytes[at] >= 0x80) return false
    return true
  },
  isUtf8(bytes) {
    try {
      strict.decode(bytes)
      return true
    } catch {
      return false
    }
  },
  view: bytes => ({
    indexOf: (byte, from) => bytes.indexOf(byte, from),
    text: (from, to) => lenient.decode(bytes.subarray(from, to))
  })
}

/** Text in UTF-8, with U+FFFD for what is none; a byte order mark at its start is kept. */
export function textOf(bytes: Uint8Array): string {
  return lenient.decode(bytes)
}

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text)
}

/** A character per byte, for looking at a few of them. */
export function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** Pieces of bytes as one, without a copy where there is only one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
