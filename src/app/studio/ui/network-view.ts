/** A concept of a picture, by its number. */
const numberOf = (node: Element) => Number(node.getAttribute('data-concept'))

export interface NetworkView {
  /** Marks a concept and those that lines join it to; undefined for none. */
  choose(concept: number | undefined): void
  /** Marks what a search found; undefined marks nothing. */
  find(found: ReadonlySet<number> | undefined): void
  zoom(factor: number): void
  /** All of the picture, as long as its names can be read. */
  fit(): void
  /** Moves a concept into sight and gives it the focus. */
  show(concept: number): void
  end(): void
}

/** The smallest scale, at which names of 13 pixels have 9, and how many times as large a picture can be. */
const [SMALLEST, MOST] = [0.7, 10]
const ZOOM = 1.4

/**
 * A picture of a network that scrolls inside its frame: the browser moves it by fingers, wheel and arrow keys, and a mouse drags it.
 * Buttons, keys and the wheel (while the picture has the focus, or with the control key, which trackpads send for pinches) zoom.
 * Its concepts are one tab stop: arrows walk from one to a neighbour. In reports they are links, and elsewhere buttons that call `open`.
 */
export function viewNetwork(
  frame: HTMLElement,
  svg: SVGSVGElement,
  open?: (concept: number, byKey: boolean) => void
): NetworkView {
  const nodes = [...svg.querySelectorAll('.node')]
  const edges = [...svg.querySelectorAll('.edge')].map(edge => ({
    edge,
    ends: [Number(edge.getAttribute('data-parent')), Number(edge.getAttribute('data-child'))]
  }))
  const {width, height} = svg.viewBox.baseVal
  const stopOf = (node: Element) => (node.querySelector('a') ?? node) as SVGElement
  let scale = 1
  let least = 1
  let room = 0
  let moved = 0
  let isDragged = false

  const near = (concept: number) => new Set(edges.flatMap(({ends}) => (ends.includes(concept) ? ends : [])))
  const mark = (look: string, concept: number | undefined) => {
    const marked = concept === undefined ? new Set<number>() : near(concept)
    for (const node of nodes) node.classList.toggle(look, marked.has(numberOf(node)))
    for (const {edge, ends} of edges) edge.classList.toggle(look, concept !== undefined && ends.includes(concept))
  }
  const setStop = (stop: Element | undefined) => {
    for (const node of nodes) stopOf(node).setAttribute('tabindex', node === stop ? '0' : '-1')
  }
  const resize = (wanted: number) => {
    scale = Math.max(least, Math.min(MOST * least, wanted))
    svg.setAttribute('width', String(Math.round(scale * width)))
    svg.setAttribute('height', String(Math.round(scale * height)))
    frame.classList.toggle('zoomed', scale > least)
  }
  const fit = () => {
    const {paddingLeft, paddingRight} = getComputedStyle(frame)
    const inside = frame.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    if (!(inside > 0)) return
    least = Math.min(1, Math.max(inside / width, SMALLEST))
    resize(least)
    frame.scrollTo({left: 0, top: 0, behavior: 'instant'})
  }
  /** Keeps what is at a point of the window, or in the middle of the frame, where it is. */
  const zoom = (factor: number, at: {readonly x: number; readonly y: number} = centre(frame)) => {
    const [before, was] = [svg.getBoundingClientRect(), scale]
    resize(scale * factor)
    const [after, ratio] = [svg.getBoundingClientRect(), scale / was]
    frame.scrollBy({
      left: after.left + (at.x - before.left) * ratio - at.x,
      top: after.top + (at.y - before.top) * ratio - at.y,
      behavior: 'instant'
    })
  }
  const focus = (node: Element) => {
    setStop(node)
    stopOf(node).focus({preventScroll: true})
    bringIntoSight(node, frame)
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const node = (event.target as Element).closest('.node')
    if (event.key === '+' || event.key === '=') zoom(ZOOM)
    else if (event.key === '-') zoom(1 / ZOOM)
    else if (event.key === '0') fit()
    else if (node === null) return
    else if (event.key === 'Enter' || event.key === ' ') {
      if (open === undefined) return
      open(numberOf(node), true)
    } else if (Object.hasOwn(DIRECTIONS, event.key)) {
      const others = near(numberOf(node))
      const to = nodeTowards(
        event.key,
        node,
        nodes.filter(other => other !== node && others.has(numberOf(other)))
      )
      if (to !== undefined) focus(to)
    } else return
    event.preventDefault()
  }
  const heard = new AbortController()
  const hear = <Name extends keyof HTMLElementEventMap>(
    target: EventTarget,
    name: Name,
    act: (event: HTMLElementEventMap[Name]) => void,
    options: AddEventListenerOptions = {}
  ) => target.addEventListener(name, act as EventListener, {...options, signal: heard.signal})

  hear(frame, 'keydown', press)
  hear(
    frame,
    'wheel',
    event => {
      if (!event.ctrlKey && !frame.contains(document.activeElement)) return
      if (event.deltaY > 0 && scale <= least) return
      event.preventDefault()
      zoom(2 ** (-Math.max(-100, Math.min(100, event.deltaY)) / 200), event)
    },
    {passive: false}
  )
  hear(frame, 'pointerdown', event => {
    moved = 0
    isDragged = event.pointerType === 'mouse' && event.button === 0
  })
  hear(window, 'pointermove', event => {
    if (!isDragged) return
    frame.scrollBy({left: -event.movementX, top: -event.movementY, behavior: 'instant'})
    moved += Math.abs(event.movementX) + Math.abs(event.movementY)
  })
  for (const name of ['pointerup', 'pointercancel'] as const)
    hear(window, name, () => {
      isDragged = false
    })
  hear(frame, 'dragstart', event => event.preventDefault())
  hear(
    frame,
    'click',
    event => {
      const node = (event.target as Element).closest('.node')
      if (moved > 6) event.preventDefault()
      else if (node !== null) open?.(numberOf(node), false)
      if (moved > 6) event.stopPropagation()
    },
    {capture: true}
  )
  const light = ({target}: Event) => {
    const node = (target as Element).closest('.node')
    svg.classList.toggle('lighting', node !== null)
    mark('lit', node === null ? undefined : numberOf(node))
  }
  for (const name of ['pointerover', 'focusin'] as const) hear(svg, name, light)
  for (const name of ['pointerleave', 'focusout'] as const) hear(svg, name, () => svg.classList.remove('lighting'))
  const watcher = new ResizeObserver(() => {
    if (frame.clientWidth === room) return
    room = frame.clientWidth
    fit()
  })
  watcher.observe(frame)
  if (open !== undefined) for (const node of nodes) node.setAttribute('role', 'button')
  setStop(nodes[0])
  frame.classList.add('live')
  fit()

  return {
    choose(concept) {
      mark('near', concept)
      const chosen = nodes.find(node => numberOf(node) === concept)
      for (const node of nodes) {
        node.classList.toggle('chosen', node === chosen)
        if (open !== undefined) node.setAttribute('aria-pressed', String(node === chosen))
      }
      setStop(chosen ?? nodes[0])
      if (chosen) bringIntoSight(chosen, frame)
    },
    find(found) {
      svg.classList.toggle('searching', found !== undefined)
      for (const node of nodes) node.classList.toggle('hit', found?.has(numberOf(node)) ?? false)
    },
    zoom,
    fit,
    show(concept) {
      const node = nodes.find(one => numberOf(one) === concept)
      if (node) focus(node)
    },
    end() {
      heard.abort()
      watcher.disconnect()
    }
  }
}

/** Moves a picture so that a concept out of sight is in its middle; the page around it stays. */
function bringIntoSight(node: Element, frame: HTMLElement): void {
  const [box, own] = [frame.getBoundingClientRect(), node.getBoundingClientRect()]
  const isSeen = own.left >= box.left && own.right <= box.right && own.top >= box.top && own.bottom <= box.bottom
  const [middle, at] = [centre(frame), centre(node)]
  if (!isSeen) frame.scrollBy(at.x - middle.x, at.y - middle.y)
}

function centre(element: Element): {readonly x: number; readonly y: number} {
  const {left, right, top, bottom} = element.getBoundingClientRect()
  return {x: (left + right) / 2, y: (top + bottom) / 2}
}

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1]
}

/** Less than half a right angle and a little more: every direction belongs to a key. */
const LEAST_COSINE = 0.38

/** The one on the side of an arrow key: the least out of the way, and of these the nearest; undefined where there is none. */
function nodeTowards(key: string, from: Element, others: readonly Element[]): Element | undefined {
  const [right, down] = DIRECTIONS[key]
  const here = centre(from)
  let best: {readonly node: Element; readonly cost: number} | undefined
  for (const node of others) {
    const there = centre(node)
    const [dx, dy] = [there.x - here.x, there.y - here.y]
    const length = Math.hypot(dx, dy)
    const cosine = (dx * right + dy * down) / length
    const cost = length * (2 - cosine)
    if (cosine >= LEAST_COSINE && (best === undefined || cost < best.cost)) best = {node, cost}
  }
  return best?.node
}
