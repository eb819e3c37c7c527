import type {Model} from '../../learn/model/index.ts'
import type {Diagnosis} from '../advice/index.ts'
import type {Evaluation} from '../evaluation/index.ts'
import {certificateFacts} from './certificate-facts.ts'
import {type ConceptFacts, cardId, conceptFacts} from './concept-facts.ts'
import {figure, html, type Markup, renderPage, type Section} from './page.ts'
import {pageScript} from './page-script.ts'
import {certificatesHtml, settingsHtml} from './report-certificates.ts'
import {cardsHtml, conceptTable} from './report-concepts.ts'
import {doctorHtml} from './report-doctor.ts'
import {evaluationHtml} from './report-evaluation.ts'
import type {ReportPictures} from './report-pictures.ts'
import {leadText, summaryHtml} from './report-summary.ts'
import {reportStyle} from './styles.ts'

/** Everything that a report is made from: it reads neither files nor a clock. */
export interface ReportInput {
  readonly title: string
  readonly model: Model
  readonly pictures: ReportPictures
  /** The doctor's findings in the counts, if they were examined. */
  readonly diagnosis?: Diagnosis
  /** On documents with known tags, if any. */
  readonly evaluation?: Evaluation
  /** Files, program and date, as the last section shows them. */
  readonly provenance: readonly (readonly [what: string, value: string])[]
}

/** A model as one self-contained HTML file for people; the same input gives the same bytes. */
export function renderReport({title, model, pictures, diagnosis, evaluation, provenance}: ReportInput): string {
  const certificate = certificateFacts(model)
  const concepts = conceptFacts(model, certificate, diagnosis)
  const sections: (Section | undefined)[] = [
    {
      id: 'summary',
      title: 'Summary',
      html: summaryHtml({model, certificate, concepts, diagnosis, evaluation})
    },
    {id: 'network', title: 'Network', html: networkHtml(pictures.network)},
    {id: 'concepts', title: 'Concepts', html: cardsHtml(concepts)},
    {id: 'rates', title: 'Rates and prevalences', html: ratesHtml(concepts, pictures)},
    evaluation && {
      id: 'evaluation',
      title: 'Evaluation',
      html: evaluationHtml(evaluation, pictures.reliability)
    },
    diagnosis && {id: 'doctor', title: 'The doctor’s findings', html: doctorHtml(diagnosis, concepts)},
    {id: 'certificates', title: 'What is proven', html: certificatesHtml(model, certificate)},
    {id: 'settings', title: 'Settings and provenance', html: settingsHtml(model, provenance)}
  ]
  return renderPage({
    title,
    lead: leadText(model),
    sections: sections.filter(section => section !== undefined),
    script: pageScript,
    style: reportStyle
  })
}

function networkHtml(svg: string | undefined): Markup {
  if (svg === undefined)
    return html`<p>This network has so many edges between the same concepts that it cannot be drawn readably; the cards below list the neighbours of
each concept.</p>`
  return html`<p>An edge joins two concepts that are related beyond what other concepts explain. Choose a concept to see its card.</p>
<div class="controls network-controls" hidden>
<button type="button" data-view="in">Zoom in</button>
<button type="button" data-view="out">Zoom out</button>
<button type="button" data-view="all">Fit to view</button>
<p class="soft">Drag to move, pinch to zoom; after a click in the picture, the wheel and the keys + − 0 and arrows work too.</p>
</div>
${figure(linkConcepts(svg), 'Below each name: the share of documents that have the concept. Only edges whose direction can be determined have arrow heads.', 'network-picture')}`
}

/** Makes every concept of the picture a link to its card, which works without the script. */
function linkConcepts(svg: string): string {
  return svg.replaceAll(
    /(<g [^>]*class="node" data-concept="(\d+)">\s*<title>[^<]*<\/title>)(.*?)<\/g>/gs,
    (_, head: string, index: string, body: string) => `${head}<a href="#${cardId(Number(index))}">${body}</a></g>`
  )
}

function ratesHtml(concepts: readonly ConceptFacts[], {prevalences, rates}: ReportPictures): Markup {
  const hasRange = concepts.some(({prevalence}) => prevalence.range !== undefined)
  const note = hasRange
    ? 'Lines are intervals from resampled documents.'
    : 'The model was fitted without intervals (adfa fit --intervals adds them).'
  return html`${conceptTable(concepts)}
${figure(prevalences, `How common each concept is. ${note}`, 'prevalence-picture')}
${figure(rates, `How often the anchor of each concept fires in documents that have it. ${note}`, 'rate-picture')}`
}
