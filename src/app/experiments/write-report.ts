import {drawChart, drawNetwork, html, htmlTable, type Section} from '../../use/report/index.ts'
import {nodeDrawing} from '../drawing/index.ts'
import type {Pictures} from './experiment.ts'
import type {Material} from './material.ts'
import type {Identity} from './result-store.ts'

/** What the experiments were made with: enough to make them again. */
export function dataSection({lexicon}: Material, {adfa, data, documents, concepts, words, sha256}: Identity): Section {
  const {filter, skipped, text} = lexicon
  const rows = [
    ['data', data],
    ['documents', documents.toLocaleString('en')],
    ['concepts', concepts],
    ['words', words.toLocaleString('en')],
    ['text fields', text.fields.join(', ')],
    [
      'documents used',
      filter === undefined
        ? 'all that have tags'
        : `those with at least ${filter.minTags} of the ${filter.tags.length} commonest tags`
    ],
    ['negation', text.negation ? 'read' : 'not read'],
    ['adfa', adfa],
    ['SHA-256 of what was read', sha256]
  ]
  const leftOut =
    skipped.length === 0
      ? undefined
      : htmlTable({
          caption: 'Concepts that were left out',
          head: ['concept', 'why'],
          rows: skipped.map(({concept, reason}) => [concept, reason])
        })
  return {
    id: 'data',
    title: 'Data and settings',
    html: html`${htmlTable({caption: 'What the experiments were made with', head: ['what', 'value'], rows})}
<p>As in the paper, every method is given the rates of the anchors that the tags of its training documents show; nothing else is learned from tags, but for the oracles.</p>
${leftOut}`
  }
}

/** Rows as comma-separated values (RFC 4180), as spreadsheets and statistics programs read them. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map(row => `${row.map(cellText).join(',')}\n`).join('')
}

function cellText(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The pictures of experiments, drawn without a browser. */
export async function nodePictures(): Promise<Pictures> {
  const {viz, document} = await nodeDrawing()
  return {
    chart: chart => drawChart(chart, document),
    network: (network, names, look) => drawNetwork(network, names, viz, {...look})
  }
}
