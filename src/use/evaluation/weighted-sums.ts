import type {WeightBlock} from './resampling.ts'

/** The sum of the weighted values, for each replicate. */
export function weighted(values: Float64Array, {size, weights}: WeightBlock): Float64Array {
  const sums = new Float64Array(size)
  for (let d = 0; d < values.length; d++) if (values[d] !== 0) addScaled(sums, values[d], weights, d * size)
  return sums
}

/** The same from values by document and column, a sum for each column. */
export function weightedColumns(values: Float64Array, columns: number, {size, weights}: WeightBlock): Float64Array[] {
  const sums = Array.from({length: columns}, () => new Float64Array(size))
  for (let at = 0; at < values.length; at++)
    if (values[at] !== 0) addScaled(sums[at % columns], values[at], weights, Math.floor(at / columns) * size)
  return sums
}

export function ratio(parts: Float64Array, wholes: Float64Array): Float64Array {
  return parts.map((part, r) => part / wholes[r])
}

/** Adds `factor` times the weights of a document. */
function addScaled(sums: Float64Array, factor: number, weights: Float32Array, from: number): void {
  for (let r = 0; r < sums.length; r++) sums[r] += factor * weights[from + r]
}
