import {useEffect, useRef, useState} from 'preact/hooks'
import type {PictureRequest} from '../desk/index.ts'
import {showMarkup} from './start-worker.ts'
import type {Studio} from './store.ts'

/** A picture or a card of the drawing thread. `of` changes when it must be drawn again. */
export function Drawn(props: {
  readonly studio: Studio
  readonly request: PictureRequest
  /** What the picture is of: it is drawn again when this or the request changes. */
  readonly of: unknown
  readonly class?: string
  /** Instead of a picture that cannot be drawn. */
  readonly none?: string
  /** Called with each new picture in place. */
  readonly onDrawn?: (element: HTMLElement) => void
}) {
  const {studio, request, of, none = 'This picture cannot be drawn.'} = props
  const place = useRef<HTMLDivElement>(null)
  const [words, setWords] = useState<string | undefined>('Drawing …')
  useEffect(() => {
    let isOver = false
    studio.desk.picture(request).then(
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
    </div>
  )
}
