import {isPairNetwork} from '../../base/network/index.ts'
import {counted} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {type ConceptFacts, drawnEdges, oddsText} from '../../use/facts/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'
import {type Block, heading, type Inline, paragraph} from './blocks.ts'

/** What the lines of a network's picture mean. */
export function networkLead(isOfPairs: boolean): string {
  const meaning = isOfPairs
    ? 'occur together more often, or less often, than by chance'
    : 'are related beyond what other concepts explain'
  return `A line joins two concepts that ${meaning}. It does not show a cause.`
}

/** What is written below the picture. */
export function networkCaption(model: Model): string {
  const {network, concepts} = model
  const {left} = drawnEdges(
    network,
    concepts.map(({name}) => name)
  )
  const edges = !isPairNetwork(network)
    ? 'Only edges whose direction can be determined have arrow heads.'
    : left === 0
      ? ''
      : `Drawn are the two strongest edges of each concept, by mutual information; ${counted(left, 'weaker one')} ${left === 1 ? 'is' : 'are'} only in the list.`
  const hasShares = measuredConcepts(model).includes(true)
  const below = hasShares ? 'Below each name: the share of documents that have the concept. ' : ''
  return `${below}${edges}`.trimEnd()
}

/** Longer lists begin with these; the rest unfolds. */
const SHOWN_EDGES = 12

/** Every edge in words, strongest first: on a phone the only way to read a large network. */
export function edgeBlocks(concepts: readonly ConceptFacts[]): Block[] {
  const edges = concepts
    .flatMap(concept => concept.neighbours.filter(({index}) => index > concept.index).map(other => ({concept, other})))
    .sort((a, b) => Math.abs(b.other.strength) - Math.abs(a.other.strength))
  if (edges.length === 0) return []
  const items = edges.map(({concept, other: {name, strength}}): Inline => {
    const named = (text: string) => ({text, to: {concept: text}})
    return [named(concept.name), ' and ', named(name), ' ', {text: oddsText(strength), look: 'strong'}]
  })
  const rest = items.slice(SHOWN_EDGES)
  return [
    heading('Edges, strongest first'),
    paragraph(
      '×\u00a03: all else equal, predictions take the odds of one for three times as high where the other is present; ÷\u00a03: a third. These factors are cautious and order the edges: in the documents the odds often differ more.'
    ),
    {kind: 'list', look: 'edges', items: items.slice(0, SHOWN_EDGES)},
    ...(rest.length === 0
      ? []
      : [
          {
            kind: 'more' as const,
            title: counted(rest.length, 'weaker edge'),
            blocks: [{kind: 'list' as const, look: 'edges' as const, items: rest}]
          }
        ])
  ]
}
