import {join} from 'node:path'
import {loadGraphviz} from '../../src/app/drawing/index.ts'
import {counted, csvText, grouped} from '../../src/base/text/index.ts'
import {writeAtomically} from '../../src/read/files/index.ts'
import {drawChart, drawNetwork, html, htmlTable, Markup, renderPage, type Section} from '../../src/use/report/index.ts'
import {type ExperimentName, experimentNames, type Pictures, type Presentation} from './experiment.ts'
import {experiments} from './experiments.ts'
import type {Material} from './material.ts'
import type {Identity, ResultStore} from './result-store.ts'

const SECTION_FILE = 'section.html'

/** The files of one experiment: figures, tables and its section of the report. */
export function filesOf({figures, tables, html: body}: Presentation): ReadonlyMap<string, string> {
  return new Map([
    ...figures.map(({name, svg}) => [`${name}.svg`, svg] as const),
    ...tables.map(({name, head, rows}) => [`${name}.csv`, csvText([head, ...rows])] as const),
    [SECTION_FILE, body.text]
  ])
}

interface ReportPlan {
  readonly folder: string
  /** The experiments that this run is to measure. */
  readonly names: readonly ExperimentName[]
  readonly material: Material
  readonly identity: Identity
}

/**
 * Write the report, with a section for every experiment in the folder, from this run or an earlier one, and name those still to
 * come; returns its path, or undefined where none is finished.
 */
export async function writeReport(
  {folder, names, material, identity}: ReportPlan,
  store: ResultStore
): Promise<string | undefined> {
  const sections: Section[] = []
  const missing: string[] = []
  for (const name of experimentNames) {
    const body = await store.read(name, SECTION_FILE)
    if (body !== undefined) sections.push({id: name, title: experiments[name].title, html: new Markup(body)})
    else if (names.includes(name)) missing.push(name)
  }
  if (sections.length === 0) return undefined
  sections.push(dataSection(material, identity))
  const path = join(folder, 'report.html')
  const rest =
    missing.length === 0 ? undefined : html` Not finished: ${missing.join(', ')}; the same command continues them.`
  const lead = html`The experiments of <cite>Anchored Discrete Factor Analysis</cite> (Halpern, Horng, Sontag 2015) on ${material.name}: ${counted(identity.documents, 'document')}, ${counted(identity.concepts, 'concept')}.${rest}`
  await writeAtomically(path, renderPage({title: `The paper's experiments on ${material.name}`, lead, sections}))
  return path
}

/** What the experiments used: enough to repeat them. */
function dataSection({lexicon}: Material, {adfa, data, documents, concepts, words, sha256}: Identity): Section {
  const {filter, skipped, text} = lexicon
  const used =
    filter === undefined
      ? 'all that have tags'
      : `those with at least ${filter.minTags} of the ${filter.tags.length} most frequent tags`
  const rows = [
    ['data', data],
    ['documents', grouped(documents)],
    ['concepts', concepts],
    ['words', grouped(words)],
    ['text fields', text.fields.join(', ')],
    ['documents used', used],
    ['negation', text.negation ? 'read' : 'not read'],
    ['adfa', adfa],
    ['SHA-256 of the data as read', sha256]
  ]
  const leftOut =
    skipped.length === 0
      ? undefined
      : htmlTable({
          caption: 'Concepts that were left out',
          head: ['concept', 'reason'],
          rows: skipped.map(({concept, reason}) => [concept, reason])
        })
  return {
    id: 'data',
    title: 'Data and settings',
    html: html`${htmlTable({caption: 'What the experiments used', head: ['what', 'value'], rows})}
<p>As in the paper, every method gets the rates of the anchors from the tags of its training documents; except for the oracles, nothing else is learned from tags.</p>
${leftOut}`
  }
}

export async function nodePictures(): Promise<Pictures> {
  const viz = await loadGraphviz()
  return {
    chart: chart => drawChart(chart),
    network: (network, names, look) => drawNetwork(network, names, viz, {...look})
  }
}
