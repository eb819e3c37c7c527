import {html, htmlTable, type Section} from '../../use/report/index.ts'
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
