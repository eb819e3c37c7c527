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
 * The picture of the network, which scrolls inside its frame: the browser moves it by fingers, wheel and arrow keys, and a mouse
 * drags it. Buttons, keys and the wheel (when the picture has the focus, or with the control key, which trackpads send for
 * pinches) make it up to ten times as large. In a narrow frame it scrolls sideways, rather than shrink until nobody can read it.
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
  const [width, height] = ['width', 'height'].map(side => Number(svg.getAttribute(side)))
  let least
  let scale
  picture.classList.add('live')

  function resize(wanted) {
    scale = Math.max(least, Math.min(10 * least, wanted))
    svg.style.width = width * scale + 'px'
    svg.style.height = height * scale + 'px'
    picture.classList.toggle('zoomed', scale > least)
  }
  function fit() {
    const frame = picture.clientWidth - 2 * parseFloat(getComputedStyle(picture).paddingLeft)
    if (!(frame > 0)) return
    least = Math.min(1, Math.max(frame / width, ${SMALLEST}), ${TALLEST} / height)
    picture.style.maxHeight = ''
    resize(least)
    picture.style.maxHeight = picture.offsetHeight + 'px'
  }
  /** Keeps what is at a point of the window, or in the middle of the frame, where it is. */
  function zoom(factor, at) {
    const frame = picture.getBoundingClientRect()
    const {x, y} = at || {x: (frame.left + frame.right) / 2, y: (frame.top + frame.bottom) / 2}
    const [before, was] = [svg.getBoundingClientRect(), scale]
    resize(scale * factor)
    const after = svg.getBoundingClientRect()
    const ratio = scale / was
    picture.scrollBy({
      left: after.left + (x - before.left) * ratio - x,
      top: after.top + (y - before.top) * ratio - y,
      behavior: 'instant'
    })
  }

  picture.addEventListener('wheel', event => {
    if (!event.ctrlKey && !picture.contains(document.activeElement)) return
    if (event.deltaY > 0 && scale <= least) return
    event.preventDefault()
    zoom(Math.exp(-Math.max(-100, Math.min(100, event.deltaY)) / 300), event)
  }, {passive: false})

  let dragged
  let moved = 0
  picture.addEventListener('pointerdown', event => {
    moved = 0
    dragged = event.pointerType === 'mouse'
  })
  addEventListener('pointermove', event => {
    if (!dragged) return
    picture.scrollBy({left: -event.movementX, top: -event.movementY, behavior: 'instant'})
    moved += Math.abs(event.movementX) + Math.abs(event.movementY)
  })
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => { dragged = false })
  picture.addEventListener('dragstart', event => event.preventDefault())
  picture.addEventListener('click', event => {
    if (moved <= 6) return
    event.preventDefault()
    event.stopPropagation()
  }, true)

  const actions = {
    in: () => zoom(1.4),
    out: () => zoom(1 / 1.4),
    all: () => { highlight(undefined); fit() }
  }
  const keys = {'+': 'in', '=': 'in', '-': 'out', 0: 'all', Escape: 'all'}
  picture.addEventListener('keydown', event => {
    const act = Object.hasOwn(keys, event.key) && actions[keys[event.key]]
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    act()
  })
  for (const button of all('[data-view]')) button.addEventListener('click', actions[button.dataset.view])

  for (const name of ['pointerover', 'focusin'])
    svg.addEventListener(name, event => {
      const node = event.target.closest('.node')
      light(node ? node.dataset.concept : chosen)
    })
  for (const name of ['pointerleave', 'focusout']) svg.addEventListener(name, () => light(chosen))
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
