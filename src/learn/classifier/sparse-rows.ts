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
