import {useEffect, useRef, useState} from 'preact/hooks'
import type {GraphView, PictureRequest} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Button} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/focus.ts'
import {Drawn, SavePicture} from '../../ui/picture.tsx'
import {isArrow, nearConcepts, neighbourTowards, type Place} from './graph-order.ts'

interface PictureProps {
  readonly graph: GraphView
  /** The number of the concept at hand; -1 for none. */
  readonly current: number
  readonly found: ReadonlySet<number>
  /** Show the concept at hand and its neighbours alone. */
  readonly isNear: boolean
}

const ZOOM = 1.25
const [LEAST, MOST] = [0.2, 4]

/** The picture of the report. One tab stop: arrows walk to neighbours, Enter opens the card. */
export function GraphPicture({graph, current, found, isNear}: PictureProps) {
  const studio = useStudio()
  const view = useRef<HTMLDivElement>(null)
  const [svg, setSvg] = useState<SVGSVGElement>()
  const [scale, setScale] = useState(1)
  const [times, setTimes] = useState(0)
  const name = graph.concepts[current]?.name
  const isPart = isNear && name !== undefined
  // Concepts stay in their places when rules change the links.
  const places = `${studio.project.value.documents?.hash ?? ''} ${times}`
  const request: PictureRequest = {kind: 'network', ...(isPart ? {around: name} : {places})}
  useEffect(() => svg && mark(svg, graph, current, found), [svg, graph, current, found])
  useEffect(() => svg && resize(svg, scale), [svg, scale])
  useEffect(() => scrollTo(svg?.querySelector('.chosen')), [svg, current])
  const zoom = (by: number) => setScale(Math.max(LEAST, Math.min(scale * by, MOST)))
  const whole = () => {
    const {width = 1, height = 1} = svg?.viewBox.baseVal ?? {}
    const {clientWidth = width, clientHeight = height} = view.current ?? {}
    setScale(Math.max(LEAST, Math.min(1, clientWidth / width, clientHeight / height)))
  }
  const open = (node: Element | null) => {
    const at = node?.getAttribute('data-concept')
    if (at) studio.go({concept: graph.concepts[Number(at)].name})
    return at !== undefined && at !== null
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const node = (event.target as Element).closest('.node')
    if (event.key === '+') zoom(ZOOM)
    else if (event.key === '-') zoom(1 / ZOOM)
    else if (event.key === '0') whole()
    else if (node === null) return
    else if (event.key === 'Enter' || event.key === ' ') {
      if (open(node)) focusSoon('#card-title')
    } else if (isArrow(event.key)) walk(event.key, node, graph)
    else return
    event.preventDefault()
  }
  // Keys and clicks are those of the concepts inside, which are buttons once they are drawn.
  useEffect(() => {
    const box = view.current
    const click = ({target}: MouseEvent) => void open((target as Element).closest('.node'))
    box?.addEventListener('click', click)
    box?.addEventListener('keydown', press)
    box?.addEventListener('pointerdown', drag)
    return () => {
      box?.removeEventListener('click', click)
      box?.removeEventListener('keydown', press)
      box?.removeEventListener('pointerdown', drag)
    }
  })
  return (
    <>
      <div class="rowed zoom">
        <Button isLittle onClick={() => zoom(ZOOM)}>
          Zoom in
        </Button>
        <Button isLittle onClick={() => zoom(1 / ZOOM)}>
          Zoom out
        </Button>
        <Button isLittle onClick={whole}>
          Fit to view
        </Button>
        {isPart ? null : (
          <Button isLittle title="Places as if the network were new" onClick={() => setTimes(times + 1)}>
            Arrange anew
          </Button>
        )}
        {svg ? <SavePicture request={request} name="network" /> : null}
      </div>
      <div class="network" ref={view}>
        <Drawn
          request={request}
          of={graph.revision}
          none="This network is too dense to be drawn; the table and the matrix have all of its links."
          onDrawn={element => {
            const drawn = element.querySelector('svg')
            if (drawn) setSvg(drawn)
          }}
        />
      </div>
    </>
  )
}

/** Makes concepts buttons, named by their titles, one of them the tab stop, and marks the concept at hand, its neighbours, and what is found. */
function mark(svg: SVGSVGElement, graph: GraphView, current: number, found: ReadonlySet<number>): void {
  const near = nearConcepts(graph, current)
  const isAll = found.size === graph.concepts.length
  const nodes = [...svg.querySelectorAll('.node')]
  const numberOf = (node: Element) => Number(node.getAttribute('data-concept'))
  const stop = nodes.find(node => numberOf(node) === current) ?? nodes[0]
  for (const node of nodes) {
    const i = numberOf(node)
    node.setAttribute('role', 'button')
    node.setAttribute('tabindex', node === stop ? '0' : '-1')
    node.setAttribute('aria-pressed', String(i === current))
    node.classList.toggle('chosen', i === current)
    node.classList.toggle('near', near.has(i))
    node.classList.toggle('other', !isAll && !found.has(i))
  }
  for (const edge of svg.querySelectorAll('.edge')) {
    const ends = [edge.getAttribute('data-parent'), edge.getAttribute('data-child')]
    edge.classList.toggle('near', ends.includes(String(current)))
  }
}

function resize(svg: SVGSVGElement, scale: number): void {
  const {width, height} = svg.viewBox.baseVal
  svg.setAttribute('width', String(Math.round(scale * width)))
  svg.setAttribute('height', String(Math.round(scale * height)))
}

/** To the neighbour on the side of an arrow, where it is drawn. */
function walk(key: string, node: Element, graph: GraphView): void {
  const near = nearConcepts(graph, Number(node.getAttribute('data-concept')))
  const places = new Map<Element, Place>()
  for (const other of node.parentElement?.querySelectorAll('.node') ?? [])
    if (other !== node && near.has(Number(other.getAttribute('data-concept')))) places.set(other, centre(other))
  const to = neighbourTowards(key, centre(node), places)
  if (to === undefined) return
  node.setAttribute('tabindex', '-1')
  to.setAttribute('tabindex', '0')
  ;(to as SVGElement).focus({preventScroll: true})
  scrollTo(to)
}

/** Brings a concept that is out of sight to the middle of the picture; the page around it stays. */
function scrollTo(node: Element | null | undefined): void {
  const view = node?.closest('.network')
  if (!node || !view) return
  const [box, own] = [view.getBoundingClientRect(), node.getBoundingClientRect()]
  const isSeen = own.left >= box.left && own.right <= box.right && own.top >= box.top && own.bottom <= box.bottom
  const [[x, y], [toX, toY]] = [centre(view), centre(node)]
  if (!isSeen) view.scrollBy(toX - x, toY - y)
}

function centre(element: Element): Place {
  const {left, right, top, bottom} = element.getBoundingClientRect()
  return [(left + right) / 2, (top + bottom) / 2]
}

/** Pulls the picture along with the mouse; fingers scroll by themselves. */
function drag(event: PointerEvent): void {
  const view = event.currentTarget as HTMLElement
  if (event.pointerType !== 'mouse' || event.button !== 0 || (event.target as Element).closest('.node')) return
  const move = ({movementX, movementY}: PointerEvent) => view.scrollBy(-movementX, -movementY)
  view.setPointerCapture(event.pointerId)
  view.addEventListener('pointermove', move)
  view.addEventListener('lostpointercapture', () => view.removeEventListener('pointermove', move), {once: true})
}
