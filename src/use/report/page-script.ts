/**
 * The script of a report: cards, network, search and sorting. It is JavaScript as text, since compilers turn a function into
 * different bytes and a report must have the same bytes from all of them; tests run it in a real browser. The page is readable
 * without it: the script shows its own controls.
 */
const cardScript = `
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const cards = all('details.card')
const cardOf = index => cards.find(card => card.dataset.concept === String(index))
for (const control of all('.controls[hidden]')) control.hidden = false

function reveal(card) {
  if (card.hidden) search('')
  card.open = true
  card.scrollIntoView()
  card.querySelector('summary').focus({preventScroll: true})
  highlight(card.dataset.concept)
}
function revealTarget() {
  const card = document.getElementById(location.hash.slice(1))
  if (card && cards.includes(card)) reveal(card)
}
document.addEventListener('click', event => {
  const link = event.target.closest && event.target.closest('a[href^="#"]')
  if (!link || event.defaultPrevented) return
  const card = document.getElementById(link.getAttribute('href').slice(1))
  if (card && cards.includes(card)) setTimeout(() => reveal(card))
})
addEventListener('hashchange', revealTarget)
`

/** The smallest scale, at which names of 13 pixels have 9; the greatest height in pixels: larger networks need zooming. */
const [SMALLEST, TALLEST] = [0.7, 1100]

/**
 * The picture of the network: zoom by wheel (when the picture has the focus, or with the control key, which trackpads send for
 * pinches), two fingers, buttons and keys; pan by dragging and arrow keys; highlight neighbours.
 * The view is the viewBox; it shows at least a tenth of the picture and never leaves it. In a narrow frame the picture scrolls
 * sideways, rather than shrink until nobody can read it.
 */
const networkScript = `
const figure = document.getElementById('network-picture')
const picture = figure && figure.querySelector('.picture')
const svg = picture && picture.querySelector('svg')
const nodes = svg ? all('.node', svg) : []
const edges = svg ? all('.edge', svg) : []
let chosen

function light(index) {
  const card = index === undefined ? undefined : cardOf(index)
  const near = new Set(card ? card.dataset.near.split(' ') : [])
  svg.classList.toggle('choosing', card !== undefined)
  for (const node of nodes) {
    node.classList.toggle('chosen', node.dataset.concept === String(index))
    node.classList.toggle('near', near.has(node.dataset.concept))
  }
  for (const edge of edges)
    edge.classList.toggle('near', [edge.dataset.parent, edge.dataset.child].includes(String(index)))
}
function highlight(index) {
  if (!svg) return
  chosen = index
  light(index)
}
function markNodes(found) {
  if (!svg) return
  svg.classList.toggle('searching', found !== undefined)
  for (const node of nodes) node.classList.toggle('hit', found !== undefined && found.has(node.dataset.concept))
}

if (svg) {
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number)
  const natural = {width: Number(svg.getAttribute('width')), height: Number(svg.getAttribute('height'))}
  let whole
  let view
  const clamp = (value, low, high) => Math.max(low, Math.min(high, value))
  const isWhole = () => view.w >= whole.w * 0.999
  picture.classList.add('live')

  function show() {
    svg.setAttribute('viewBox', [view.x, view.y, view.w, view.h].map(value => value.toFixed(2)).join(' '))
    picture.classList.toggle('zoomed', !isWhole())
  }
  function fit() {
    const frame = picture.clientWidth - 2 * parseFloat(getComputedStyle(picture).paddingLeft)
    if (!(frame > 0)) return
    const room = Math.max(frame, natural.width * ${SMALLEST})
    const shrink = Math.min(1, room / natural.width)
    const tall = clamp(natural.height * shrink, 120, ${TALLEST})
    svg.style.width = room + 'px'
    svg.style.height = tall + 'px'
    const scale = Math.min(room / width, tall / height, natural.width / width)
    const [w, h] = [room / scale, tall / scale]
    whole = {x: (width - w) / 2, y: (height - h) / 2, w, h}
    view = {...whole}
    show()
  }
  function zoom(factor, at) {
    const w = clamp(view.w * factor, Math.min(whole.w, width / 10, 400), whole.w)
    const ratio = w / view.w
    const center = at || {x: view.x + view.w / 2, y: view.y + view.h / 2}
    view = {x: center.x - (center.x - view.x) * ratio, y: center.y - (center.y - view.y) * ratio, w, h: view.h * ratio}
    pan(0, 0)
  }
  function pan(dx, dy) {
    view.x = clamp(view.x + dx, whole.x, whole.x + whole.w - view.w)
    view.y = clamp(view.y + dy, whole.y, whole.y + whole.h - view.h)
    show()
  }
  const unit = () => view.w / svg.getBoundingClientRect().width
  const placeOf = event => {
    const frame = svg.getBoundingClientRect()
    return {x: view.x + (event.clientX - frame.left) * unit(), y: view.y + (event.clientY - frame.top) * unit()}
  }

  picture.addEventListener('wheel', event => {
    if (!event.ctrlKey && !picture.contains(document.activeElement)) return
    if (event.deltaY > 0 && isWhole()) return
    event.preventDefault()
    zoom(Math.exp(clamp(event.deltaY, -100, 100) / 300), placeOf(event))
  }, {passive: false})

  const pointers = new Map()
  let moved = 0
  picture.addEventListener('pointerdown', event => {
    if (pointers.size === 0) moved = 0
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY})
  })
  addEventListener('pointermove', event => {
    const last = pointers.get(event.pointerId)
    if (!last) return
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y]
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place)
    if (others.length > 0) {
      const [other] = others
      const before = Math.hypot(last.x - other.x, last.y - other.y)
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y)
      zoom(before / Math.max(1, after), placeOf({clientX: (event.clientX + other.x) / 2, clientY: (event.clientY + other.y) / 2}))
    } else if (!isWhole()) pan(-dx * unit(), -dy * unit())
    moved += Math.abs(dx) + Math.abs(dy)
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY})
  })
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, event => pointers.delete(event.pointerId))
  picture.addEventListener('dragstart', event => event.preventDefault())
  picture.addEventListener('click', event => {
    if (moved <= 6) return
    event.preventDefault()
    event.stopPropagation()
  }, true)

  const zoomIn = () => zoom(1 / 1.4)
  const zoomOut = () => zoom(1.4)
  const keys = {
    '+': zoomIn, '=': zoomIn, '-': zoomOut, 0: fit,
    ArrowLeft: () => pan(-view.w / 8, 0), ArrowRight: () => pan(view.w / 8, 0),
    ArrowUp: () => pan(0, -view.h / 8), ArrowDown: () => pan(0, view.h / 8),
    Escape: () => highlight(undefined)
  }
  picture.addEventListener('keydown', event => {
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key.startsWith('Arrow') && isWhole()) return
    event.preventDefault()
    act()
  })
  for (const button of all('[data-view]'))
    button.addEventListener('click', () => ({in: zoomIn, out: zoomOut, all: () => { highlight(undefined); fit() }})[button.dataset.view]())

  const indexAt = event => event.target.closest && event.target.closest('.node')
  svg.addEventListener('pointerover', event => {
    const node = indexAt(event)
    light(node ? node.dataset.concept : chosen)
  })
  svg.addEventListener('pointerleave', () => light(chosen))
  svg.addEventListener('focusin', event => {
    const node = indexAt(event)
    if (node && event.target.matches(':focus-visible')) center(node)
    light(node ? node.dataset.concept : chosen)
  })
  svg.addEventListener('focusout', () => light(chosen))
  function center(node) {
    const [inner, outer] = [node.getBoundingClientRect(), svg.getBoundingClientRect()]
    const isInside = inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
    if (isInside) return
    pan((inner.left + inner.right - outer.left - outer.right) / 2 * unit(), (inner.top + inner.bottom - outer.top - outer.bottom) / 2 * unit())
  }
  for (const link of all('[data-show]'))
    link.addEventListener('click', () => {
      fit()
      highlight(link.dataset.show)
      picture.focus({preventScroll: true})
    })
  let roomBefore = 0
  new ResizeObserver(() => {
    if (picture.clientWidth === roomBefore) return
    roomBefore = picture.clientWidth
    fit()
  }).observe(picture)
  addEventListener('beforeprint', fit)
  fit()
}
`

const searchScript = `
const box = document.getElementById('search')
const status = document.getElementById('search-status')
const openAll = document.getElementById('open-all')
const fold = text => text.normalize('NFKD').replace(/[\\u0300-\\u036f]/g, '').toLowerCase()
const entries = cards.map(card => ({
  card,
  name: fold(card.querySelector('h3').textContent),
  words: all('code, .words tbody th, .weighted', card).map(part => ({part, text: part.textContent, key: fold(part.textContent)}))
}))
function search(query) {
  if (box.value !== query) box.value = query
  const key = fold(query.trim())
  let named = 0
  let others = 0
  for (const {card, name, words} of entries) {
    const hits = key === '' ? [] : words.filter(word => word.key.includes(key))
    const isNamed = name.includes(key)
    card.hidden = !isNamed && hits.length === 0
    if (isNamed) named++
    else if (hits.length > 0) others++
    for (const {part} of words) part.classList.remove('hit')
    for (const {part} of hits) part.classList.add('hit')
    const shown = [...new Set(hits.map(word => word.text))].slice(0, 3).join(', ')
    card.querySelector('.why').textContent = isNamed ? '' : shown
  }
  const counted = count => count + (count === 1 ? ' concept' : ' concepts')
  status.textContent = key === '' ? counted(cards.length)
    : named + others === 0 ? 'Nothing found. Try a part of a word.'
    : counted(named + others) + ': ' + named + ' by name, ' + others + ' by an anchor or word'
  markNodes(key === '' ? undefined : new Set(entries.filter(({card}) => !card.hidden).map(({card}) => card.dataset.concept)))
  nameButton()
}
const isAllOpen = () => cards.every(card => card.hidden || card.open)
function nameButton() {
  openAll.textContent = isAllOpen() ? 'Close all' : 'Open all'
}
box.addEventListener('input', () => search(box.value))
box.form.addEventListener('submit', event => event.preventDefault())
openAll.addEventListener('click', () => {
  const isOpen = isAllOpen()
  for (const card of cards) if (!card.hidden) card.open = !isOpen
  nameButton()
})
for (const card of cards) card.addEventListener('toggle', nameButton)
nameButton()

let closed = []
addEventListener('beforeprint', () => {
  closed = all('details').filter(details => !details.open)
  for (const details of closed) details.open = true
})
addEventListener('afterprint', () => {
  for (const details of closed) details.open = false
})
`

const sortScript = `
for (const table of all('table.sortable')) {
  const heads = all('thead th', table)
  heads.forEach((head, column) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.textContent = head.textContent
    head.replaceChildren(button)
    button.addEventListener('click', () => {
      const isNumber = head.classList.contains('figure')
      const before = head.getAttribute('aria-sort')
      const order = before === 'ascending' || (before === null && isNumber) ? 'descending' : 'ascending'
      for (const other of heads) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', order)
      const value = row => {
        const cell = row.cells[column]
        const exact = cell.querySelector('[data-value]')
        return isNumber ? Number(exact ? exact.dataset.value : cell.textContent) : cell.textContent
      }
      const sign = order === 'ascending' ? 1 : -1
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const [x, y] = [value(a), value(b)]
        return sign * (isNumber ? x - y : x.localeCompare(y, 'en'))
      })
      table.tBodies[0].append(...rows)
    })
  })
}
`

export const pageScript = `(() => {
'use strict'
${cardScript}${networkScript}${searchScript}${sortScript}
revealTarget()
})()
`
