/**
 * Returns a 32-bit hash of a string: FNV-1a over UTF-16 units, then the finaliser of MurmurHash3, so that every bit depends on
 * every character. Splits and random streams depend on it, so it must never change.
 */
export function hashString(text: string, seed = 0): number {
  let h = (0x811c9dc5 ^ mixBits(seed)) >>> 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    h = Math.imul(h ^ (unit & 0xff), 0x01000193)
    h = Math.imul(h ^ (unit >>> 8), 0x01000193)
  }
  return mixBits(h)
}

/** Returns the hash of a string as a number that is uniform in [0, 1). */
export function hashShare(text: string, seed = 0): number {
  return hashString(text, seed) / 2 ** 32
}

/** Applies the finaliser of MurmurHash3 to 32 bits: every bit of the result depends on all bits of `value`. */
function mixBits(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Returns the CRC-32 of gzip. */
export function crc32(bytes: Uint8Array): number {
  let crc = -1
  let at = 0
  // Four bytes are read at a time; each is looked up in the table for the number of bytes that follow it among the four.
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    crc =
      CRC_TABLES[768 + (crc & 0xff)] ^
      CRC_TABLES[512 + ((crc >>> 8) & 0xff)] ^
      CRC_TABLES[256 + ((crc >>> 16) & 0xff)] ^
      CRC_TABLES[crc >>> 24]
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ CRC_TABLES[(crc ^ bytes[at]) & 0xff]
  return ~crc >>> 0
}

/** Entry 256 * n + byte is what a byte contributes to the CRC when n more bytes follow. */
const CRC_TABLES = crcTables(4)

function crcTables(count: number): Int32Array {
  const tables = new Int32Array(256 * count)
  for (let at = 0; at < tables.length; at++) {
    let entry = at < 256 ? at : tables[at - 256]
    for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1
    tables[at] = entry
  }
  return tables
}
