import {AdfaError} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import type {ReaderContext} from './document-reader.ts'
import {readMatrix} from './matrix-entries.ts'

const batchSize = 4096

/**
 * Matrix Market, `matrix coordinate pattern|integer|real general`: rows are documents, columns features named by their
 * number from 1; values are 0 or 1. A row without entries is a document without features; its number is its id.
 *
 * Entries may come in any order, so all of them are held while they are sorted by row: 12 bytes an entry and 4 bytes a
 * row. This is the one format whose memory grows with the file.
 */
export async function* readMatrixMarket(
  chunks: AsyncIterable<Uint8Array>,
  {name}: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const matrix = await readMatrix(chunks, name)
  if (matrix === undefined) return
  const columnsOf = matrix.entries.sortByRow(matrix.rowCount)
  for (let from = 1; from <= matrix.rowCount; from += batchSize) {
    const rows: Row[] = []
    for (let row = from; row < Math.min(from + batchSize, matrix.rowCount + 1); row++)
      rows.push(toRow(row, columnsOf(row), name))
    yield rows
  }
}

function toRow(row: number, columns: Uint32Array, name: string): Row {
  const features: string[] = []
  // Sorted, so that an entry given twice is found, and documents do not depend on the order of the file.
  const sorted = columns.toSorted()
  for (let at = 0; at < sorted.length; at++) {
    if (at > 0 && sorted[at] === sorted[at - 1])
      throw new AdfaError(
        'bad-document',
        `${name}: the entry in row ${row}, column ${sorted[at]} is there twice; every entry may stand once; remove one`
      )
    features.push(String(sorted[at]))
  }
  return {id: row, text: new Map(), features, tags: undefined, labels: undefined}
}
