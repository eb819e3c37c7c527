import {AdfaError} from '../../base/checks/index.ts'
import type {ExportedFile} from '../desk/index.ts'

export type PictureFormat = 'svg' | 'png'

/** Pixels of a PNG for one of the picture: sharp on paper and on fine screens. */
const SCALE = 2
/** What browsers draw: sides as in Chromium, and a quarter of a gigabyte of pixels. */
const MOST_SIDE = 16_384
const MOST_PIXELS = 64 * 1024 * 1024

/** The picture as a file: its colours are those of paper, whatever scheme the reader of the file has. */
export function standalone(svg: string): string {
  const [root] = /^<svg\b[^>]*>/.exec(svg) ?? []
  if (root?.includes('xmlns="http://www.w3.org/2000/svg"') !== true)
    throw new Error('internal error: this is no picture')
  return `${svg.replaceAll(/<style\b[^>]*>.*?<\/style>\n?/gs, '').trimEnd()}\n`
}

/** The sides of a picture in pixels; a PNG that browsers could not draw is refused. */
export function pngSize(svg: string): {readonly width: number; readonly height: number} {
  const side = (name: string) => Number(new RegExp(`^<svg\\b[^>]*\\s${name}="([\\d.]+)"`).exec(svg)?.[1])
  const [width, height] = [Math.ceil(SCALE * side('width')), Math.ceil(SCALE * side('height'))]
  if (!(width >= 1 && height >= 1)) throw new Error('internal error: the picture does not say its size')
  if (Math.max(width, height) > MOST_SIDE || width * height > MOST_PIXELS)
    throw new AdfaError(
      'bad-option',
      `the picture would have ${width} x ${height} pixels, more than browsers draw; save it as SVG, which has no limit`
    )
  return {width, height}
}

/** A drawn picture as a file to save. */
export async function pictureFile(svg: string, name: string, format: PictureFormat): Promise<ExportedFile> {
  const text = standalone(svg)
  return format === 'svg'
    ? {name: `${name}.svg`, type: 'image/svg+xml', parts: [new TextEncoder().encode(text)]}
    : {name: `${name}.png`, type: 'image/png', parts: [await pngBytes(text)]}
}

async function pngBytes(svg: string): Promise<Uint8Array> {
  const {width, height} = pngSize(svg)
  const address = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, {width, height})
    canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
    const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
    if (blob === null)
      throw new AdfaError('bad-option', 'the browser cannot make a PNG of this picture; save it as SVG')
    return new Uint8Array(await blob.arrayBuffer())
  } finally {
    URL.revokeObjectURL(address)
  }
}
