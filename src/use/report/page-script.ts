import {networkScript} from './page-script-network.ts'

/**
 * What makes a report answer: search, cards, sorting, and the network. Plain JavaScript as text, since what a compiler makes of a
 * function differs from tool to tool and the report has to have the same bytes from all of them; tests run it in a real browser.
 * Everything can be read without it: it only adds, and shows its controls itself.
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

const searchScript = `
const box = document.getElementById('search')
const status = document.getElementById('search-status')
const openAll = document.getElementById('open-all')
const fold = text => text.normalize('NFKD').replace(/[\\u0300-\\u036f]/g, '').toLowerCase()
const entries = cards.map(card => ({
  card,
  name: fold(card.querySelector('h3').textContent),
  words: all('code, .words tbody th, .spoken', card).map(part => ({part, text: part.textContent, key: fold(part.textContent)}))
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
  const count = named + others
  const noun = count === 1 ? ' concept' : ' concepts'
  status.textContent = key === '' ? cards.length + (cards.length === 1 ? ' concept' : ' concepts')
    : count === 0 ? 'Nothing found. Try a part of a word.'
    : count + noun + ': ' + named + ' by name, ' + others + ' by an anchor or word'
  markNodes(key === '' ? undefined : new Set(entries.filter(({card}) => !card.hidden).map(({card}) => card.dataset.concept)))
  nameButton()
}
function nameButton() {
  const isOpen = cards.every(card => card.hidden || card.open)
  openAll.textContent = isOpen ? 'Close all' : 'Open all'
}
box.addEventListener('input', () => search(box.value))
box.form.addEventListener('submit', event => event.preventDefault())
openAll.addEventListener('click', () => {
  const isOpen = cards.every(card => card.hidden || card.open)
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
      const order = before === null ? (isNumber ? 'descending' : 'ascending') : before === 'ascending' ? 'descending' : 'ascending'
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
