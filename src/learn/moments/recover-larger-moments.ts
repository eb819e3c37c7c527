import {anchorTable, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {type Moments, permuteTable} from './moments.ts'
import {type MomentControl, type MomentOptions, momentDefaults, recoverMoments} from './recover-moments.ts'
import {recoverByNewton} from './recover-table.ts'

/**
 * Moments with tables of at most `size` concepts, and of more on request. Up to order 3, or 2 on the cycle polytope, they lie
 * in the polytope together. Larger ones are recovered one by one over the simplex (Eq. 2) on first use, kept, and fitted to
 * the tables of one concept less so that all agree, except for the simplex polytope, whose tables never do.
 */
export async function recoverLargerMoments(
  counts: Counts,
  noise: NoiseRates,
  size: number,
  options?: Partial<Omit<MomentOptions, 'order'>>,
  control?: MomentControl
): Promise<Moments> {
  const {polytope, shrinkage, divergence} = {...momentDefaults, ...options}
  const order = size <= 2 || polytope === 'cycle' ? 2 : 3
  const moments = await recoverMoments(counts, noise, {...options, order}, control)
  const known = new Map<string, Float64Array>()
  return {
    ...moments,
    table(concepts) {
      if (concepts.length <= order) return moments.table(concepts)
      const rising = concepts.toSorted((x, y) => x - y)
      return permuteTable(larger(rising), rising, concepts)
    }
  }

  function larger(rising: readonly number[]): Float64Array {
    if (rising.length <= order) return moments.table(rising)
    const found = known.get(rising.join())
    if (found !== undefined) return found
    const table = recoverByNewton(anchorTable(counts, rising, []), noise, rising, {shrinkage, divergence}).mu
    if (polytope !== 'simplex')
      fitMargins(
        table,
        rising.map((_, k) => larger(rising.toSpliced(k, 1)))
      )
    known.set(rising.join(), table)
    return table
  }
}

/** Sweeps over the margins; where they contradict each other, more would change little. */
const SWEEPS = 50
const TOLERANCE = 1e-10

/**
 * The table nearest to `table`, in KL, whose margins without each of its concepts are `margins`: iterative proportional fitting
 * (Deming and Stephan, 1940), in place. `margins[k]` is the table of all concepts but the k-th, the first most significant.
 * Margins that no table can have together are approximated by 50 sweeps, the last of them met exactly.
 */
export function fitMargins(table: Float64Array, margins: readonly ArrayLike<number>[]): void {
  const sums = new Float64Array(table.length / 2)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let change = 0
    margins.forEach((margin, k) => {
      const bit = margins.length - 1 - k
      const row = (cell: number) => ((cell >> (bit + 1)) << bit) | (cell & ((1 << bit) - 1))
      sums.fill(0)
      for (let cell = 0; cell < table.length; cell++) sums[row(cell)] += table[cell]
      for (let at = 0; at < sums.length; at++) change = Math.max(change, Math.abs(margin[at] - sums[at]))
      for (let cell = 0; cell < table.length; cell++)
        if (sums[row(cell)] > 0) table[cell] *= margin[row(cell)] / sums[row(cell)]
    })
    if (change < TOLERANCE) return
  }
}
