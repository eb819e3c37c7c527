/**
 * The script of a report: cards, network, search and sorting. The page is readable without it: it shows its own controls. Reports
 * hold it as text (`pageScript` of app/report, which a test keeps equal to this), so that they have the same bytes wherever they are made.
 */
import {viewNetwork, ZOOM} from './ui/network-view.ts'

const all = <E extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document) => [
  ...root.querySelectorAll<E>(selector)
]
const element = (id: string) => document.getElementById(id) as HTMLElement
const cards = all<HTMLDetailsElement>('details.card')
const frame = document.querySelector<HTMLElement>('#network-picture .network')
const svg = frame?.querySelector('svg')
const network = frame && svg ? viewNetwork(frame, svg) : undefined
for (const control of all('.controls[hidden]')) control.hidden = false

/** Opens the card that the address names, also where the search hides it. */
function reveal(address: string): void {
  const card = cards.find(({id}) => address === `#${id}`)
  if (card === undefined) return
  if (card.hidden) search('')
  card.open = true
  card.scrollIntoView()
  card.querySelector('summary')?.focus({preventScroll: true})
  network?.choose(Number(card.dataset.concept))
}

document.addEventListener('click', event => {
  const address = (event.target as Element).closest('a[href^="#"]')?.getAttribute('href')
  if (address) setTimeout(() => reveal(address))
})
addEventListener('hashchange', () => reveal(location.hash))

const actions: Readonly<Record<string, () => void>> = {
  in: () => network?.zoom(ZOOM),
  out: () => network?.zoom(1 / ZOOM),
  all: () => network?.fit()
}
for (const button of all('[data-view]')) button.addEventListener('click', actions[button.dataset.view ?? 'all'])
for (const link of all('[data-show]'))
  link.addEventListener('click', () => {
    const concept = Number(link.dataset.show)
    network?.fit()
    network?.choose(concept)
    setTimeout(() => network?.show(concept))
  })

const box = element('search') as HTMLInputElement
const openAll = element('open-all')
const fold = (text: string | null | undefined) =>
  (text ?? '')
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/** Shows the cards that have a text in their name, an anchor or a word, and marks it there and in the network. */
function search(query: string): void {
  box.value = query
  const key = fold(query.trim())
  const isIn = (part: Element | null) => fold(part?.textContent).includes(key)
  let [named, others] = [0, 0]
  for (const card of cards) {
    const words = all('code, tbody th, .weighted', card)
    const hits = key === '' ? [] : words.filter(isIn)
    const isNamed = isIn(card.querySelector('h3'))
    card.hidden = !isNamed && hits.length === 0
    if (isNamed) named++
    else if (hits.length > 0) others++
    for (const word of words) word.classList.toggle('hit', hits.includes(word))
    const why = card.querySelector('.why')
    const shown = [...new Set(hits.map(({textContent}) => textContent))].slice(0, 3).join(', ')
    if (why) why.textContent = isNamed ? '' : shown
  }
  const counted = (count: number) => count + (count === 1 ? ' concept' : ' concepts')
  element('search-status').textContent =
    key === ''
      ? counted(cards.length)
      : named + others === 0
        ? 'Nothing found. Try a part of a word.'
        : `${counted(named + others)}: ${named} by name, ${others} by an anchor or word`
  const found = cards.filter(({hidden}) => !hidden).map(card => Number(card.dataset.concept))
  network?.find(key === '' ? undefined : new Set(found))
  nameButton()
}

const isAllOpen = () => cards.every(card => card.hidden || card.open)
function nameButton(): void {
  openAll.textContent = isAllOpen() ? 'Close all' : 'Open all'
}
box.addEventListener('input', () => search(box.value))
box.form?.addEventListener('submit', event => event.preventDefault())
openAll.addEventListener('click', () => {
  const isOpen = isAllOpen()
  for (const card of cards) if (!card.hidden) card.open = !isOpen
})
for (const card of cards) card.addEventListener('toggle', nameButton)
nameButton()

/** Paper shows everything; not every browser opens cards by the style sheet. */
addEventListener('beforeprint', () => {
  network?.fit()
  for (const details of all<HTMLDetailsElement>('details')) details.open = true
})

for (const table of all<HTMLTableElement>('table.sortable'))
  all('thead th', table).forEach((head, column) => {
    const button = document.createElement('button')
    Object.assign(button, {type: 'button', className: 'link', textContent: head.textContent})
    head.replaceChildren(button)
    button.addEventListener('click', () => sort(table, head, column))
  })

/** Figures start with the largest, names with the first. */
function sort(table: HTMLTableElement, head: Element, column: number): void {
  const isNumber = head.classList.contains('n')
  const before = head.getAttribute('aria-sort')
  const order = before === 'ascending' || (before === null && isNumber) ? 'descending' : 'ascending'
  for (const other of all('thead th', table)) other.removeAttribute('aria-sort')
  head.setAttribute('aria-sort', order)
  const sign = order === 'ascending' ? 1 : -1
  const value = ({cells}: HTMLTableRowElement) =>
    cells[column].querySelector('data')?.value ?? cells[column].textContent ?? ''
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)]
    return sign * (isNumber ? Number(x) - Number(y) : x.localeCompare(y, 'en'))
  })
  table.tBodies[0].append(...rows)
}

reveal(location.hash)
