import {describe, expect, test} from 'vitest'
import type {Link} from '../../../../use/facts/index.ts'
import type {GraphView} from '../../../session/index.ts'
import {sortedConcepts, sortedLinks} from './graph-order.ts'

const link = (a: number, b: number, strength: number, confidence?: number): Link => ({
  a,
  b,
  strength,
  shares: {withA: 0.1, withoutA: 0.1, withB: 0.1 * (a + 1), withoutB: 0.1},
  ...(confidence !== undefined && {confidence})
})

const graph: GraphView = {
  revision: 1,
  method: 'pairs',
  isOfPairs: true,
  concepts: [
    {name: 'Stroke', prevalence: 0.1, cluster: 1},
    {name: 'fall', prevalence: 0.3, cluster: 0},
    {name: 'alcohol', prevalence: 0.2, cluster: 0},
    {name: 'asthma', prevalence: 0.3, cluster: 1}
  ],
  links: [link(0, 3, 3, 0.2), link(1, 2, -2, 0.9), link(0, 1, 1, 0.5)]
}

describe('orders of the Graph page', () => {
  test('concepts by cluster and then by name, by name, by prevalence', () => {
    expect(sortedConcepts(graph, 'cluster')).toEqual([2, 1, 0, 3])
    expect(sortedConcepts(graph, 'name')).toEqual([0, 2, 3, 1])
    expect(sortedConcepts(graph, 'prevalence')).toEqual([3, 1, 2, 0])
  })

  test('links by strength as they come, by name, by share, by resamples; the graph itself stays', () => {
    const ends = (links: readonly Link[]) => links.map(({a, b}) => `${a}${b}`)
    expect(ends(sortedLinks(graph, 'strength'))).toEqual(['03', '12', '01'])
    expect(ends(sortedLinks(graph, 'name'))).toEqual(['03', '01', '12'])
    expect(ends(sortedLinks(graph, 'share'))).toEqual(['12', '03', '01'])
    expect(ends(sortedLinks(graph, 'sure'))).toEqual(['12', '01', '03'])
    expect(ends(graph.links)).toEqual(['03', '12', '01'])
  })
})
