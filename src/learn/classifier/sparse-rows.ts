import {AdfaError, checkOptions, oneOf} from '../../base/checks/index.ts'
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

export interface CorpusRowOptions {
  /** 'used': the anchor of concept i is a feature too, column `lexicon.words.length + i`. */
  readonly anchors: 'used' | 'hidden'
}

export const corpusRowDefaults: CorpusRowOptions = {anchors: 'used'}

/**
 * The documents of a corpus as rows: word j is column j, the anchor of concept i is column `lexicon.words.length + i`.
 * One set of rows serves every concept: a classifier of concept i leaves its own anchor out by `without`.
 */
export function corpusRows({lexicon, documents}: Corpus, options?: Partial<CorpusRowOptions>): SparseRows {
  const {anchors} = checkOptions('corpusRows', corpusRowDefaults, {anchors: oneOf('used', 'hidden')}, options)
  const n = lexicon.words.length
  return anchors === 'hidden'
    ? packRows(
        n,
        documents.map(({words}) => [words])
      )
    : packRows(
        n + lexicon.anchors.length,
        documents.map(({words, anchors}) => [words, anchors.map(i => n + i)])
      )
}

/** Rows from the columns that are 1 in each, given in any order. */
export function sparseRows(columnCount: number, rows: readonly (readonly number[])[]): SparseRows {
  rows.forEach((row, d) => {
    const odd = row.find(
      (column, at) => !(Number.isInteger(column) && column >= 0 && column < columnCount) || row.indexOf(column) !== at
    )
    if (odd !== undefined)
      throw new AdfaError(
        'mismatch',
        `row ${d} of sparse rows must list each column once, as a whole number below ${columnCount}; got ${odd} among ${row.length}`
      )
  })
  return packRows(
    columnCount,
    rows.map(row => [row])
  )
}

function packRows(columnCount: number, rows: readonly (readonly (readonly number[])[])[]): SparseRows {
  const starts = new Uint32Array(rows.length + 1)
  rows.forEach((parts, d) => {
    starts[d + 1] = starts[d] + parts.reduce((sum, part) => sum + part.length, 0)
  })
  const indices = new Uint32Array(starts[rows.length])
  let at = 0
  for (const parts of rows) for (const part of parts) for (const column of part) indices[at++] = column
  return {rowCount: rows.length, columnCount, starts, indices}
}

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

  /** `out[v][d]` = the sum of `weights[v]` over the columns of row d, times the scale of the row. */
  sumRows(weights: readonly Float64Array[], out: readonly Float64Array[]): void {
    const {starts, indices, rowCount, columnCount, scale} = this.#rows
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
      const factor = scale === undefined ? 1 : scale[d]
      this.#byRow[to] = factor * a
      this.#byRow[to + 1] = factor * b
      this.#byRow[to + 2] = factor * c
      this.#byRow[to + 3] = factor * e
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

/** The first `length` numbers of each vector; the places of missing vectors keep their values. */
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
