import {isPairNetwork} from '../../base/network/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Diagnosis} from '../../use/advice/index.ts'
import type {Evaluation} from '../../use/evaluation/index.ts'
import {cardId, certificateFacts, conceptFacts} from '../../use/facts/index.ts'
import {type Graphviz, networkPicture} from '../drawing/index.ts'
import {
  type Block,
  Blocks,
  cardsLead,
  certificateBlocks,
  conceptsTable,
  doctorBlocks,
  edgeBlocks,
  evaluationSection,
  leadText,
  networkCaption,
  networkLead,
  rateCharts,
  settingsBlocks,
  sourceBlocks,
  summaryBlocks
} from '../present/index.ts'
import {Figure, pageHost, renderPage, type Section} from './page.tsx'
import {pageScript} from './page-script.ts'
import {ConceptCards} from './report-concepts.tsx'
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
  const {sources} = certificate
  const concepts = conceptFacts(model, certificate, diagnosis)
  const host = pageHost(new Map(concepts.map(({name, id}) => [name, id])))
  const show = (blocks: readonly Block[]) => <Blocks blocks={blocks} host={host} />
  const sections: (Section | undefined)[] = [
    {
      id: 'summary',
      title: 'Summary',
      body: show(summaryBlocks({model, certificate, concepts, diagnosis, evaluation, learnedShare}))
    },
    {
      id: 'network',
      title: 'Network',
      body: [<NetworkView key="picture" model={model} viz={viz} />, show(edgeBlocks(model))]
    },
    {
      id: 'concepts',
      title: 'Concepts',
      body: [show([cardsLead(concepts)]), <ConceptCards key="cards" concepts={concepts} host={host} />]
    },
    {
      id: 'rates',
      title: 'Rates and prevalences',
      body: show([conceptsTable(concepts), ...rateCharts(concepts, certificate)])
    },
    sources && {id: 'sources', title: 'Sources of votes', body: show(sourceBlocks(sources))},
    evaluation && {id: 'evaluation', title: 'Evaluation', body: show(evaluationSection(evaluation, learnedShare))},
    diagnosis && {id: 'doctor', title: 'The doctor’s findings', body: show(doctorBlocks(diagnosis, {}))},
    {id: 'certificates', title: 'What is proven', body: show(certificateBlocks(model, certificate))},
    {id: 'settings', title: 'Settings and provenance', body: show(settingsBlocks(model, provenance))}
  ]
  return renderPage({
    title,
    lead: leadText(model),
    sections: sections.filter(section => section !== undefined),
    script: pageScript,
    style: reportStyle
  })
}

/** The picture with the controls that the script of the page shows. */
function NetworkView({model, viz}: {model: Model; viz: Graphviz}) {
  const addresses = model.concepts.map((_, i) => `#${cardId(i)}`)
  const svg = networkPicture(model, viz, {addresses})?.svg
  if (svg === undefined)
    return (
      <p>
        This network has so many edges between the same concepts that it cannot be drawn readably; here is a list of
        them.
      </p>
    )
  return (
    <>
      <p>{networkLead(isPairNetwork(model.network))} Choose a concept to see its card.</p>
      <div class="controls network-controls" hidden>
        <button type="button" data-view="in">
          Zoom in
        </button>
        <button type="button" data-view="out">
          Zoom out
        </button>
        <button type="button" data-view="all">
          Fit to view
        </button>
        <p class="quiet">
          Drag to move; after a click in the picture, the wheel and the keys + − 0 and arrows work too.
        </p>
      </div>
      <Figure svg={svg} caption={networkCaption(model)} id="network-picture" look="network" />
    </>
  )
}
