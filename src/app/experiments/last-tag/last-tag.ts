import type {Experiment} from '../experiment.ts'
import {type LastTagCell, type LastTagResult, measureFamily} from './last-tag-measure.ts'
import {type Family, families} from './last-tag-methods.ts'
import {presentLastTag} from './last-tag-present.ts'

/** Seconds that the families take beside each other, 8,000 documents of 50 concepts. */
const COSTS: Readonly<Record<Family, number>> = {models: 6, classifiers: 12, oracles: 8}

/** Sections 5.5 and 5.6: who finds the last tag. One cell trains and judges what is trained together, on one split. */
export const lastTag: Experiment<LastTagCell, LastTagResult> = {
  name: 'last-tag',
  title: 'Last tag: all methods and oracles',
  cells: (_, {splits, seed}) =>
    Array.from({length: splits}, (_, split) => families.map(family => ({split, seed: seed + split, family}))).flat(),
  cost: ({family}) => COSTS[family],
  measure: measureFamily,
  present: presentLastTag
}
