import type {Finding} from '../advice/index.ts'
import type {ConceptFacts, NamedNeighbour, SpeakingWord, WordFacts} from './concept-facts.ts'
import {strengthInWords} from './edge-words.ts'
import {type HtmlPart, html, type Markup} from './html.ts'
import {countText, estimateText, listText, oddsText, shareText} from './report-words.ts'

/** All about one concept; closed cards show its name, how common it is and what the doctor says. */
export function conceptCard(concept: ConceptFacts, isOpen: boolean): Markup {
  const {id, index, name, prevalence, neighbours, findings} = concept
  return html`<details class="card" id="${id}" data-concept="${index}" data-near="${neighbours.map(({index: k}) => k).join(' ')}"${isOpen ? html` open` : undefined}>
<summary><h3>${name}</h3><span class="share">${shareText(prevalence.value)} of documents</span>${badge(findings)}<span class="why"></span></summary>
<div class="body">
<div>
${ratesText(concept)}
${anchorList(concept)}
${neighbourList(neighbours)}
</div>
<div>
${wordTable(concept)}
${speakingList(concept)}
</div>
${findingList(findings)}
<p class="back controls"><a href="#network" data-show="${index}">Show in the network</a></p>
</div>
</details>
`
}

function ratesText({prevalence, truePositive, falsePositive, precision, isGuess, sources}: ConceptFacts): Markup {
  const from = sources.map(source => SOURCES.get(source) ?? source)
  return html`<p>Present in <b>${estimateText(prevalence)}</b> of the documents. Its anchor fires in
<b>${estimateText(truePositive)}</b> of the documents that have it, and in <b>${estimateText(falsePositive)}</b> of the others.
Where the anchor fires, the concept is there in <b>${estimateText(precision)}</b>.</p>
${isGuess ? html`<p class="warning">These rates are a guess, good to a factor of 2.5 at best: label a hundred documents to know.</p>` : undefined}
${from.length === 0 || isGuess ? undefined : html`<p class="soft">Rates from: ${listText([...new Set(from)])}.</p>`}`
}

const SOURCES: ReadonlyMap<string, string> = new Map([
  ['given', 'the anchors file'],
  ['labels', 'labelled documents'],
  ['pooled', 'labelled documents'],
  ['refined', 'labelled documents'],
  ['pair', 'its several anchor features, compared with each other'],
  ['irreducible', 'the words that go with the anchor'],
  ['positive-only', 'the words that go with the anchor'],
  ['auto', 'all that the documents tell'],
  ['guess', 'a guess']
])

function anchorList({anchors, vetoes}: ConceptFacts): Markup {
  const codes = (features: readonly string[]) =>
    features.map((feature, at) => html`${at > 0 ? ', ' : ''}<code>${feature}</code>`)
  return html`<h4>${anchors.length === 1 ? 'Anchor' : 'Anchors, any of'}</h4>
<p>${codes(anchors)}${vetoes.length > 0 ? html`; but not with ${codes(vetoes)}` : undefined}</p>`
}

function neighbourList(neighbours: readonly NamedNeighbour[]): Markup {
  if (neighbours.length === 0)
    return html`<h4>Neighbours</h4>
<p class="soft">None: nothing shows that it has to do with another concept.</p>`
  return html`<h4>Neighbours</h4>
<ul class="neighbours">
${neighbours.map(neighbourItem)}</ul>`
}

function neighbourItem({id, name, shareWith, shareWithout, strength, confidence}: NamedNeighbour): Markup {
  const sure = confidence === undefined ? '' : `; found again in ${shareText(confidence)} of the resamplings`
  return html`<li class="${strength >= 0 ? 'together' : 'apart'}"><a href="#${id}">${name}</a>: ${strengthInWords(strength)} ${strength >= 0 ? 'together' : 'apart'};
in ${shareText(shareWith)} of documents with this concept, in ${shareText(shareWithout)} without${sure}</li>
`
}

/** The words of the noisy-or links, with bars. */
function wordTable({words}: ConceptFacts): Markup {
  if (words.length === 0)
    return html`<h4>Words it switches on</h4>
<p class="soft">None: no word surely goes with its anchor.</p>`
  const most = Math.max(...words.map(({switchesOn}) => switchesOn))
  const hasOdds = words.some(({logOdds}) => logOdds !== undefined)
  return html`<h4>Words it switches on</h4>
<table class="words">
<thead><tr><th scope="col">word</th><th scope="col">switched on in</th><th scope="col" class="figure often">in all documents</th>${hasOdds ? html`<th scope="col" class="figure">odds</th>` : undefined}</tr></thead>
<tbody>
${words.map(word => wordRow(word, word.switchesOn / most, hasOdds))}</tbody>
</table>`
}

/** `length` is that of the bar, beside the longest of the card. */
function wordRow({word, switchesOn, frequency, logOdds}: WordFacts, length: number, hasOdds: boolean): Markup {
  const width = (100 * length).toFixed(1)
  return html`<tr><th scope="row">${featureText(word)}</th><td><span class="bar"><span style="width:${width}%"></span></span>${shareText(switchesOn)}</td><td class="figure often">${shareText(frequency)}</td>${hasOdds ? html`<td class="figure">${logOdds === undefined || logOdds === 0 ? '' : oddsText(logOdds)}</td>` : undefined}</tr>
`
}

/** What a feature is from is of less interest than what it is: "text:" in grey. */
function featureText(feature: string): HtmlPart {
  const [, field, word] = /^([^:\s]+:)(.+)$/.exec(feature) ?? []
  return field === undefined ? feature : html`<span class="soft">${field}</span><wbr>${word}`
}

function speakingList({speaking}: ConceptFacts): HtmlPart {
  if (speaking === undefined) return undefined
  const line = (title: string, words: readonly SpeakingWord[]) =>
    words.length === 0
      ? undefined
      : html`<p><b>${title}</b> ${words.map(({word, logOdds}, at) => html`${at > 0 ? ', ' : ''}<span class="spoken">${featureText(word)}</span> <span class="soft">${oddsText(logOdds)}</span>`)}</p>`
  if (speaking.for.length + speaking.against.length === 0) return undefined
  return html`<h4>Words that count most in predictions</h4>
${line('For it:', speaking.for)}
${line('Against it:', speaking.against)}`
}

function findingList(findings: readonly Finding[]): HtmlPart {
  if (findings.length === 0) return undefined
  return html`<div class="findings"><h4>What the doctor says</h4>
<ul>
${findings.map(findingItem)}</ul></div>`
}

export function findingItem({severity, message, remedy}: Finding): Markup {
  return html`<li><span class="severity ${severity}">${severity}</span> ${capital(message)}. <span class="soft">What to do: ${remedy}.</span></li>
`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The worst, counted. */
function badge(findings: readonly Finding[]): HtmlPart {
  const serious = findings.filter(({severity}) => severity !== 'note')
  if (serious.length === 0) return undefined
  const worst = serious.some(({severity}) => severity === 'fault') ? 'fault' : 'warning'
  const count = serious.filter(({severity}) => severity === worst).length
  return html`<span class="severity ${worst}">${countText(count, worst)}</span>`
}
