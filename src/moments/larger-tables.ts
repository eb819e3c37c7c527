import type {Counts} from '../counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {type Moments, permuteTable} from './moments.ts'
import {recoverTable, type TableOptions} from './recover-table.ts'

/**
 * The same moments, with tables of more than `order` concepts too: each recovered alone over the simplex (Eq. 2) when it is
 * first asked for, and kept. Families of many parents and tests given many concepts need them; the polytopes end at order 3.
 */
export function withLargerTables(
  moments: Moments,
  order: number,
  counts: Counts,
  noise: NoiseRates,
  options: Pick<TableOptions, 'pull' | 'divergence'>
): Moments {
  const known = new Map<string, Float64Array>()
  return {
    ...moments,
    table(concepts) {
      if (concepts.length <= order) return moments.table(concepts)
      const rising = concepts.toSorted((x, y) => x - y)
      const name = rising.join()
      const table = known.get(name) ?? recoverTable(counts, noise, {latents: rising}, options).mu
      known.set(name, table)
      return permuteTable(table, rising, concepts)
    }
  }
}
