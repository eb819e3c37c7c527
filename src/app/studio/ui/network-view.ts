export type NetworkView = ReturnType<typeof viewNetwork>

export const ZOOM = 1.4

/** How many times as large as its frame a picture can be. */
const MOST = 10

/** The smallest scale, at which names of 13 pixels have 9, and the part of the window that the style sheet gives to a picture. */
const [SMALLEST, PART] = [0.7, 0.74]

/** A concept of a picture, by its number. */
const numberOf = (node: Element) => Number(node.getAttribute('data-concept'))
const nodeAt = (event: Event) => (event.target as Element).closest('.node')

/**
 * A picture of a network in a frame that scrolls. Buttons, keys and the wheel with the control key, which trackpads send for pinches, zoom.
 * Its concepts are one tab stop: arrows walk from one to a neighbour. In reports they are links, and elsewhere buttons that call `open`.
 */
export function viewNetwork(frame: HTMLElement, svg: SVGSVGElement, open?: (concept: number, byKey: boolean) => void) {
  const nodes = [...svg.querySelectorAll('.node')]
  const edges = [...svg.querySelectorAll('.edge')].map(edge => ({
    edge,
    ends: ['data-parent', 'data-child'].map(end => Number(edge.getAttribute(end)))
  }))
  const stopOf = (node: Element) => (node.querySelector('a') ?? node) as SVGElement
  const near = (concept: number) => new Set(edges.flatMap(({ends}) => (ends.includes(concept) ? ends : [])))
  const setStop = (stop: Element | undefined) => {
    for (const node of nodes) stopOf(node).setAttribute('tabindex', node === stop ? '0' : '-1')
  }
  /** Moves the picture, and not the page around it. */
  const bringIntoSight = (node: Element) => {
    const [box, own] = [frame.getBoundingClientRect(), node.getBoundingClientRect()]
    const isSeen = own.left >= box.left && own.right <= box.right && own.top >= box.top && own.bottom <= box.bottom
    if (!isSeen) frame.scrollBy(own.left - box.left - box.width / 2, own.top - box.top - box.height / 2)
  }
  const focus = (node: Element) => {
    setStop(node)
    stopOf(node).focus({preventScroll: true})
    bringIntoSight(node)
  }
  const {width, height} = svg.viewBox.baseVal
  const resize = (scale: number) => {
    svg.setAttribute('width', String(Math.round(scale * width)))
    svg.setAttribute('height', String(Math.round(scale * height)))
  }
  // The style sheet fits the picture to its frame while it is not zoomed.
  const unzoom = () => {
    svg.classList.remove('zoomed')
    resize(1)
  }
  /** Keeps what is at a point of the frame, or in its middle, where it is. */
  const zoom = (factor: number, x = frame.clientWidth / 2, y = frame.clientHeight / 2) => {
    const {scrollLeft, scrollTop} = frame
    const before = svg.getBoundingClientRect().width
    unzoom()
    const least = svg.getBoundingClientRect().width
    const wanted = Math.max(least, Math.min(MOST * least, before * factor))
    svg.classList.toggle('zoomed', wanted > least)
    if (wanted > least) resize(wanted / width)
    const ratio = wanted / before
    const [left, top] = [(scrollLeft + x) * ratio - x, (scrollTop + y) * ratio - y]
    frame.scrollTo({left, top, behavior: 'instant'})
  }
  const heard = new AbortController()
  const {signal} = heard
  /** All of the picture, as wide as its frame. */
  const fit = () => {
    unzoom()
    frame.scrollTo({left: 0, top: 0, behavior: 'instant'})
  }
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoom(ZOOM),
    '=': () => zoom(ZOOM),
    '-': () => zoom(1 / ZOOM),
    0: fit
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const node = nodeAt(event)
    if (keys[event.key]) keys[event.key]()
    else if (node === null) return
    else if (open !== undefined && (event.key === 'Enter' || event.key === ' ')) open(numberOf(node), true)
    else if (DIRECTIONS[event.key]) {
      const others = near(numberOf(node))
      const to = nodeTowards(
        DIRECTIONS[event.key],
        node,
        nodes.filter(other => other !== node && others.has(numberOf(other)))
      )
      if (to !== undefined) focus(to)
    } else return
    event.preventDefault()
  }
  frame.addEventListener('keydown', press, {signal})
  frame.addEventListener(
    'wheel',
    event => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const {left, top} = frame.getBoundingClientRect()
      zoom(2 ** (-Math.max(-100, Math.min(100, event.deltaY)) / 200), event.clientX - left, event.clientY - top)
    },
    {passive: false, signal}
  )
  if (open !== undefined)
    for (const node of nodes) {
      node.setAttribute('role', 'button')
      node.addEventListener('click', () => open(numberOf(node), false), {signal})
    }
  svg.classList.toggle('low', SMALLEST * height <= PART * innerHeight)
  setStop(nodes[0])

  return {
    zoom,
    fit,
    /** Marks a concept and those that lines join it to; undefined for none. */
    choose(concept: number | undefined): void {
      const chosen = nodes.find(node => numberOf(node) === concept)
      const marked = concept === undefined ? new Set<number>() : near(concept)
      for (const {edge, ends} of edges) edge.classList.toggle('near', concept !== undefined && ends.includes(concept))
      for (const node of nodes) {
        node.classList.toggle('near', marked.has(numberOf(node)))
        node.classList.toggle('chosen', node === chosen)
        if (open !== undefined) node.setAttribute('aria-pressed', String(node === chosen))
      }
      setStop(chosen ?? nodes[0])
      if (chosen) bringIntoSight(chosen)
    },
    /** Marks what a search found; undefined marks nothing. */
    find(found: ReadonlySet<number> | undefined): void {
      svg.classList.toggle('searching', found !== undefined)
      for (const node of nodes) node.classList.toggle('hit', found?.has(numberOf(node)) ?? false)
    },
    /** Moves a concept into sight and gives it the focus. */
    show(concept: number): void {
      const node = nodes.find(one => numberOf(one) === concept)
      if (node) focus(node)
    },
    end: () => heard.abort()
  }
}

type Direction = readonly [x: number, y: number]

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1]
}

/** Less than half a right angle and a little more: every direction belongs to a key. */
const LEAST_COSINE = 0.38

/** The one on the side of an arrow key: the least out of the way, and of these the nearest; undefined where there is none. */
function nodeTowards([right, down]: Direction, from: Element, others: readonly Element[]): Element | undefined {
  const middle = (element: Element) => {
    const {left, right, top, bottom} = element.getBoundingClientRect()
    return [(left + right) / 2, (top + bottom) / 2]
  }
  const [x, y] = middle(from)
  const reached = others.flatMap(node => {
    const [dx, dy] = [middle(node)[0] - x, middle(node)[1] - y]
    const length = Math.hypot(dx, dy)
    const cosine = (dx * right + dy * down) / length
    return cosine >= LEAST_COSINE ? [{node, cost: length * (2 - cosine)}] : []
  })
  return reached.sort((a, b) => a.cost - b.cost)[0]?.node
}
