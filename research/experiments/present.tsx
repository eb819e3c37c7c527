import {render} from 'preact-render-to-string'
import {drawChart, drawNetwork, type Graphviz} from '../../src/app/drawing/index.ts'
import {type Block, Blocks, type Inline, paragraph} from '../../src/app/present/index.ts'
import {Figure, Html, pageHost, renderPage, type Section} from '../../src/app/report/index.ts'
import {counted, csvText, grouped} from '../../src/base/text/index.ts'
import type {Experiment, ExperimentName, Results, Row, ShownTable, Verdict} from './experiment.ts'
import {experiments} from './experiments.ts'
import type {Material} from './material.ts'
import type {Identity} from './runner.ts'

/** The verdicts and the tables of an experiment, which a page over several corpora puts side by side. */
export interface Summary {
  readonly claims: readonly ({readonly verdict: Verdict; readonly shown: string} | null)[]
  readonly tables: readonly ShownTable[]
}

export const SECTION_FILE = 'section.html'
export const SUMMARY_FILE = 'summary.json'

/** The files of one experiment: what was measured as tables, figures, a summary, and its section of the report. */
export function filesOf(
  experiment: Experiment,
  results: Results,
  material: Material,
  graphviz: Graphviz
): ReadonlyMap<string, string> {
  const {name, about, claims} = experiment
  const names = material.lexicon.anchors.map(({concept}) => concept)
  const drawn = experiment.figures(results, material).map(shown => ({
    ...shown,
    // Two networks on one page need two ids.
    svg:
      'chart' in shown
        ? drawChart(shown.chart)
        : drawNetwork(shown.network, names, graphviz, {id: `${name}-${shown.name}`, title: shown.caption})
  }))
  const judged = claims.map(claim => claim.judge(results))
  const tables = experiment.tables(results, material)
  const items = claims.flatMap(({says, where, rule}, at): Inline[] => {
    const found = judged[at]
    if (found === undefined) return []
    return [
      [
        `${says} (${where}) `,
        {text: verdictTexts[found.verdict], look: 'strong'},
        `: ${found.shown}. `,
        {text: rule, look: 'quiet'}
      ]
    ]
  })
  const body = render(
    <>
      {shown([paragraph(about), {kind: 'list', items}])}
      {drawn.map(({svg, caption, name: file}) => (
        <Figure key={file} svg={svg} caption={caption} id={`${name}-${file}-figure`} />
      ))}
      {shown(tables.filter(({rows}) => rows.length > 0).map(tableBlock))}
      {shown(experiment.notes(results).map(note => paragraph(note)))}
    </>
  )
  const summary: Summary = {claims: judged.map(found => found ?? null), tables}
  return new Map([
    ...drawn.map(({name, svg}) => [`${name}.svg`, svg] as const),
    ...csvFiles(results),
    [SUMMARY_FILE, `${JSON.stringify(summary, null, 1)}\n`],
    [SECTION_FILE, body]
  ])
}

const verdictTexts: Readonly<Record<Verdict, string>> = {
  holds: 'Here that holds',
  partly: 'Here that holds partly',
  unclear: 'Here that is unclear',
  not: 'Here that does not hold'
}

function shown(blocks: readonly Block[]) {
  return <Blocks blocks={blocks} host={pageHost()} />
}

/** Columns of numbers are aligned to the right. */
function tableBlock({name, caption, head, rows}: ShownTable): Block {
  const isNumber = (cell: string | number | undefined) =>
    cell === undefined || /^(-|[-+]?[\d.,]+( \(\d+\))?)?$/.test(`${cell}`)
  const columns = head.map((title, column) => ({name: title, isFigure: rows.every(row => isNumber(row[column]))}))
  return {
    kind: 'table',
    id: name,
    caption,
    columns,
    rows: rows.map(row => row.map((cell = '') => cell)),
    isSortable: true
  }
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

/** The report: the sections of finished experiments, and the names of those still to come. */
export function renderReport(
  finished: ReadonlyMap<ExperimentName, string>,
  names: readonly ExperimentName[],
  material: Material,
  identity: Identity
): string {
  const missing = names.filter(name => !finished.has(name))
  const sections = Array.from(finished, ([name, body]): Section => {
    return {id: name, title: experiments[name].title, body: <Html text={body} />}
  })
  const rest = missing.length === 0 ? '' : ` Not finished: ${missing.join(', ')}; the same command continues them.`
  const lead = (
    <>
      The experiments of <cite>Anchored Discrete Factor Analysis</cite>
      {` (Halpern, Horng, Sontag 2015) on ${material.name}: ${counted(identity.documents, 'document')}, ${counted(identity.concepts, 'concept')}.${rest}`}
    </>
  )
  const title = `The paper's experiments on ${material.name}`
  return renderPage({title, lead, sections: [...sections, dataSection(material, identity)]})
}

/** What the experiments used: enough to repeat them. */
function dataSection({lexicon}: Material, {adfa, data, documents, concepts, words, sha256}: Identity): Section {
  const {filter, skipped, reading} = lexicon
  const used =
    filter === undefined
      ? 'all that have tags'
      : `those with at least ${filter.minTags} of the ${filter.tags.length} most frequent tags`
  const rows: [string, string | number][] = [
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
  const table = (
    caption: string,
    names: readonly string[],
    rows: readonly (readonly (string | number)[])[]
  ): Block => ({
    kind: 'table',
    caption,
    columns: names.map(name => ({name})),
    rows
  })
  const leftOut = skipped.map(({concept, reason}) => [concept, reason])
  return {
    id: 'data',
    title: 'Data and settings',
    body: shown([
      table('What the experiments used', ['what', 'value'], rows),
      paragraph(
        'As in the paper, every method gets the rates of the anchors from the tags of its training documents; except for the oracles, nothing else is learned from tags.'
      ),
      table('Concepts that were left out', ['concept', 'reason'], leftOut)
    ])
  }
}
