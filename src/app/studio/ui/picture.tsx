import {useEffect, useRef} from 'preact/hooks'
import {AdfaError} from '../../../base/checks/index.ts'
import type {ExportedFile, PictureRequest} from '../../session/index.ts'
import {type Studio, useStudio} from '../store.ts'
import {showMarkup} from '../workers/start-worker.ts'
import {useAnswer} from './answer.ts'
import {saveFile} from './save-file.ts'

/** A picture or a card of the drawing thread. */
export function Drawn(props: {
  readonly request: PictureRequest
  /** The revision of the model that it is of: it is drawn again when this or the request changes. */
  readonly of?: number
  readonly class?: string
  /** Instead of a picture that cannot be drawn. */
  readonly none?: string
  /** Called with each new picture in place. */
  readonly onDrawn?: (element: HTMLElement) => void
}) {
  const {session} = useStudio()
  const {request, of, none = 'This picture cannot be drawn.', onDrawn} = props
  const place = useRef<HTMLDivElement>(null)
  const {answer, fault} = useAnswer('', JSON.stringify([request, of]), async () => [await session.picture(request)])
  const [markup] = answer ?? []
  useEffect(() => {
    if (place.current === null) return
    showMarkup(place.current, markup ?? '')
    if (markup !== undefined) onDrawn?.(place.current)
  }, [answer])
  const words = fault?.message ?? (answer === undefined ? 'Drawing …' : markup === undefined ? none : undefined)
  return (
    <div class={`drawn ${props.class ?? ''}`}>
      {words === undefined ? null : <p class="soft">{words}</p>}
      <div ref={place} />
    </div>
  )
}

type PictureFormat = 'svg' | 'png'

/** Draw a picture and save it as a file. */
export async function savePicture(studio: Studio, request: PictureRequest, name: string, format: PictureFormat) {
  try {
    const svg = await studio.session.picture(request)
    if (svg === undefined) return studio.say('This network is too dense to be drawn; its edges are in Export, as CSV')
    const file: ExportedFile =
      format === 'svg'
        ? {name: `${name}.svg`, type: 'image/svg+xml', parts: [new TextEncoder().encode(svg)]}
        : {name: `${name}.png`, type: 'image/png', parts: [await pngBytes(svg)]}
    saveFile(file)
    studio.say(`Saved ${file.name}`)
  } catch (error) {
    studio.say(error as Error)
  }
}

/** Pixels of a PNG for one of the picture: sharp on paper and on fine screens. */
const SCALE = 2

async function pngBytes(svg: string): Promise<Uint8Array> {
  const address = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, {width: SCALE * image.width, height: SCALE * image.height})
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
    if (blob === null)
      throw new AdfaError(
        'bad-option',
        'the picture has more pixels than browsers draw; save it as SVG, which has no limit'
      )
    return new Uint8Array(await blob.arrayBuffer())
  } finally {
    URL.revokeObjectURL(address)
  }
}
