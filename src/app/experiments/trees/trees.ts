import type {Experiment} from '../experiment.ts'
import {measureNetwork, type NetworkKind, type TreesCell, type TreesResult} from './trees-measure.ts'
import {presentTrees} from './trees-present.ts'

/** Seconds that they take beside each other, 24,000 documents of 50 concepts. Those that take longest come first. */
const COSTS: Readonly<Record<NetworkKind, number>> = {'two-parents': 20, tree: 2, forest: 0.2}

/** Section 5.3 and the supplement: trees, and networks of two parents a concept. One cell learns one network. */
export const trees: Experiment<TreesCell, TreesResult> = {
  name: 'trees',
  title: 'Networks of the concepts',
  cells: (_, {seed}) =>
    (['two-parents', 'tree', 'forest'] as const).flatMap(network =>
      (['anchors', 'tags'] as const).map(source => ({network, source, seed}))
    ),
  cost: ({network}) => COSTS[network],
  measure: measureNetwork,
  present: presentTrees
}
