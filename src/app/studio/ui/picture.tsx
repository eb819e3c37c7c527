import {useEffect, useRef, useState} from 'preact/hooks'
import {AdfaError} from '../../../base/checks/index.ts'
import type {ExportedFile, PictureRequest} from '../../session/index.ts'
import {type Studio, useStudio} from '../store.ts'
import {showMarkup} from '../workers/start-worker.ts'
import {Button} from './controls.tsx'
import {saveFile} from './save-file.ts'

/** A picture or a card of the drawing thread. `of` changes when it must be drawn again. */
export function Drawn(props: {
  readonly request: PictureRequest
  /** What the picture is of: it is drawn again when this or the request changes. */
  readonly of: unknown
  readonly class?: string
  /** Instead of a picture that cannot be drawn. */
  readonly none?: string
  /** The name of the file, without its ending, where the picture can be saved. */
  readonly saveAs?: string
  /** Called with each new picture in place. */
  readonly onDrawn?: (element: HTMLElement) => void
}) {
  const studio = useStudio()
  const {request, of, none = 'This picture cannot be drawn.'} = props
  const place = useRef<HTMLDivElement>(null)
  const [words, setWords] = useState<string | undefined>('Drawing …')
  useEffect(() => {
    let isOver = false
    studio.session.picture(request).then(
      markup => {
        if (isOver || !place.current) return
        showMarkup(place.current, markup ?? '')
        setWords(markup === undefined ? none : undefined)
        if (markup !== undefined) props.onDrawn?.(place.current)
      },
      (error: Error) => {
        if (!isOver) setWords(error.message)
      }
    )
    return () => {
      isOver = true
    }
  }, [studio, JSON.stringify(request), of])
  return (
    <div class={`drawn ${props.class ?? ''}`}>
      {words === undefined ? null : <p class="soft">{words}</p>}
      <div ref={place} />
      {props.saveAs === undefined || words !== undefined ? null : <SavePicture request={request} name={props.saveAs} />}
    </div>
  )
}

/** Draw a picture and save it as a file. */
export async function savePicture(studio: Studio, request: PictureRequest, name: string, format: PictureFormat) {
  try {
    const svg = await studio.session.picture(request)
    if (svg === undefined) return studio.say('This network is too dense to be drawn; its edges are in Export, as CSV')
    const file = await pictureFile(svg, name, format)
    saveFile(file)
    studio.say(`Saved ${file.name}`)
  } catch (error) {
    studio.say(error as Error)
  }
}

interface SavePictureProps {
  readonly request: PictureRequest
  /** Of the file, without its ending. */
  readonly name: string
}

/** Beside a drawn picture. */
export function SavePicture({request, name}: SavePictureProps) {
  const studio = useStudio()
  return (
    <fieldset class="rowed save-picture">
      <legend class="unseen">Save the picture</legend>
      {(['svg', 'png'] as const).map(format => (
        <Button key={format} look="quiet" isLittle onClick={() => savePicture(studio, request, name, format)}>
          <span class="unseen">Save the picture as </span>
          {format.toUpperCase()}
        </Button>
      ))}
    </fieldset>
  )
}

export type PictureFormat = 'svg' | 'png'

/** Pixels of a PNG for one of the picture: sharp on paper and on fine screens. */
const SCALE = 2
/** What browsers draw: sides as in Chromium, and a quarter of a gigabyte of pixels. */
const MOST_SIDE = 16_384
const MOST_PIXELS = 64 * 1024 * 1024

/** Returns the picture as a file in the colours of paper, whatever scheme its reader has. */
export function standalone(svg: string): string {
  const [root] = /^<svg\b[^>]*>/.exec(svg) ?? []
  if (root?.includes('xmlns="http://www.w3.org/2000/svg"') !== true)
    throw new Error('internal error: this is not a picture')
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
