import type {Row, RowReading} from '../data/index.ts'
import type {DocumentBlock} from './document-block.ts'
import {utf8Bytes} from './encoding.ts'
import {
  type DocumentReader,
  formatOfName,
  type LineFormat,
  type ReaderContext,
  type StreamFormat,
  type TextFormat,
  type TextReader,
  unknownFormat
} from './format.ts'
import {lineBlocks} from './line-blocks.ts'
import {peek} from './peek.ts'
import {readJsonArray, startsArray} from './read-json-array.ts'
import {recogniseText} from './recognise.ts'

/** So many bytes, or the first piece, show the format where the name does not. */
export const GUESSED = 65_536

/** The documents of a file from its bytes, decompressed, in any encoding; `readers` are those of formats without lines. */
export async function* textBlocks(
  bytes: AsyncIterable<Uint8Array>,
  reader: TextReader,
  context: ReaderContext,
  readers: Readonly<Record<StreamFormat, DocumentReader>>
): AsyncGenerator<DocumentBlock> {
  const {name, fields, tools} = context
  const {head, chunks} = await peek(utf8Bytes(bytes, context), GUESSED)
  const known =
    reader.kind === 'guess' ? textReader(guessed(reader.path, head.subarray(0, GUESSED), context), readers) : reader
  if (known.kind === 'stream') return yield* rowBlocks(known.read(chunks, context), fields)
  const {format} = known
  // JSON that is not one object per line, whatever the name says: it begins otherwise.
  if (format === 'jsonl' && startsArray(head)) return yield* rowBlocks(readJsonArray(chunks, context), fields)
  yield* lineBlocks(chunks, {kind: 'lines' as const, format, name, fields}, true, tools)
}

/** How a format is read that is text. */
export function textReader(
  format: TextFormat,
  readers: Readonly<Record<StreamFormat, DocumentReader>>
): Exclude<TextReader, {kind: 'guess'}> {
  return isLineFormat(format) ? {kind: 'lines', format} : {kind: 'stream', read: readers[format]}
}

function isLineFormat(format: TextFormat): format is LineFormat {
  return format === 'jsonl' || format === 'svmlight'
}

function guessed(path: string, head: Uint8Array, {name, onNote}: ReaderContext): TextFormat {
  const isText = path !== '-' && formatOfName(path) === 'txt'
  const format = recogniseText(head, isText) ?? (isText ? 'txt' : undefined)
  // Standard input is JSON Lines, unless it shows something else.
  if (format === undefined && path !== '-') throw unknownFormat(path)
  if (format !== undefined && format !== (isText ? 'txt' : 'jsonl'))
    onNote?.(`${name}: read as ${format}, by its content`)
  return format ?? 'jsonl'
}

export async function* rowBlocks(
  batches: AsyncIterable<readonly Row[]>,
  {part}: RowReading
): AsyncGenerator<DocumentBlock> {
  for await (const rows of batches) if (rows.length > 0) yield {kind: 'rows', rows, part}
}

/** Every pass finds the same, so that a note is given once. */
export function once(onNote: ((note: string) => void) | undefined): (note: string) => void {
  const given = new Set<string>()
  return note => {
    if (!given.has(note)) onNote?.(note)
    given.add(note)
  }
}
