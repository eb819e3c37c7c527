import {latin1, textOf} from './bytes.ts'
import {headerEnd, tableForm} from './csv-records.ts'
import type {DocumentFormat, TextFormat} from './format.ts'
import {byteOrderMarkLength} from './utf8.ts'

/** Formats that are not text, by their first bytes. */
export function recogniseBinary(head: Uint8Array): Exclude<DocumentFormat, TextFormat> | undefined {
  const start = latin1(head.subarray(0, 4))
  if (start === 'PAR1') return 'parquet'
  return start === 'PK\x03\x04' ? 'xlsx' : undefined
}

/**
 * The format of text that begins so, undefined if nothing shows it. `isText` when the name says text, which may have commas in
 * its lines: then only tabs make it a table.
 */
export function recogniseText(head: Uint8Array, isText: boolean): TextFormat | undefined {
  const text = textOf(head.subarray(byteOrderMarkLength(head))).trimStart()
  if (/^(?:\{\s*["}]|\[\s*[{\]])/.test(text)) return 'jsonl'
  if (!isText && /^(?:[^\s:]+ )?\d+:[\d.]+(?:\s|$)/.test(text)) return 'svmlight'
  return isTable(head, isText) ? 'csv' : undefined
}

/** Whether the first two records have the same number of cells, two or more. */
function isTable(head: Uint8Array, isText: boolean): boolean {
  const {separator, skipped} = tableForm(head)
  if (isText && separator !== 9) return false
  const first = headerEnd(head.subarray(skipped))
  const second = head.subarray(skipped + first + 1)
  const cells = cellCount(head.subarray(skipped, skipped + first), separator)
  return cells > 1 && cells === cellCount(second.subarray(0, headerEnd(second)), separator)
}

function cellCount(record: Uint8Array, separator: number): number {
  let count = 1
  let isQuoted = false
  for (const byte of record) {
    if (byte === 0x22) isQuoted = !isQuoted
    else if (byte === separator && !isQuoted) count++
  }
  return count
}
