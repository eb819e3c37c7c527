import {isPairNetwork} from '../../base/network/index.ts'
import {counted} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {drawnEdges, networkLinks, oddsInWords, oddsText, strengthInWords} from '../../use/facts/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'
import {type Block, heading, type Inline, kept, more, paragraph} from './blocks.ts'

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
  return kept([
    measuredConcepts(model).includes(true) && 'Below each name: the share of documents that have the concept.',
    !isPairNetwork(network) && 'Only edges whose direction can be determined have arrow heads.',
    left > 0 &&
      `Drawn are the two strongest edges of each concept, by mutual information; ${counted(left, 'weaker one')} ${left === 1 ? 'is' : 'are'} only in the list.`
  ]).join(' ')
}

/** "clearly more often than by chance: 3.1 times the odds". */
export function linkText(strength: number): string {
  return `${strengthInWords(strength)}: ${oddsInWords(strength)}`
}

/** Longer lists begin with these; the rest unfolds. */
const SHOWN_EDGES = 12

/** Every edge in words, strongest first: on a phone the only way to read a large network. */
export function edgeBlocks(model: Model): Block[] {
  const items = networkLinks(model).map(({a, b, strength}): Inline => {
    const named = (i: number) => ({text: model.concepts[i].name, to: {concept: model.concepts[i].name}})
    return [named(a), ' and ', named(b), ' ', {text: oddsText(strength), look: 'strong'}]
  })
  if (items.length === 0) return []
  const rest = items.slice(SHOWN_EDGES)
  const list = (shown: readonly Inline[]): Block => ({kind: 'list', look: 'edges', items: shown})
  return kept([
    heading('Edges, strongest first'),
    paragraph(
      '×\u00a03: all else equal, predictions take the odds of one for three times as high where the other is present; ÷\u00a03: a third. These factors are cautious and order the edges: in the documents the odds often differ more.'
    ),
    list(items.slice(0, SHOWN_EDGES)),
    rest.length > 0 && more(counted(rest.length, 'weaker edge'), list(rest))
  ])
}
