/**
 * The script of a report: cards, network, search and sorting. The page is readable without it: it shows its own controls. Reports
 * hold it as text (`pageScript` of app/report, which a test keeps equal to this), so that they have the same bytes wherever they are made.
 */
import {viewNetwork} from './ui/network-view.ts'

const all = (selector: string, root: ParentNode = document) => [...root.querySelectorAll<HTMLElement>(selector)]
const cards = all('details.card') as HTMLDetailsElement[]
const frame = document.querySelector<HTMLElement>('#network-picture .network')
const svg = frame?.querySelector('svg')
const network = frame && svg ? viewNetwork(frame, svg) : undefined
for (const control of all('.controls[hidden]')) control.hidden = false

function reveal(card: HTMLDetailsElement): void {
  if (card.hidden) search('')
  card.open = true
  card.scrollIntoView()
  card.querySelector('summary')?.focus({preventScroll: true})
  network?.choose(Number(card.dataset.concept))
}

function cardAt(address: string | null): HTMLDetailsElement | undefined {
  return cards.find(card => address === `#${card.id}`)
}

document.addEventListener('click', event => {
  const link = (event.target as Element).closest('a[href^="#"]')
  const card = cardAt(link?.getAttribute('href') ?? null)
  if (card && !event.defaultPrevented) setTimeout(() => reveal(card))
})
function revealTarget(): void {
  const card = cardAt(location.hash)
  if (card) reveal(card)
}
addEventListener('hashchange', revealTarget)

const actions: Readonly<Record<string, () => void>> = {
  in: () => network?.zoom(1.4),
  out: () => network?.zoom(1 / 1.4),
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

const box = document.getElementById('search') as HTMLInputElement
const status = document.getElementById('search-status') as HTMLElement
const openAll = document.getElementById('open-all') as HTMLElement
const fold = (text: string | null) =>
  (text ?? '')
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
const entries = cards.map(card => ({
  card,
  name: fold(card.querySelector('h3')?.textContent ?? null),
  words: all('code, tbody th, .weighted', card).map(part => ({part, key: fold(part.textContent)}))
}))

function search(query: string): void {
  if (box.value !== query) box.value = query
  const key = fold(query.trim())
  let [named, others] = [0, 0]
  for (const {card, name, words} of entries) {
    const hits = key === '' ? [] : words.filter(word => word.key.includes(key))
    const isNamed = name.includes(key)
    card.hidden = !isNamed && hits.length === 0
    if (isNamed) named++
    else if (hits.length > 0) others++
    for (const word of words) word.part.classList.toggle('hit', hits.includes(word))
    const shown = [...new Set(hits.map(({part}) => part.textContent))].slice(0, 3).join(', ')
    const why = card.querySelector('.why')
    if (why) why.textContent = isNamed ? '' : shown
  }
  const counted = (count: number) => count + (count === 1 ? ' concept' : ' concepts')
  status.textContent =
    key === ''
      ? counted(cards.length)
      : named + others === 0
        ? 'Nothing found. Try a part of a word.'
        : `${counted(named + others)}: ${named} by name, ${others} by an anchor or word`
  const found = entries.filter(({card}) => !card.hidden).map(({card}) => Number(card.dataset.concept))
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
  nameButton()
})
for (const card of cards) card.addEventListener('toggle', nameButton)
nameButton()

/** Paper shows everything. */
let closed: HTMLDetailsElement[] = []
addEventListener('beforeprint', () => {
  network?.fit()
  closed = (all('details') as HTMLDetailsElement[]).filter(details => !details.open)
  for (const details of closed) details.open = true
})
addEventListener('afterprint', () => {
  for (const details of closed) details.open = false
})

for (const table of all('table.sortable') as HTMLTableElement[]) {
  const heads = all('thead th', table)
  heads.forEach((head, column) => {
    const button = document.createElement('button')
    Object.assign(button, {type: 'button', className: 'link', textContent: head.textContent})
    head.replaceChildren(button)
    button.addEventListener('click', () => sort(table, heads, column))
  })
}

/** Figures start with the largest, names with the first. */
function sort(table: HTMLTableElement, heads: readonly Element[], column: number): void {
  const head = heads[column]
  const isNumber = head.classList.contains('n')
  const before = head.getAttribute('aria-sort')
  const order = before === 'ascending' || (before === null && isNumber) ? 'descending' : 'ascending'
  for (const other of heads) other.removeAttribute('aria-sort')
  head.setAttribute('aria-sort', order)
  const sign = order === 'ascending' ? 1 : -1
  const value = (row: HTMLTableRowElement) => {
    const cell = row.cells[column]
    return cell.querySelector('data')?.value ?? cell.textContent
  }
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)]
    return sign * (isNumber ? Number(x) - Number(y) : x.localeCompare(y, 'en'))
  })
  table.tBodies[0].append(...rows)
}

revealTarget()
