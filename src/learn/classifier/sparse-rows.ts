import type {Corpus} from '../../read/data/index.ts'

/** Binary features of many rows, compressed by row: those of row d are `indices[starts[d]]` up to `indices[starts[d + 1]]`. */
export interface SparseRows {
  readonly rowCount: number
  readonly columnCount: number
  /** `rowCount + 1` entries, from 0 to the number of features that are 1. */
  readonly starts: Uint32Array
  /** Columns that are 1, each at most once per row. */
  readonly indices: Uint32Array
  /** A factor of each row, for rows of a common length; 1 by default. */
  readonly scale?: Float64Array
}

/**
 * The documents of a corpus as rows: word j is column j, the anchor of concept i is column `lexicon.words.length + i`,
 * unless `anchors` are hidden. One set of rows serves every concept: a classifier of concept i leaves its own anchor out
 * by `without`.
 */
export function corpusRows({lexicon, documents}: Corpus, anchors: 'used' | 'hidden' = 'used'): SparseRows {
  const n = lexicon.words.length
  return anchors === 'hidden'
    ? sparseRows(
        n,
        documents.map(({words}) => words)
      )
    : sparseRows(
        n + lexicon.anchors.length,
        documents.map(({words, anchors}) => [...words, ...anchors.map(i => n + i)])
      )
}

/** Rows from the columns that are 1 in each, given in any order. */
export function sparseRows(columnCount: number, rows: readonly (readonly number[])[]): SparseRows {
  const starts = new Uint32Array(rows.length + 1)
  rows.forEach((row, d) => {
    starts[d + 1] = starts[d] + row.length
  })
  const indices = new Uint32Array(starts[rows.length])
  rows.forEach((row, d) => {
    indices.set(row, starts[d])
  })
  return {rowCount: rows.length, columnCount, starts, indices}
}

/** Fills `out[d]` with the sum of `weights` over the columns of row d, times the scale of the row. */
export function sumRows(
  {starts, indices, rowCount, scale}: SparseRows,
  weights: Float64Array,
  out: Float64Array
): Float64Array {
  for (let d = 0; d < rowCount; d++) {
    let sum = 0
    for (let at = starts[d]; at < starts[d + 1]; at++) sum += weights[indices[at]]
    out[d] = scale === undefined ? sum : scale[d] * sum
  }
  return out
}

/** The sum of `weights` over the rows that have each column. */
export function sumColumns({starts, indices, rowCount, columnCount}: SparseRows, weights: Float64Array): Float64Array {
  const sums = new Float64Array(columnCount)
  for (let d = 0; d < rowCount; d++) {
    const weight = weights[d]
    for (let at = starts[d]; at < starts[d + 1]; at++) sums[indices[at]] += weight
  }
  return sums
}
