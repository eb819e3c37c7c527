import {edgeList, type NetworkEdge} from '../../base/network/index.ts'
import {exp} from '../../base/numeric/index.ts'
import {cellWidth, factorText, fitCells, percent, withoutControls, wrapCells} from '../../base/text/index.ts'
import {type Model, topWords} from '../../learn/model/index.ts'
import type {Row} from '../../read/data/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'
import {textTable} from '../present/index.ts'
import {colours} from './output.ts'

/** Edges named per concept. */
const EDGES_SHOWN = 2

/** The network as a table: one line per concept, the commonest first, with the edges of greatest mutual information. */
export function networkText(model: Pick<Model, 'concepts' | 'network' | 'certificate'>): string {
  const isMeasured = measuredConcepts(model)
  const edges = strongestEdges(model)
  const rows = [...model.concepts.entries()]
    .toSorted(([, a], [, b]) => b.prevalence - a.prevalence)
    .map(([i, {name, prevalence}]) => {
      const own = edges.filter(({parent, child}) => parent === name || child === name)
      const named = own
        .slice(0, EDGES_SHOWN)
        .map(edge => `${edge.parent === name ? edge.child : edge.parent} ${oddsRatio(edge)}`)
      const more = own.length > EDGES_SHOWN ? [`${own.length - EDGES_SHOWN} more`] : []
      return [name, isMeasured[i] ? percent(prevalence) : 'unknown', [...named, ...more].join(', ')]
    })
  return textTable([['concept', 'share', 'odds of other concepts where it is present'], ...rows])
}

/** The edges, those of greatest mutual information first. */
export function strongestEdges({concepts, network}: Pick<Model, 'concepts' | 'network'>): NetworkEdge[] {
  return edgeList(
    network,
    concepts.map(({name}) => name)
  ).sort((a, b) => b.mutualInformation - a.mutualInformation)
}

/** "x 3.1": the odds ratio of an edge. */
export function oddsRatio({strength}: NetworkEdge): string {
  return `x ${factorText(exp(strength))}`
}

/** The words of a concept without their field, which says little: a word that is in several fields comes once. */
export function typicalWords(model: Model, i: number, most: number): string[] {
  const {text: fields} = model.lexicon.reading
  const plain = (word: string) => {
    const field = fields.find(name => word.startsWith(`${name}:`))
    return field === undefined ? word : word.slice(field.length + 1)
  }
  return [...new Set(topWords(model, i, 2 * most).map(({word}) => plain(word)))].slice(0, most)
}

/** A document as lines of at most `columns` cells: its fields one below the other, their names in the margin. */
export function documentLines(row: Row, fields: readonly string[], columns: number): string[] {
  const parts = fields.flatMap(field => {
    const text = withoutControls(row.text.get(field) ?? '').trim()
    return text === '' ? [] : [{field, text}]
  })
  if (row.features.length > 0) parts.push({field: 'features', text: withoutControls(row.features.join(', '))})
  if (parts.length === 0) return [colours.dim(' (an empty document)')]
  const margin = parts.length === 1 ? 0 : Math.min(12, Math.max(...parts.map(({field}) => cellWidth(field)))) + 1
  return parts.flatMap(({field, text}) =>
    wrapCells(text, columns - margin - 2).map((line, at) => {
      const name = margin === 0 ? '' : fitCells(at === 0 ? withoutControls(field) : '', margin)
      return ` ${name === '' ? '' : colours.dim(name)}${line}`
    })
  )
}
