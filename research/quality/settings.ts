import {noiseTable, scoreAnchors} from '../../src/learn/noise/index.ts'
import type {Counts} from '../../src/read/counts/index.ts'
import {autoEstimate, cellsOf, labelledTable, withEstimates} from '../figures/noise-rates-estimates.ts'
import type {QualityProblem} from './problem.ts'

/**
 * Where the anchors' rates come from: `given`, the tags of all training documents; `labels`, the tags of 200 of them, drawn
 * at random; `free`, no tags. The last two use `auto`, which combines all estimates.
 */
export const settings = ['given', 'labels', 'free'] as const
export type Setting = (typeof settings)[number]

export const LABELLED_DOCUMENTS = 200
/** Learning accepts no rates beyond these. */
const MOST_TRUE_POSITIVE = 0.98
const LEAST_FALSE_POSITIVE = 1e-4

/** The counts with the rates of each setting in their anchors, for the same concepts: none is refused. */
export function ratedCounts(problem: QualityProblem, wanted: readonly Setting[]): ReadonlyMap<Setting, Counts> {
  const scores = wanted.some(setting => setting !== 'given') ? scoreAnchors(problem.training) : undefined
  return new Map(wanted.map(setting => [setting, scores ? estimated(setting, scores) : givenRates(problem.counts)]))

  function estimated(setting: Setting, scores: ReturnType<typeof scoreAnchors>): Counts {
    const {counts, firing, seed, training} = problem
    if (setting === 'given') return givenRates(counts)
    const table =
      setting === 'labels'
        ? labelledTable({counts, scores, training}, LABELLED_DOCUMENTS, seed).table
        : noiseTable({...counts, labelled: new Float64Array(counts.labelled.length)}, {scores})
    return withEstimates(counts, firing, table.map(autoEstimate))
  }
}

/** The counts with the rates that the tags of all training documents give. */
export function givenRates(counts: Counts): Counts {
  const anchors = counts.lexicon.anchors.map((anchor, i) => {
    const {positives, hits, fired, labelled} = cellsOf(counts, i)
    const truePositive = Math.min(hits / positives, MOST_TRUE_POSITIVE)
    const falsePositive = Math.max((fired - hits) / (labelled - positives), LEAST_FALSE_POSITIVE)
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive} as const}
  })
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}
