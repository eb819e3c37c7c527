import {dot} from '../../base/numeric/index.ts'
import {addMultiple, type SparseRows} from '../classifier/index.ts'
import {FourPasses} from './four-passes.ts'

/**
 * Passes over sparse rows whose columns are followed by one column a direction of {@link wordKin}, the sum of the direction
 * over the columns of the row. These are never written out: their weights are spread over the words before a pass, and
 * gathered from the words after one.
 */
export class KinPasses {
  readonly #passes: FourPasses
  readonly #n: number
  readonly #directions: readonly Float64Array[]

  constructor(rows: SparseRows, directions: readonly Float64Array[]) {
    this.#passes = new FourPasses(rows)
    this.#n = rows.columnCount
    this.#directions = directions
  }

  /** The weights of the words with those of the directions spread over them. */
  spread(weights: Float64Array): Float64Array {
    const out = weights.slice(0, this.#n)
    this.#directions.forEach((direction, k) => {
      addMultiple(out, direction, weights[this.#n + k])
    })
    return out
  }

  /** `out[v][d]` = the sum of `weights[v]` over the columns of row d. */
  sumRows(weights: readonly Float64Array[], out: readonly Float64Array[]): void {
    this.#passes.sumRows(
      weights.map(own => this.spread(own)),
      out
    )
  }

  /** `out[v][j]` = the sum of `weights[v]` over the rows, times what they have of column j. */
  sumColumns(weights: readonly Float64Array[], out: readonly Float64Array[]): void {
    this.#passes.sumColumns(weights, out)
    for (const sums of out) {
      const words = sums.subarray(0, this.#n)
      this.#directions.forEach((direction, k) => {
        sums[this.#n + k] = dot(direction, words)
      })
    }
  }
}
