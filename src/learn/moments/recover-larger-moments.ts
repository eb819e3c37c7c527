import type {Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {fitMargins} from './fit-margins.ts'
import {type Moments, permuteTable} from './moments.ts'
import {type MomentControl, type MomentOptions, momentDefaults, recoverMoments} from './recover-moments.ts'
import {recoverTable} from './recover-table.ts'

/**
 * Moments with tables of at most `size` concepts, or of more if one asks for them. Up to order 3, or 2 on the cycle
 * polytope, they lie in the polytope together; larger ones, which families of many parents and tests given many concepts
 * need, are recovered each over the simplex (Eq. 2) when they are first asked for, and kept. Those are then fitted to the
 * tables of one concept less, so that all agree, unless the simplex is asked for, where tables never do.
 */
export function recoverLargerMoments(
  counts: Counts,
  noise: NoiseRates,
  size: number,
  options?: Partial<Omit<MomentOptions, 'order'>>,
  control?: MomentControl
): Moments {
  const {polytope, shrinkage, divergence} = {...momentDefaults, ...options}
  const order = size <= 2 || polytope === 'cycle' ? 2 : 3
  const moments = recoverMoments(counts, noise, {...options, order}, control)
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
    const table = recoverTable(counts, noise, {concepts: rising}, {shrinkage, divergence}).mu
    if (polytope !== 'simplex')
      fitMargins(
        table,
        rising.map((_, k) => larger(rising.toSpliced(k, 1)))
      )
    known.set(rising.join(), table)
    return table
  }
}
