import {parseRow, type Row} from '../data/index.ts'
import {joined, portableTools} from './bytes.ts'
import type {ReaderContext} from './format.ts'
import {withFixedKeys} from './table-columns.ts'
import {byteOrderMarkLength, checkUtf8, recordLimit, tooLong} from './utf8.ts'

/** How the name of a text file ends. */
export const textEnding = /\.txt(\.gz|\.zst)?$/i

/** A text file is one document: its content is the only text field asked for, or else `text`. */
export async function textDocument(
  chunks: AsyncIterable<Uint8Array>,
  id: string | undefined,
  {name, fields, tools = portableTools}: ReaderContext
): Promise<Row> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > recordLimit)
      throw tooLong(name, 1, 'document', 'a text file is one document; split it, or make a table')
    parts.push(chunk)
  }
  const bytes = joined(parts)
  checkUtf8(bytes, name, 1, tools)
  // A model of notes calls its only text `note`.
  const field = fields.fields.length === 1 ? fields.fields[0] : 'text'
  const content = tools.view(bytes).text(byteOrderMarkLength(bytes), bytes.length)
  return parseRow({id, [field]: content}, withFixedKeys(fields), name)
}
