import {conceptCard} from './concept-card.ts'
import type {ConceptFacts} from './concept-facts.ts'
import {type HtmlPart, html, htmlTable, Markup} from './html.ts'
import {countText, type Estimate, rangeText, shareText} from './report-words.ts'

/** With more concepts than this their cards are closed at first. */
const OPEN_CARDS = 8

/** The search box, which needs the page's script, and a card for every concept. */
export function cardsHtml(concepts: readonly ConceptFacts[]): Markup {
  const isOpen = concepts.length <= OPEN_CARDS
  return html`<p>“Switched on in 41%” means: in 41 of 100 documents that have the concept, the concept by itself makes the word appear; it may appear for other
reasons too. ${concepts.some(({speaking}) => speaking !== undefined) ? 'Odds say what the word does in predictions: × 3 makes the concept three times as likely, in odds; ÷ 3 the opposite.' : ''}</p>
<form class="controls search" role="search" hidden>
<label for="search">Search concepts, anchors and words</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<button type="button" id="open-all">Open all</button>
<p id="search-status" role="status" class="soft">${countText(concepts.length, 'concept')}</p>
</form>
<div class="cards">
${concepts.map(concept => conceptCard(concept, isOpen))}</div>
`
}

/** One row a concept, for sorting and for taking away. */
export function conceptTable(concepts: readonly ConceptFacts[]): Markup {
  const hasRange = concepts.some(({prevalence, precision}) => (prevalence.range ?? precision.range) !== undefined)
  return html`${htmlTable({
    id: 'all-concepts',
    sortable: true,
    caption: `All concepts${hasRange ? ', with intervals in brackets' : ''}.`,
    head: [
      'concept',
      'of documents',
      'anchor fires if present',
      'if absent',
      'right when it fires',
      'links',
      'strongest words'
    ],
    align: ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
    rows: concepts.map(concept => [
      html`<a href="#${concept.id}">${concept.name}</a>`,
      estimateCell(concept.prevalence),
      estimateCell(concept.truePositive),
      estimateCell(concept.falsePositive),
      estimateCell(concept.precision),
      concept.neighbours.length,
      concept.words.slice(0, 4).map(({word}, at) => html`${at > 0 ? ', ' : ''}${word}`)
    ])
  })}
<p><a download="concepts.csv" href="${csvAddress(concepts)}">Download this table as CSV</a>, in full precision.</p>
`
}

function estimateCell({value, range}: Estimate): HtmlPart {
  const spread = range === undefined ? undefined : html` <span class="range">(${rangeText(range)})</span>`
  return html`<span data-value="${value}">${shareText(value)}</span>${spread}`
}

/** The table as a file inside a link: no script and no network is needed to take it away. */
function csvAddress(concepts: readonly ConceptFacts[]): Markup {
  const head = [
    'concept',
    ...['prevalence', 'truePositive', 'falsePositive', 'precision'].flatMap(name => [
      name,
      `${name}Low`,
      `${name}High`
    ]),
    'anchors',
    'words',
    'neighbours',
    'findings'
  ]
  const rows = concepts.map(concept => [
    sheetText(concept.name),
    ...[concept.prevalence, concept.truePositive, concept.falsePositive, concept.precision].flatMap(
      ({value, range: [low, high] = ['', '']}) => [String(value), String(low), String(high)]
    ),
    sheetText(concept.anchors.join(' | ')),
    sheetText(concept.words.map(({word}) => word).join(' | ')),
    sheetText(concept.neighbours.map(({name}) => name).join(' | ')),
    sheetText(concept.findings.map(({severity, kind}) => `${severity}: ${kind}`).join(' | '))
  ])
  const lines = [head, ...rows].map(cells => `${cells.map(quoted).join(',')}\r\n`)
  // Through bytes, since a name may hold half a character, which no address can.
  const text = new TextDecoder().decode(new TextEncoder().encode(lines.join('')))
  return new Markup(`data:text/csv;charset=utf-8,${encodeURIComponent(text).replaceAll("'", '%27')}`)
}

/** Spreadsheet programs run a cell that begins so as a formula; an apostrophe in front keeps it a text. */
function sheetText(text: string): string {
  return /^\s*[=+\-@\t\r']/.test(text) ? `'${text}` : text
}

function quoted(cell: string): string {
  return /[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
