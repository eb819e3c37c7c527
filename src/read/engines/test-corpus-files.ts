import {parquetOf} from '../reading/test-parquet.ts'
import type {TestRow} from './test-corpora.ts'

/** Documents as JSON Lines. */
export function jsonLines(rows: readonly object[]): string {
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

/** Documents with ready-made words, or with text, as Parquet. */
export function parquetRows(rows: readonly TestRow[], isText = false): Buffer {
  const words = {features: {kind: 'list', data: rows.map(({features}) => features)}} as const
  const text = {
    title: {kind: 'text', data: rows.map(({title}) => title ?? null)},
    text: {kind: 'text', data: rows.map(({text}) => text ?? null)}
  } as const
  return parquetOf(
    {
      id: {kind: 'text', data: rows.map(({id}) => id ?? null)},
      ...(isText ? text : words),
      tags: {kind: 'list', data: rows.map(({tags}) => tags ?? null)}
    },
    {rowGroupSize: 100}
  )
}
