import type {Experiment} from '../experiment.ts'
import {type DriftCell, type DriftPath, type DriftResult, driftPaths, measureDrift} from './em-drift-measure.ts'
import {presentDrift} from './em-drift-present.ts'

/** EM reads every document in every step; what it does is much the same in every split. */
const MOST_SPLITS = 3
/** Seconds that the paths take beside each other, 8,000 documents of 50 concepts. */
const COSTS: Readonly<Record<DriftPath, number>> = {paper: 23, robust: 16, refine: 29}

/** Sections 5.5 and 5.6: what likelihood does to a model that anchors have found. One cell follows one path on one split. */
export const emDrift: Experiment<DriftCell, DriftResult> = {
  name: 'em-drift',
  title: 'EM: likelihood rises, do predictions?',
  cells: (_, {splits, seed}) =>
    Array.from({length: Math.min(splits, MOST_SPLITS)}, (_, split) =>
      driftPaths.map(path => ({split, seed: seed + split, path}))
    ).flat(),
  cost: ({path}) => COSTS[path],
  measure: measureDrift,
  present: presentDrift
}
