import {join} from 'node:path'
import {loadGraphviz} from '../../src/app/drawing/index.ts'
import {counted, csvText, grouped} from '../../src/base/text/index.ts'
import {writeAtomically} from '../../src/read/files/index.ts'
import {
  drawChart,
  drawNetwork,
  figure,
  html,
  htmlTable,
  Markup,
  renderPage,
  type Section
} from '../../src/use/report/index.ts'
import {
  type Experiment,
  type ExperimentName,
  experimentNames,
  type Figure,
  type Results,
  type Row,
  type ShownTable,
  type Verdict
} from './experiment.ts'
import {experiments} from './experiments.ts'
import type {Material} from './material.ts'
import type {Identity, ResultStore} from './result-store.ts'

/** Draws a figure, in one style for all experiments. Two networks on one page need two ids. */
export type Pictures = (figure: Figure, names: readonly string[], id: string) => string

export async function nodePictures(): Promise<Pictures> {
  const viz = await loadGraphviz()
  return (shown, names, id) =>
    'chart' in shown ? drawChart(shown.chart) : drawNetwork(shown.network, names, viz, {id, title: shown.caption})
}

/** The verdicts and the tables of an experiment, which a page over several corpora puts side by side. */
export interface Summary {
  readonly claims: readonly ({readonly verdict: Verdict; readonly shown: string} | null)[]
  readonly tables: readonly ShownTable[]
}

const SECTION_FILE = 'section.html'
export const SUMMARY_FILE = 'summary.json'

/** The files of one experiment: what was measured as tables, figures, a summary, and its section of the report. */
export function filesOf(
  experiment: Experiment,
  results: Results,
  material: Material,
  draw: Pictures
): ReadonlyMap<string, string> {
  const {name, about, claims} = experiment
  const names = material.lexicon.anchors.map(({concept}) => concept)
  const drawn = experiment
    .figures(results, material)
    .map(shown => ({...shown, svg: draw(shown, names, `${name}-${shown.name}`)}))
  const judged = claims.map(claim => claim.judge(results))
  const tables = experiment.tables(results, material)
  const body = html`<p>${about}</p>
<ul>
${claims.map(({says, where, rule}, at) => {
  const found = judged[at]
  return (
    found &&
    html`<li>${says} (${where}) <strong>${verdictTexts[found.verdict]}</strong>: ${found.shown}. <small class="soft">${rule}</small></li>\n`
  )
})}</ul>
${drawn.filter(({isInReport = true}) => isInReport).map(({svg, caption, name: file}) => figure(svg, caption, `${name}-${file}-figure`))}
${tables.filter(({rows}) => rows.length > 0).map(table => shownTable(table))}
${experiment.notes(results).map(note => html`<p>${note}</p>\n`)}`
  const summary: Summary = {claims: judged.map(found => found ?? null), tables}
  return new Map([
    ...drawn.map(({name, svg}) => [`${name}.svg`, svg] as const),
    ...csvFiles(results),
    [SUMMARY_FILE, `${JSON.stringify(summary, null, 1)}\n`],
    [SECTION_FILE, body.text]
  ])
}

const verdictTexts: Readonly<Record<Verdict, string>> = {
  holds: 'Here that holds',
  partly: 'Here that holds partly',
  unclear: 'Here that is unclear',
  not: 'Here that does not hold'
}

/** Columns of numbers are aligned to the right. */
function shownTable({name, caption, head, rows}: ShownTable): Markup {
  const isNumber = (cell: string | number | undefined) =>
    cell === undefined || /^(-|[-+]?[\d.,]+( \(\d+\))?)?$/.test(`${cell}`)
  const align = head.map((_, column) => (rows.every(row => isNumber(row[column])) ? 'right' : 'left'))
  return htmlTable({caption, head, rows, align, id: name, sortable: true})
}

/** One file for each table that was measured, with the values of the cells before those of the rows. */
function csvFiles(results: Results): (readonly [string, string])[] {
  const tables = [...new Set(results.runs.flatMap(run => Object.keys(run.tables)))]
  return tables.map(table => {
    const rows = results.rows(table)
    const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
    const cell = (value: Row[string] | undefined) => value ?? ''
    return [`${table}.csv`, csvText([columns, ...rows.map(row => columns.map(name => cell(row[name])))])]
  })
}

interface ReportPlan {
  readonly folder: string
  /** The experiments that this run is to measure. */
  readonly names: readonly ExperimentName[]
  readonly material: Material
  readonly identity: Identity
}

/**
 * Writes the report, with a section for every experiment in the folder, from this run or an earlier one, and names those still to
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
  const {filter, skipped, reading} = lexicon
  const used =
    filter === undefined
      ? 'all that have tags'
      : `those with at least ${filter.minTags} of the ${filter.tags.length} most frequent tags`
  const rows = [
    ['data', data],
    ['documents', grouped(documents)],
    ['concepts', concepts],
    ['words', grouped(words)],
    ['text fields', reading.text.join(', ')],
    ['documents used', used],
    ['negation', reading.negation ? 'read' : 'not read'],
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
