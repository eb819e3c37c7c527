import type {Corpus} from '../../read/data/index.ts'

/** Lists of numbers in one array: list d is `indices[starts[d]]` to `indices[starts[d + 1] - 1]`. */
interface PackedLists {
  readonly starts: Uint32Array
  readonly indices: Uint32Array
}

/** Binary features of many rows. */
export interface SparseRows {
  readonly rowCount: number
  readonly columnCount: number
  /** The columns that are 1 in each row, each at most once. */
  readonly rows: PackedLists
  /** The rows in which each column is 1: with these lists, a sum over the rows of every column takes a third of the time. */
  readonly columns: PackedLists
  /** The factor that multiplies the entries of each row, for example to give all rows the same length; 1 by default. */
  readonly scale?: Float64Array
}

/**
 * Returns the documents of a corpus as rows. Word j is column j. The anchor of concept i is column `lexicon.words.length + i`;
 * with 'hidden', anchors have no columns. One set of rows serves every concept: the option `without` of `fitLogistic` leaves
 * the concept's own anchor out.
 */
export function corpusRows({lexicon, documents}: Corpus, anchors: 'used' | 'hidden' = 'used'): SparseRows {
  const n = lexicon.words.length
  const isHidden = anchors === 'hidden'
  const lists = documents.map(({words, anchors: fired}) => (isHidden ? words : [...words, ...fired.map(i => n + i)]))
  return sparseRows(isHidden ? n : n + lexicon.anchors.length, lists)
}

/** Packs rows given as the columns that are 1 in each, in any order. */
export function sparseRows(columnCount: number, lists: readonly (readonly number[])[]): SparseRows {
  const starts = new Uint32Array(lists.length + 1)
  for (const [d, list] of lists.entries()) starts[d + 1] = starts[d] + list.length
  const indices = new Uint32Array(starts[lists.length])
  for (const [d, list] of lists.entries()) indices.set(list, starts[d])
  const rows = {starts, indices}
  return {rowCount: lists.length, columnCount, rows, columns: transposed(rows, columnCount)}
}

function transposed({starts, indices}: PackedLists, columnCount: number): PackedLists {
  const columnStarts = new Uint32Array(columnCount + 1)
  for (const j of indices) columnStarts[j + 1]++
  for (let j = 0; j < columnCount; j++) columnStarts[j + 1] += columnStarts[j]
  const next = columnStarts.slice()
  const rows = new Uint32Array(indices.length)
  for (let d = 0; d + 1 < starts.length; d++)
    for (let at = starts[d]; at < starts[d + 1]; at++) rows[next[indices[at]]++] = d
  return {starts: columnStarts, indices: rows}
}

/** Returns for each row the sum of `weights` over its columns that are 1, times its scale. */
export function sumRows({rows, scale}: SparseRows, weights: Float64Array): Float64Array {
  const sums = sumLists(rows, weights)
  return scale === undefined ? sums : sums.map((sum, d) => sum * scale[d])
}

/** Returns the sum of `values` over each list. Adding to two sums in turn halves the time: neither addition waits for the other. */
export function sumLists({starts, indices}: PackedLists, values: Float64Array): Float64Array {
  const out = new Float64Array(starts.length - 1)
  for (let d = 0; d < out.length; d++) {
    const end = starts[d + 1]
    let at = starts[d]
    let even = (end - at) % 2 === 1 ? values[indices[at++]] : 0
    let odd = 0
    for (; at < end; at += 2) {
      even += values[indices[at]]
      odd += values[indices[at + 1]]
    }
    out[d] = even + odd
  }
  return out
}
