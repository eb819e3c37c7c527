import {deflateSync, inflateSync} from 'node:zlib'
import {crc32} from '../../src/base/numeric/index.ts'

/** An image of opaque pixels, three bytes each. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

const BYTES = 3

/** The pixels of a PNG as Chromium writes pictures of pages: 8 bits a colour, no transparency, not interlaced. */
export function readPng(png: Buffer): Pixels {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (png[24] !== 8 || png[25] !== 2 || png[28] !== 0) throw new Error('the picture is not of plain colours')
  const lines = inflateSync(Buffer.concat(parts))
  const row = width * BYTES
  const rgb = new Uint8Array(row * height)
  for (let at = 0; at < rgb.length; at++) {
    const [y, x] = [Math.floor(at / row), at % row]
    const left = x < BYTES ? 0 : rgb[at - BYTES]
    const up = y === 0 ? 0 : rgb[at - row]
    const corner = x < BYTES || y === 0 ? 0 : rgb[at - row - BYTES]
    const filter = lines[y * (row + 1)]
    rgb[at] = lines[at + y + 1] + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
  }
  return {width, height, rgb}
}

/** Of the three neighbours the one nearest to left + up - corner, as the format has it. */
function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [left, up, corner].map(value => Math.abs(left + up - corner - value))
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** A PNG of at most 256 colours, a third of the size for a picture of a page: rare shades become the nearest frequent one. */
export function palettePng({width, height, rgb}: Pixels): Buffer {
  const colours = new Map<number, number>()
  const colourAt = (pixel: number) =>
    (rgb[BYTES * pixel] << 16) | (rgb[BYTES * pixel + 1] << 8) | rgb[BYTES * pixel + 2]
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
