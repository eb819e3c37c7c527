import {AdfaError} from '../../base/checks/index.ts'
import {exp} from '../../base/numeric/index.ts'
import {counted, csvText, grouped, listed, percent} from '../../base/text/index.ts'
import type {IntervalEnds} from '../../learn/bootstrap.ts'
import type {Model, WeightedWord} from '../../learn/model/index.ts'
import {
  type ConceptFacts,
  certificateFacts,
  createConceptFacts,
  type Estimate,
  estimateText,
  type NamedNeighbour,
  oddsText,
  type ReportedMember,
  rangeText,
  rateSource,
  strengthInWords,
  type WordFacts
} from '../../use/facts/index.ts'
import {type HtmlPart, html, htmlTable, Markup} from './markup.ts'
import {cardFindings, findingBadge} from './report-doctor.ts'

/** With more concepts than this their cards are closed at first. */
const OPEN_CARDS = 8

/** The search box, which needs the page's script, and a card for every concept. */
export function cardsHtml(concepts: readonly ConceptFacts[]): Markup {
  const isOpen = concepts.length <= OPEN_CARDS
  const hasWeights = concepts.some(({weights}) => weights !== undefined)
  const hasRanges = concepts.some(({weights}) => weights?.for.some(({range}) => range !== undefined))
  const switched = concepts.some(({rates}) => rates !== undefined)
    ? '“Switched on in 41%” means: in 41 of 100 documents that have the concept, the concept by itself makes the word appear; it may appear for other reasons too. '
    : ''
  return html`<p>${switched}${hasWeights ? 'Odds show the effect of the word in predictions: × 3 triples the odds of the concept, ÷ 3 divides them by three.' : ''}${hasRanges ? ' Brackets hold 90% intervals.' : ''}</p>
${
  concepts.some(({members}) => members.length > 0)
    ? html`<p>Where only one member of an anchor fires, predictions multiply the odds by its factor, compared with the average document where the anchor fires.
These factors are estimated from words; only labelled documents show how precise a member is.</p>`
    : undefined
}
<form class="controls search" role="search" hidden>
<label for="search">Search concepts, anchors and words</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<button type="button" id="open-all">Open all</button>
<p id="search-status" role="status" class="soft">${counted(concepts.length, 'concept')}</p>
</form>
<div class="cards">
${concepts.map(concept => conceptCard(concept, isOpen))}</div>
`
}

/** What the card of a concept says of it alone: rates, anchor and words. */
export function cardText(model: Model, name: string): string {
  const i = model.concepts.findIndex(concept => concept.name === name)
  if (i < 0) throw new AdfaError('bad-option', `the model has no concept "${name}"; it has been left out`)
  const concept = createConceptFacts(model, certificateFacts(model), undefined)(i)
  return html`${ratesText(concept)}
${anchorList(concept)}
${wordTable(concept)}
${weightList(concept)}`.text
}

/** Everything about one concept; a closed card shows its name, its prevalence and the doctor's findings, counted. */
function conceptCard(concept: ConceptFacts, isOpen: boolean): Markup {
  const {id, index, name, rates, documents, neighbours, excludes, findings} = concept
  return html`<details class="card" id="${id}" data-concept="${index}" data-near="${neighbours.map(({index: k}) => k).join(' ')}"${isOpen ? html` open` : undefined}>
<summary><h3>${name}</h3><span class="share">${rates === undefined ? anchoredText(documents) : `${percent(rates.prevalence.value)} of documents`}</span>${findingBadge(findings)}<span class="why"></span></summary>
<div class="body">
<div>
${ratesText(concept)}
${anchorList(concept)}
${neighbourList(neighbours, excludes)}
</div>
<div>
${wordTable(concept)}
${weightList(concept)}
</div>
${cardFindings(findings)}
<p class="back controls"><a href="#network" data-show="${index}">Show in the network</a></p>
</div>
</details>
`
}

function ratesText(facts: ConceptFacts): Markup {
  const {rates, documents, sources} = facts
  if (rates === undefined)
    return html`<p class="warning">Its anchor fires ${anchoredText(documents)}. How many documents have the concept is unknown: label 30 to 100 documents to measure it.</p>`
  const {prevalence, truePositive, falsePositive, precision} = rates
  const from = [...new Set(sources.map(rateSource))]
  return html`<p>Present in <b>${estimateText(prevalence)}</b> of the documents. Its anchor fires in
<b>${estimateText(truePositive)}</b> of the documents that have it, and in <b>${estimateText(falsePositive)}</b> of the others.
Where the anchor fires, the concept is present in <b>${estimateText(precision)}</b>.</p>
${from.length === 0 ? undefined : html`<p class="soft">Rates from: ${listed(from)}.</p>`}`
}

/** "in 2,311 documents". */
function anchoredText(documents: number | undefined): string {
  return documents === undefined ? 'in an unknown number of documents' : `in ${counted(documents, 'document')}`
}

function anchorList({anchors, vetoes, members, rates}: ConceptFacts): Markup {
  const title = html`<h4>${anchors.length === 1 ? 'Anchor' : 'Anchor: any of'}</h4>`
  if (members.length === 0)
    return html`${title}
<p>${codes(anchors)}${vetoes.length > 0 ? html`; but not with ${codes(vetoes)}` : undefined}</p>`
  return html`${title}
${memberTable(members, rates !== undefined)}${vetoes.length > 0 ? html`<p>But not with ${codes(vetoes)}</p>` : undefined}`
}

function codes(features: readonly string[]): Markup[] {
  return features.map((feature, at) => html`${at > 0 ? ', ' : ''}<code>${feature}</code>`)
}

/** Members beyond these are only named. */
const SHOWN_MEMBERS = 12

/** Precisions that rest on rates which were not measured are not for people. */
function memberTable(members: readonly ReportedMember[], isMeasured: boolean): Markup {
  const firing = members.filter(({documents}) => documents > 0)
  const rows = firing
    .slice(0, SHOWN_MEMBERS)
    .map(
      ({name, documents, precision, logOdds}) =>
        html`<tr><th scope="row">${featureText(name)}</th><td class="figure">${grouped(documents)}</td>${isMeasured ? html`<td class="figure">${percent(precision)}</td>` : undefined}<td class="figure">${oddsText(logOdds)}</td></tr>\n`
    )
  const rest = [
    ['And', firing.slice(SHOWN_MEMBERS)],
    ['Never found:', members.filter(({documents}) => documents === 0)]
  ] as const
  return html`<table class="words members">
<thead><tr><th scope="col">member</th><th scope="col" class="figure">documents</th>${isMeasured ? html`<th scope="col" class="figure">counts as</th>` : undefined}<th scope="col" class="figure">odds</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
${rest.map(([lead, list]) => (list.length === 0 ? undefined : html`<p class="soft">${lead} ${codes(list.map(({name}) => name))}</p>\n`))}`
}

/** A network of pairs may join a concept to nearly all others. */
const SHOWN_NEIGHBOURS = 8

function neighbourList(neighbours: readonly NamedNeighbour[], excludes: readonly string[]): Markup {
  const more = neighbours.length - SHOWN_NEIGHBOURS
  return html`<h4>Neighbours</h4>
${
  neighbours.length === 0
    ? html`<p class="soft">${excludes.length > 0 ? `It excludes ${listed(excludes)}.` : 'None: nothing shows a relation to another concept.'}</p>`
    : html`<ul class="neighbours">
${neighbours.slice(0, SHOWN_NEIGHBOURS).map(neighbourItem)}</ul>${more > 0 ? html`\n<p class="soft">And ${counted(more, 'weaker one')}; see <a href="#network">the edges</a>.</p>` : undefined}`
}`
}

function neighbourItem({id, name, shares, strength, confidence}: NamedNeighbour): Markup {
  const how = strength >= 0 ? 'together' : 'apart'
  const sure = confidence === undefined ? '' : `; found again in ${percent(confidence)} of the resamplings`
  return html`<li class="${how}"><a href="#${id}">${name}</a>: occurs with it ${strengthInWords(strength)}, odds ${oddsText(strength)}${shares === undefined ? '' : `; in ${percent(shares.shareWith)} of documents with this concept, in ${percent(shares.shareWithout)} without`}${sure}</li>
`
}

/** The words of the noisy-or links, with bars; their shares only where the rates were measured. */
function wordTable({words, rates}: ConceptFacts): Markup {
  if (words.length === 0)
    return html`<h4>Words it switches on</h4>
<p class="soft">None: no word clearly occurs with its anchor.</p>`
  const most = Math.max(...words.map(({switchesOn}) => switchesOn))
  const hasOdds = words.some(({logOdds}) => logOdds !== undefined)
  return html`<h4>Words it switches on</h4>
<table class="words">
<thead><tr><th scope="col">word</th><th scope="col">switched on in</th>${rates === undefined ? undefined : html`<th scope="col" class="figure often">in all documents</th>`}${hasOdds ? html`<th scope="col" class="figure">odds</th>` : undefined}</tr></thead>
<tbody>
${words.map(word => wordRow(word, word.switchesOn / most, {hasShare: rates !== undefined, hasOdds}))}</tbody>
</table>`
}

/** `length` of the bar, relative to the longest of the card. */
function wordRow(
  {word, switchesOn, frequency, logOdds, range}: WordFacts,
  length: number,
  {hasShare, hasOdds}: Readonly<Record<'hasShare' | 'hasOdds', boolean>>
): Markup {
  const width = (100 * length).toFixed(1)
  return html`<tr><th scope="row">${featureText(word)}</th><td><svg class="bar" aria-hidden="true"><rect class="part" width="${width}%" height="100%"/></svg>${hasShare ? percent(switchesOn) : ''}</td>${hasShare ? html`<td class="figure often">${percent(frequency)}</td>` : undefined}${hasOdds ? html`<td class="figure">${logOdds === undefined || logOdds === 0 ? '' : weightCell(logOdds, range)}</td>` : undefined}</tr>
`
}

/** The interval below its factor, so that words keep their room. */
function weightCell(logOdds: number, range: IntervalEnds | undefined): HtmlPart {
  const [factor, interval] = weightText(logOdds, range).split(' (')
  return interval === undefined ? factor : html`${factor} <span class="range">(${interval}</span>`
}

/** "× 4.1 (3.2 to 5.2)". */
function weightText(logOdds: number, range: IntervalEnds | undefined): string {
  return oddsText(logOdds, range && [exp(range[0]), exp(range[1])])
}

/** The field of a feature, such as "text:", in grey. */
function featureText(feature: string): HtmlPart {
  const [, field, word] = /^([^:\s]+:)(.+)$/.exec(feature) ?? []
  return field === undefined ? feature : html`<span class="soft">${field}</span><wbr>${word}`
}

function weightList({weights}: ConceptFacts): HtmlPart {
  if (weights === undefined || weights.for.length + weights.against.length === 0) return undefined
  const line = (title: string, words: readonly WeightedWord[]) =>
    words.length === 0
      ? undefined
      : html`<p><b>${title}</b> ${words.map(({word, logOdds, range}, at) => html`${at > 0 ? ', ' : ''}<span class="weighted">${featureText(word)}</span> <span class="soft">${weightText(logOdds, range)}</span>`)}</p>`
  return html`<h4>Words that count most in predictions</h4>
${line('For it:', weights.for)}
${line('Against it:', weights.against)}`
}

const RATES = ['prevalence', 'truePositive', 'falsePositive', 'precision'] as const

/** One row per concept, for sorting and for download. */
export function conceptTable(concepts: readonly ConceptFacts[]): Markup {
  const hasRange = concepts.some(({rates}) => (rates?.prevalence.range ?? rates?.precision.range) !== undefined)
  const rates = ['share of documents', 'anchor fires if present', 'if absent', 'right when it fires']
  return html`${htmlTable({
    id: 'all-concepts',
    sortable: true,
    caption: `All concepts${hasRange ? ', with intervals in brackets' : ''}.`,
    head: ['concept', 'anchored', ...rates, 'neighbours', 'strongest words'],
    align: ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'left'],
    rows: concepts.map(concept => [
      html`<a href="#${concept.id}">${concept.name}</a>`,
      concept.documents ?? '',
      ...RATES.map(rate => estimateCell(concept.rates?.[rate])),
      concept.neighbours.length,
      concept.words.slice(0, 4).map(({word}, at) => html`${at > 0 ? ', ' : ''}${word}`)
    ])
  })}
<p><a download="concepts.csv" href="${csvAddress(concepts)}">Download this table as CSV</a>, in full precision.</p>
`
}

function estimateCell(estimate: Estimate | undefined): HtmlPart {
  if (estimate === undefined) return 'unknown'
  const {value, range} = estimate
  const spread = range === undefined ? undefined : html` <span class="range">(${rangeText(range)})</span>`
  return html`<data value="${value}">${percent(value)}</data>${spread}`
}

/** The table as a file inside a link: downloading it takes neither script nor network. */
function csvAddress(concepts: readonly ConceptFacts[]): Markup {
  const head = [
    'concept',
    'anchored',
    ...RATES.flatMap(name => [name, `${name}Low`, `${name}High`]),
    ...['anchors', 'words', 'neighbours', 'findings']
  ]
  const rows = concepts.map(concept => [
    concept.name,
    concept.documents ?? '',
    ...RATES.flatMap(rate => {
      const {value = '', range: [low, high] = ['', '']} = concept.rates?.[rate] ?? {}
      return [value, low, high]
    }),
    concept.anchors.join(' | '),
    concept.words.map(({word}) => word).join(' | '),
    concept.neighbours.map(({name}) => name).join(' | '),
    concept.findings.map(({severity, kind}) => `${severity}: ${kind}`).join(' | ')
  ])
  // Through bytes, since a name may hold half a character, which an address cannot.
  const text = new TextDecoder().decode(new TextEncoder().encode(csvText([head, ...rows], '\r\n')))
  return new Markup(`data:text/csv;charset=utf-8,${encodeURIComponent(text).replaceAll("'", '%27')}`)
}
