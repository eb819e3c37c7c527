import {AdfaError} from '../../base/checks/index.ts'
import {parseRow, type Row} from '../data/index.ts'
import type {ReaderContext} from './document-reader.ts'
import {htmlText} from './html-text.ts'
import {plainLayout, readTable, type TableLayout} from './read-table.ts'

const comma = ','.charCodeAt(0)
const trainingColumns = 'Id,Title,Body,Tags'
const testColumns = 'Id,Title,Body'

/**
 * The table of Kaggle's keyword extraction contest: `Id,Title,Body,Tags`, tags separated by blanks, the body in HTML; its test
 * table has no tags. A document has `id`, `title`, `text` (the body without markup and code) and, if given, `tags`.
 */
export function readKaggle(chunks: AsyncIterable<Uint8Array>, context: ReaderContext): AsyncGenerator<readonly Row[]> {
  return readTable(chunks, comma, context, (columns, where) => {
    if (isKaggle(columns)) return kaggleLayout(columns, context)
    throw new AdfaError(
      'bad-document',
      `${where}: the columns are ${columns.join(', ')}; the keyword extraction table of Kaggle has ${trainingColumns}, or ${testColumns}; ` +
        'if it is an ordinary table, give --format csv'
    )
  })
}

/** An ordinary table, or that of Kaggle, told by the names of its columns. */
export function readCsvOrKaggle(
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  return readTable(chunks, comma, context, columns =>
    isKaggle(columns) ? kaggleLayout(columns, context) : plainLayout(columns, context)
  )
}

function isKaggle(columns: readonly string[]): boolean {
  const names = columns.join(',')
  return names === trainingColumns || names === testColumns
}

function kaggleLayout(columns: readonly string[], {fields}: ReaderContext): TableLayout {
  const hasTags = columns.length === 4
  return ([id, title, body, tags], where) => {
    const list = hasTags ? tags.split(/\s+/).filter(tag => tag !== '') : undefined
    return parseRow({id: id === '' ? undefined : id, title, text: htmlText(body), tags: list}, fields, where)
  }
}
