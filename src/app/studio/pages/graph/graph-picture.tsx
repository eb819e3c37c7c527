import {useEffect, useRef, useState} from 'preact/hooks'
import type {GraphView, PictureRequest} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Button} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {type NetworkView, viewNetwork, ZOOM} from '../../ui/network-view.ts'
import {Drawn} from '../../ui/picture.tsx'

interface PictureProps {
  readonly graph: GraphView
  /** The number of the concept at hand; -1 for none. */
  readonly current: number
  readonly found: ReadonlySet<number>
  /** Show the concept at hand and its neighbours alone. */
  readonly isNear: boolean
}

/** The picture of the report. One tab stop: arrows walk to neighbours, Enter opens the card. */
export function GraphPicture({graph, current, found, isNear}: PictureProps) {
  const studio = useStudio()
  const frame = useRef<HTMLDivElement>(null)
  const [svg, setSvg] = useState<SVGSVGElement>()
  const [view, setView] = useState<NetworkView>()
  const [times, setTimes] = useState(0)
  // Concepts stay in their places when rules change the links.
  const places = `${studio.project.value.documents?.hash ?? ''} ${times}`
  const request: PictureRequest = {
    kind: 'network',
    ...(isNear ? {around: graph.concepts[current].name} : {places})
  }
  useEffect(() => {
    if (!svg || !frame.current) return
    const made = viewNetwork(frame.current, svg, (concept, byKey) => {
      studio.go({concept: graph.concepts[concept].name})
      if (byKey) focusSoon('#card-title')
    })
    setView(made)
    return made.end
  }, [studio, svg, graph])
  useEffect(() => view?.choose(current), [view, current])
  useEffect(() => view?.find(found.size === graph.concepts.length ? undefined : found), [view, graph, found])
  return (
    <>
      <div class="rowed zoom">
        <Button isLittle onClick={() => view?.zoom(ZOOM)}>
          Zoom in
        </Button>
        <Button isLittle onClick={() => view?.zoom(1 / ZOOM)}>
          Zoom out
        </Button>
        <Button isLittle onClick={() => view?.fit()}>
          Fit to view
        </Button>
        {isNear ? null : (
          <Button isLittle title="Places as if the network were new" onClick={() => setTimes(times + 1)}>
            Arrange anew
          </Button>
        )}
      </div>
      <div class="network" ref={frame}>
        <Drawn
          request={request}
          of={graph.revision}
          none="This network is too dense to be drawn; the table and the matrix have all of its links."
          onDrawn={element => setSvg(element.querySelector('svg') ?? undefined)}
        />
      </div>
    </>
  )
}
