import {clamp} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {independentCoordinates, type MomentLayout, momentLayout} from './layout.ts'
import type {Divergence, TableProblem} from './objective.ts'
import {allRates, independentTable, type Shrinkage, shrinkageStrength} from './table.ts'

/** The share by which prevalences move towards one half, so that rare concepts leave room. */
const TO_HALF = 0.1

/** The data of Eq. 4: the tables of all singles and pairs. */
export interface MomentProblem extends TableProblem {
  readonly layout: MomentLayout
}

/**
 * Builds Eq. 4 for these counts. Tables follow from the documents in which each anchor and each pair of anchors fires, by
 * subtraction of integers, so a cell without documents is exactly 0. Cost: one pass over the patterns.
 */
export function momentProblem(
  counts: Counts,
  noise: NoiseRates,
  {shrinkage, divergence}: {readonly shrinkage: Shrinkage; readonly divergence: Divergence}
): MomentProblem {
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const layout = momentLayout(m)
  const lambda = shrinkageStrength(shrinkage, N)
  const observed = new Float64Array(layout.size)
  const shrinkageWeights = new Float64Array(layout.size)
  const fired = anchorPairCounts(counts)
  for (const {concepts, start} of layout.tables) {
    const [i, k] = concepts
    const on = fired[i * m + i]
    const other = fired[k * m + k]
    const both = fired[i * m + k]
    const documents = k === undefined ? [N - on, on] : [N - on - other + both, other - both, on - both, both]
    independentTable(concepts.map(each => noise.prevalence[each])).forEach((cell, c) => {
      observed[start + c] = documents[c] / N
      shrinkageWeights[start + c] = lambda * cell
    })
  }
  return {layout, rates: allRates(noise), observed, shrinkageWeights, lambda, divergence}
}

/** Coordinates well inside the marginal polytope: independent concepts with the implied prevalences, moved towards 1/2. */
export function insidePoint({rates, observed}: MomentProblem): Float64Array {
  return independentCoordinates(
    rates.map(({truePositive: t, falsePositive: e}, i) => {
      const prevalence = clamp((observed[2 * i + 1] - e) / (t - e), 0, 1)
      return prevalence + TO_HALF * (0.5 - prevalence)
    })
  )
}
