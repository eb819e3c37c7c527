import {dot} from '../../base/numeric/index.ts'
import {addMultiple, type SparseRows} from '../classifier/index.ts'

/** Vectors per pass: independent additions take a third of the time. */
export const TOGETHER = 4

/**
 * Passes over sparse rows for up to four vectors at once, interleaved as `4 j + v`, so that the four numbers of a feature
 * lie side by side.
 */
export class RowPasses {
  readonly #rows: SparseRows
  readonly #byColumn: Float64Array
  readonly #byRow: Float64Array

  constructor(rows: SparseRows) {
    this.#rows = rows
    this.#byColumn = new Float64Array(TOGETHER * rows.columnCount)
    this.#byRow = new Float64Array(TOGETHER * rows.rowCount)
  }

  /** `out[v][d]` = the sum of `weights[v]` over the columns of row d. */
  sumRows(weights: readonly Float64Array[], out: readonly Float64Array[]): void {
    const {starts, indices, rowCount, columnCount} = this.#rows
    const w = this.#byColumn
    interleave(weights, columnCount, w)
    for (let d = 0; d < rowCount; d++) {
      let a = 0
      let b = 0
      let c = 0
      let e = 0
      for (let at = starts[d]; at < starts[d + 1]; at++) {
        const j = TOGETHER * indices[at]
        a += w[j]
        b += w[j + 1]
        c += w[j + 2]
        e += w[j + 3]
      }
      const to = TOGETHER * d
      this.#byRow[to] = a
      this.#byRow[to + 1] = b
      this.#byRow[to + 2] = c
      this.#byRow[to + 3] = e
    }
    separate(this.#byRow, rowCount, out)
  }

  /** `out[v][j]` = the sum of `weights[v]` over the rows that have column j. */
  sumColumns(weights: readonly Float64Array[], out: readonly Float64Array[]): void {
    const {starts, indices, rowCount, columnCount} = this.#rows
    const sums = this.#byColumn.fill(0)
    interleave(weights, rowCount, this.#byRow)
    for (let d = 0; d < rowCount; d++) {
      const from = TOGETHER * d
      const a = this.#byRow[from]
      const b = this.#byRow[from + 1]
      const c = this.#byRow[from + 2]
      const e = this.#byRow[from + 3]
      for (let at = starts[d]; at < starts[d + 1]; at++) {
        const j = TOGETHER * indices[at]
        sums[j] += a
        sums[j + 1] += b
        sums[j + 2] += c
        sums[j + 3] += e
      }
    }
    separate(sums, columnCount, out)
  }
}

/**
 * Passes over sparse rows with one more column per direction of {@link wordDirections}, holding the sum of the direction
 * over the row. These columns are never stored: their weights are spread over the words before a pass and gathered from
 * the words after one.
 */
export class DirectionPasses {
  readonly #passes: RowPasses
  readonly #n: number
  readonly #directions: readonly Float64Array[]

  constructor(rows: SparseRows, directions: readonly Float64Array[]) {
    this.#passes = new RowPasses(rows)
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

  /** `out[v][j]` = the sum over the rows of `weights[v]` times column j. */
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

/** The share of rows that have each column. */
export function columnShares({rowCount, columnCount, indices}: SparseRows): Float64Array {
  const shares = new Float64Array(columnCount)
  for (const j of indices) shares[j] += 1 / rowCount
  return shares
}

/** The first `length` numbers of each vector; the places of missing vectors are left as they are. */
function interleave(vectors: readonly Float64Array[], length: number, out: Float64Array): void {
  vectors.forEach((vector, v) => {
    for (let at = 0; at < length; at++) out[TOGETHER * at + v] = vector[at]
  })
}

function separate(interleaved: Float64Array, length: number, out: readonly Float64Array[]): void {
  out.forEach((vector, v) => {
    for (let at = 0; at < length; at++) vector[at] = interleaved[TOGETHER * at + v]
  })
}
