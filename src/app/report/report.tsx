import {isPairNetwork} from '../../base/network/index.ts'
import {counted} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Diagnosis} from '../../use/advice/index.ts'
import type {Evaluation} from '../../use/evaluation/index.ts'
import {
  type CertificateFacts,
  type ConceptFacts,
  cardId,
  certificateFacts,
  conceptFacts,
  drawnEdges,
  labelledText,
  oddsText
} from '../../use/facts/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'
import type {Graphviz} from '../drawing/index.ts'
import {drawReportPictures, type ReportPictures} from '../drawing/index.ts'
import {figure, type HtmlPart, html, type Markup} from './markup.ts'
import {legacy, renderPage, type Section} from './page.tsx'
import {pageScript} from './page-script.ts'
import {certificatesHtml, settingsHtml} from './report-certificates.ts'
import {cardsHtml, conceptTable} from './report-concepts.ts'
import {doctorHtml} from './report-doctor.ts'
import {evaluationHtml} from './report-evaluation.ts'
import {sourcesHtml} from './report-sources.ts'
import {leadText, learnedText, summaryHtml} from './report-summary.ts'
import {reportStyle} from './styles.ts'

/** Everything that a report is made from: it reads neither files nor a clock. */
export interface ReportInput {
  readonly title: string
  readonly model: Model
  /** The doctor's findings in the counts, if they were examined. */
  readonly diagnosis?: Diagnosis | undefined
  /** On documents with known tags, if any. */
  readonly evaluation?: Evaluation | undefined
  /** The share of these that the model was learned from, as far as it is known. */
  readonly learnedShare?: number | undefined
  /** Files, program and date, as the last section shows them. */
  readonly provenance: readonly (readonly [what: string, value: string])[]
}

/** The names of the files that a report is made from. */
export interface ReportFiles {
  readonly model: string
  readonly counts?: string | undefined
  readonly data?: readonly string[] | undefined
  readonly train?: readonly string[] | undefined
  /** The version of the program. */
  readonly version: string
  readonly date?: string | undefined
}

export function reportProvenance({model, counts, data, train, version, date}: ReportFiles): [string, string][] {
  const parts: [string, string | undefined][] = [
    ['model', model],
    ['counts', counts],
    ['evaluated on', data?.join(', ')],
    ['trained on, for comparison', train?.join(', ')],
    ['program', `adfa ${version}`],
    ['date', date]
  ]
  return parts.flatMap(([what, value]) => (value === undefined ? [] : [[what, value] satisfies [string, string]]))
}

/**
 * A model as one self-contained HTML file for people: what `adfa report` saves. The same input gives the same bytes. `viz` is
 * `await instance()` of `@viz-js/viz`.
 */
export function renderReport(input: ReportInput, viz: Graphviz): string {
  const {title, model, diagnosis, evaluation, learnedShare, provenance} = input
  const certificate = certificateFacts(model)
  const pictures = drawReportPictures(model, certificate, evaluation, viz)
  const concepts = conceptFacts(model, certificate, diagnosis)
  const sections: (Section | undefined)[] = [
    {
      id: 'summary',
      title: 'Summary',
      body: legacy(summaryHtml({model, certificate, concepts, diagnosis, evaluation, learnedShare}))
    },
    {
      id: 'network',
      title: 'Network',
      body: legacy(html`${networkHtml(model, pictures.network)}${edgesHtml(concepts)}`)
    },
    {id: 'concepts', title: 'Concepts', body: legacy(cardsHtml(concepts))},
    {id: 'rates', title: 'Rates and prevalences', body: legacy(ratesHtml(concepts, certificate, pictures))},
    certificate.sources && {
      id: 'sources',
      title: 'Sources of votes',
      body: legacy(sourcesHtml(certificate.sources, pictures.sources))
    },
    evaluation && {
      id: 'evaluation',
      title: 'Evaluation',
      body: legacy(evaluationHtml(evaluation, pictures.reliability, learnedText(learnedShare, certificate.noise)))
    },
    diagnosis && {id: 'doctor', title: 'The doctor’s findings', body: legacy(doctorHtml(diagnosis, concepts))},
    {id: 'certificates', title: 'What is proven', body: legacy(certificatesHtml(model, certificate))},
    {id: 'settings', title: 'Settings and provenance', body: legacy(settingsHtml(model, provenance))}
  ]
  return renderPage({
    title,
    lead: leadText(model),
    sections: sections.filter(section => section !== undefined),
    script: pageScript,
    style: reportStyle
  })
}

function networkHtml(model: Model, svg: string | undefined): Markup {
  const {network, concepts} = model
  if (svg === undefined)
    return html`<p>This network has so many edges between the same concepts that it cannot be drawn readably; here is a list of them.</p>`
  const isOfPairs = isPairNetwork(network)
  const meaning = isOfPairs
    ? 'occur together more often, or less often, than by chance'
    : 'are related beyond what other concepts explain'
  const {left} = drawnEdges(
    network,
    concepts.map(({name}) => name)
  )
  const edges = !isOfPairs
    ? 'Only edges whose direction can be determined have arrow heads.'
    : left === 0
      ? ''
      : `Drawn are the two strongest edges of each concept, by mutual information; ${counted(left, 'weaker one')} ${left === 1 ? 'is' : 'are'} only in the list.`
  const hasShares = measuredConcepts(model).includes(true)
  const below = hasShares ? 'Below each name: the share of documents that have the concept. ' : ''
  return html`<p>An edge joins two concepts that ${meaning}. Choose a concept to see its card.</p>
<div class="controls network-controls" hidden>
<button type="button" data-view="in">Zoom in</button>
<button type="button" data-view="out">Zoom out</button>
<button type="button" data-view="all">Fit to view</button>
<p class="soft">Drag to move; after a click in the picture, the wheel and the keys + − 0 and arrows work too.</p>
</div>
${figure(linkConcepts(svg), `${below}${edges}`.trimEnd(), 'network-picture')}`
}

/** Longer lists begin with these; the rest unfolds. */
const SHOWN_EDGES = 12

/** Every edge in words, strongest first: on a phone the only way to read a large network. */
function edgesHtml(concepts: readonly ConceptFacts[]): HtmlPart {
  const edges = concepts
    .flatMap(concept => concept.neighbours.filter(({index}) => index > concept.index).map(other => ({concept, other})))
    .sort((a, b) => Math.abs(b.other.strength) - Math.abs(a.other.strength))
  if (edges.length === 0) return undefined
  const list = (some: typeof edges) => html`<ul class="neighbours edges">
${some.map(
  ({concept, other: {id, name, strength}}) =>
    html`<li class="${strength >= 0 ? 'together' : 'apart'}"><a href="#${concept.id}">${concept.name}</a> and <a href="#${id}">${name}</a> <b>${oddsText(strength)}</b></li>\n`
)}</ul>`
  const rest = edges.slice(SHOWN_EDGES)
  return html`<h3>Edges, strongest first</h3>
<p>×\u00a03: all else equal, predictions take the odds of one for three times as high where the other is present; ÷\u00a03: a third. These factors are
cautious and order the edges: in the documents the odds often differ more.</p>
${list(edges.slice(0, SHOWN_EDGES))}
${rest.length === 0 ? undefined : html`<details class="more"><summary>${counted(rest.length, 'weaker edge')}</summary>${list(rest)}</details>`}`
}

/** Makes every concept of the picture a link to its card, which works without the script. */
function linkConcepts(svg: string): string {
  return svg.replaceAll(
    /(<g [^>]*class="node" data-concept="(\d+)">\s*<title>[^<]*<\/title>)(.*?)<\/g>/gs,
    (_, head: string, index: string, body: string) => `${head}<a href="#${cardId(Number(index))}">${body}</a></g>`
  )
}

function ratesHtml(
  concepts: readonly ConceptFacts[],
  certificate: CertificateFacts,
  {prevalences, rates}: ReportPictures
): Markup {
  const hasRange = concepts.some(({rates}) => rates?.prevalence.range !== undefined)
  const none = 'Intervals of these shares: adfa fit --intervals.'
  const resampled = certificate.intervals && 'Lines are intervals from resampled documents.'
  const labelled = hasRange ? intervalNote(certificate.noise) : none
  return html`${conceptTable(concepts)}
${prevalences && figure(prevalences, `How common each concept is. ${resampled ?? labelled}`, 'prevalence-picture')}
${rates && figure(rates, `How often the anchor of each concept fires in documents that have it. ${resampled ?? none}`, 'rate-picture')}`
}

function intervalNote(noise: CertificateFacts['noise']): string {
  if (!noise?.labelledCount) return 'Lines are 90% intervals.'
  return `Lines are 90% intervals from ${labelledText(noise)}.`
}
