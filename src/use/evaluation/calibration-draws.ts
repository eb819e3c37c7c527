import type {WeightBlock} from './resampling.ts'
import {BIN_COUNT} from './tagging-figures.ts'
import {ratio, weighted, weightedColumns} from './weighted-sums.ts'

/** Probabilities less labels, of document d and a bin at `d * BIN_COUNT + bin`; and the number of labels by document. */
export interface Gaps {
  readonly gaps: Float64Array
  readonly labels: Float64Array
}

/** By bin: how far weighted probabilities are above weighted labels, for each replicate. */
export function gapDraws({gaps, labels}: Gaps, block: WeightBlock): Float64Array[] {
  const all = weighted(labels, block)
  return weightedColumns(gaps, BIN_COUNT, block).map(sum => ratio(sum, all))
}

function exactGaps({gaps, labels}: Gaps): number[] {
  const all = labels.reduce((sum, count) => sum + count, 0)
  return Array.from({length: BIN_COUNT}, (_, bin) => {
    let sum = 0
    for (let at = bin; at < gaps.length; at += BIN_COUNT) sum += gaps[at]
    return sum / all
  })
}

/** Gaps of fewer standard errors may be none. */
const SURE_ERRORS = 2

/**
 * Noise in a gap widens it on average: gaps of weighted documents are too wide, and those of the documents are already. By how
 * much depends on the true gaps, and replicates show it for two guesses: the gaps found, which widen too little, and those of
 * them that are sure, which widen too much. The draws about both are the calibration error less what each replicate adds.
 */
export function calibrationDraws(gaps: readonly Float64Array[], sums: Gaps): Float64Array {
  const exact = exactGaps(sums)
  const sizes = exact.map(Math.abs)
  const sure = exact.map((gap, bin) => {
    const variance = gaps[bin].reduce((sum, one) => sum + (one - gap) ** 2, 0) / gaps[bin].length
    return gap * gap > SURE_ERRORS ** 2 * variance ? Math.abs(gap) : 0
  })
  const error = sizes.reduce((sum, size) => sum + size, 0)
  const draw = (guess: readonly number[], r: number) => {
    const added = guess.map((size, bin) => Math.abs(size + (gaps[bin][r] - exact[bin]) * Math.sign(exact[bin])) - size)
    return Math.max(0, error - added.reduce((sum, one) => sum + one, 0))
  }
  return Float64Array.from([sizes, sure].flatMap(guess => Array.from(gaps[0], (_, r) => draw(guess, r))))
}
