import type {Counts} from '../counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {type Moments, permuteTable} from './moments.ts'
import {type MomentControl, type MomentOptions, momentDefaults, recoverMoments} from './recover-moments.ts'
import {recoverTable} from './recover-table.ts'

/**
 * Moments with tables of at most `size` concepts, or of more if one asks for them. Up to order 3, or 2 on the cycle
 * polytope, they lie in the polytope together; larger ones, which families of many parents and tests given many concepts
 * need, are recovered each alone over the simplex (Eq. 2) when they are first asked for, and kept.
 */
export function recoverLargerMoments(
  counts: Counts,
  noise: NoiseRates,
  size: number,
  options?: Partial<Omit<MomentOptions, 'order'>>,
  control?: MomentControl
): Moments {
  const {polytope, pull, divergence} = {...momentDefaults, ...options}
  const order = size <= 2 || polytope === 'cycle' ? 2 : 3
  const moments = recoverMoments(counts, noise, {...options, order}, control)
  const known = new Map<string, Float64Array>()
  return {
    ...moments,
    table(concepts) {
      if (concepts.length <= order) return moments.table(concepts)
      const rising = concepts.toSorted((x, y) => x - y)
      const name = rising.join()
      const table = known.get(name) ?? recoverTable(counts, noise, {latents: rising}, {pull, divergence}).mu
      known.set(name, table)
      return permuteTable(table, rising, concepts)
    }
  }
}
