import {deflateSync} from 'node:zlib'
import {crc32} from '../../src/base/numeric/index.ts'

/** An image of opaque pixels, four bytes each. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

/** A PNG of at most 256 colours, a third of the size of true colour for a picture of a page: rare shades become the nearest frequent one. */
export function palettePng({width, height, rgba}: Pixels): Buffer {
  const colours = new Map<number, number>()
  const colourAt = (pixel: number) => (rgba[4 * pixel] << 16) | (rgba[4 * pixel + 1] << 8) | rgba[4 * pixel + 2]
  for (let pixel = 0; pixel < width * height; pixel++)
    colours.set(colourAt(pixel), (colours.get(colourAt(pixel)) ?? 0) + 1)
  const byCount = [...colours].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour)
  const palette = byCount.slice(0, 256)
  const places = new Map(byCount.map(colour => [colour, nearest(palette, colour)]))
  const lines = Buffer.alloc((width + 1) * height)
  for (let pixel = 0; pixel < width * height; pixel++)
    lines[pixel + Math.floor(pixel / width) + 1] = places.get(colourAt(pixel)) ?? 0
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  // 8 bits, by palette.
  size.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', size),
    chunk('PLTE', Buffer.from(palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(lines, {level: 9, memLevel: 9})),
    chunk('IEND', Buffer.alloc(0))
  ])
}

function nearest(palette: readonly number[], colour: number): number {
  const distance = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((other >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0)
  return palette.reduce((best, other, at) => (distance(other) < distance(palette[best]) ? at : best), 0)
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body) >>> 0)
  return Buffer.concat([length, body, sum])
}
