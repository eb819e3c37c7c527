import {parquetOf} from '../reading/test-parquet.ts'
import type {TestRow} from './test-corpora.ts'

/** Documents as JSON Lines. */
export function jsonLines(rows: readonly object[]): string {
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

/** Documents with ready-made words as Parquet. */
export function parquetRows(rows: readonly TestRow[]): Buffer {
  return parquetOf(
    {
      id: {kind: 'text', data: rows.map(({id}) => id ?? null)},
      features: {kind: 'list', data: rows.map(({features}) => features)},
      tags: {kind: 'list', data: rows.map(({tags}) => tags ?? null)}
    },
    {rowGroupSize: 100}
  )
}
