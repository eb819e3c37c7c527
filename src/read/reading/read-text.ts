import {parseRow, type Row} from '../data/index.ts'
import {joined, portableTools} from './bytes.ts'
import type {ReaderContext} from './reader-context.ts'
import {byteOrderMarkLength, checkUtf8, recordLimit, tooLong} from './utf8.ts'

/** How the name of a text file ends. */
export const textEnding = /\.txt(\.gz|\.zst)?$/i

/** The id of the document that a text file is: the name of the file without its folder and its ending. */
export function textIdOf(path: string): string {
  return path.replace(/^.*[\\/]/s, '').replace(textEnding, '')
}

/** A text file is one document: its content is the only text field asked for, or else `text`. */
export async function* readTextDocument(
  chunks: AsyncIterable<Uint8Array>,
  {name, fields, textId: id, tools = portableTools}: ReaderContext
): AsyncGenerator<readonly Row[]> {
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
  yield [parseRow({id, [field]: content}, {...fields, idField: 'id', tagsField: 'tags'}, name)]
}
