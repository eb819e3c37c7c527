import {anchorPairCounts, anchorTripleCounts, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {forEachTable, type MomentOrder, momentLayout} from '../polytopes/index.ts'
import type {MomentProblem} from './moment-objective.ts'
import {allRates} from './recover-table.ts'
import {type Shrinkage, shrinkageStrength} from './shrinkage.ts'
import type {Divergence} from './table-solver.ts'

/**
 * Eq. 4 for these counts: the observed anchor tables of at most `order` concepts beside the rates and the shrinkage.
 *
 * Tables follow from how many documents each single, pair and triple of anchors fired in, by inclusion and exclusion of
 * integers, so that a cell without documents is exactly 0. Cost: one pass over the patterns, then a few operations a cell.
 */
export function momentProblem(
  counts: Counts,
  noise: NoiseRates,
  {
    order,
    shrinkage,
    divergence
  }: {readonly order: MomentOrder; readonly shrinkage: Shrinkage; readonly divergence: Divergence}
): MomentProblem {
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const layout = momentLayout(m, order)
  const lambda = shrinkageStrength(shrinkage, N)
  const observed = new Float64Array(layout.size)
  const shrinkageWeights = new Float64Array(layout.size)
  const pairs = anchorPairCounts(counts)
  const triples = order === 3 ? anchorTripleCounts(counts) : new Float64Array(0)
  let triple = 0
  forEachTable(layout, (concepts, start) => {
    writeOn(observed, start, concepts, pairs, m)
    observed[start] = N
    if (concepts.length === 3) observed[start + 7] = triples[triple++]
    const end = start + 2 ** concepts.length
    exclude(observed, start, end)
    writeIndependent(shrinkageWeights, start, concepts, noise.prevalence)
    for (let c = start; c < end; c++) {
      observed[c] /= N
      shrinkageWeights[c] *= lambda
    }
  })
  const rates = allRates(noise)
  return {layout, rates, observed, shrinkageWeights, lambda, divergence}
}

/** In the cell of every one or two of the concepts, how many documents their anchors fired in, whatever the others did. */
function writeOn(x: Float64Array, start: number, concepts: readonly number[], pairs: Float64Array, m: number): void {
  const last = concepts.length - 1
  for (let a = 0; a <= last; a++)
    for (let b = a; b <= last; b++)
      x[start + ((1 << (last - a)) | (1 << (last - b)))] = pairs[concepts[a] * m + concepts[b]]
}

/** From "at least these are on" to "just these are on": a subtraction for every cell and variable. */
function exclude(x: Float64Array, start: number, end: number): void {
  for (let half = 1; half < end - start; half *= 2)
    for (let block = start; block < end; block += 2 * half)
      for (let c = block; c < block + half; c++) x[c] -= x[c + half]
}

/** mu_indep of these concepts, one variable after the other: every cell splits in two. */
function writeIndependent(
  x: Float64Array,
  start: number,
  concepts: readonly number[],
  prevalence: ArrayLike<number>
): void {
  x[start] = 1
  for (let k = 0; k < concepts.length; k++) {
    const p = prevalence[concepts[k]]
    for (let c = 2 ** k - 1; c >= 0; c--) {
      x[start + 2 * c + 1] = x[start + c] * p
      x[start + 2 * c] = x[start + c] * (1 - p)
    }
  }
}
