import {crc32} from 'node:zlib'

/** A 7z archive with the contents stored as they are, every file in a folder of its own, and empty directories. */
export function sevenZip(
  files: Readonly<Record<string, string | Uint8Array>>,
  directories: readonly string[] = []
): Buffer {
  const contents = Object.values(files).map(content => Buffer.from(content))
  const checkSums = contents.map(content => uint32(crc32(content)))
  const count = number(contents.length)
  const sizes = contents.map(content => number(content.length))
  const coders = contents.flatMap(() => [1, 1, 0])
  const streams = [
    [0x06, ...number(0), ...count, 0x09, ...sizes.flat(), 0],
    [0x07, 0x0b, ...count, 0, ...coders, 0x0c, ...sizes.flat(), 0],
    [0x08, 0x0a, 1, ...checkSums.flat(), 0]
  ]
  const names = [...Object.keys(files), ...directories]
  const nameBytes = [...Buffer.from(names.map(name => `${name}\0`).join(''), 'utf16le')]
  const properties = [
    [0x11, ...number(nameBytes.length + 1), 0, ...nameBytes],
    ...emptyStreams(contents.length, names.length)
  ]
  const header = Buffer.from([
    0x01,
    ...(contents.length > 0 ? [0x04, ...streams.flat(), 0] : []),
    ...[0x05, ...number(names.length), ...properties.flat(), 0, 0]
  ])
  const packed = Buffer.concat(contents)
  const start = Buffer.from([...uint64(packed.length), ...uint64(header.length), ...uint32(crc32(header))])
  const magic = Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4, ...uint32(crc32(start))])
  return Buffer.concat([magic, start, packed, header])
}

/** The property that says which entries have no content: those from `from` on. */
function emptyStreams(from: number, to: number): number[][] {
  if (from === to) return []
  const bits = Array.from({length: Math.ceil(to / 8)}, () => 0)
  for (let entry = from; entry < to; entry++) bits[entry >> 3] |= 0x80 >> (entry & 7)
  return [[0x0e, ...number(bits.length), ...bits]]
}

function number(value: number): number[] {
  return value < 0x80 ? [value] : [0xff, ...uint64(value)]
}

function uint32(value: number): number[] {
  return [0, 8, 16, 24].map(shift => (value >>> shift) & 0xff)
}

function uint64(value: number): number[] {
  return [...uint32(value % 2 ** 32), ...uint32(Math.floor(value / 2 ** 32))]
}
