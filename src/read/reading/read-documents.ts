import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Row, RowReading} from '../data/index.ts'
import {peek} from './bytes.ts'
import {type DocumentBlock, holdsDocuments, parseBlock} from './document-block.ts'
import {fileError} from './document-error.ts'
import {parseEncoding, utf8Bytes} from './encoding.ts'
import {
  type DocumentFormat,
  formatNamed,
  formatOfName,
  parseFormat,
  recogniseFormat,
  textIdOf,
  unknownFormat
} from './formats.ts'
import type {ReaderContext} from './reader-context.ts'
import {type SourceFile, sourceBytes} from './source-file.ts'

/** The fields to read and as what, and how to read the files; with `keepsRecords` all of their columns. */
export interface ReadOptions
  extends RowReading,
    Pick<ReaderContext, 'required' | 'onColumns' | 'onNote' | 'encoding' | 'worksheet'> {
  /** The format of all files; by default what the name or the content of each shows. */
  readonly format?: DocumentFormat | undefined
}

export interface ReadControl {
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes read so far, still compressed, and those of all files. */
  readonly onProgress?: ((bytes: number, of: number) => void) | undefined
}

/** A pass over the documents of files, in order, a batch at a time. */
export function readDocuments(
  files: readonly SourceFile[],
  options: ReadOptions,
  {signal, onProgress}: ReadControl = {}
): AsyncIterable<readonly Row[]> {
  if (files.length === 0) throw new AdfaError('bad-option', 'no documents are given; name at least one file')
  const {format, ...reading} = readingOf(options)
  const total = files.reduce((sum, {size}) => sum + size, 0)
  let bytes = 0
  const onRead = (count: number) => {
    bytes += count
    onProgress?.(bytes, total)
  }

  const contextOf = ({name}: SourceFile) => ({...reading, name, textId: textIdOf(name), signal, onRead})
  async function* batches(): AsyncGenerator<readonly Row[]> {
    for (const file of files)
      for await (const block of documentBlocks(file, format, contextOf(file))) {
        const rows = parseBlock(block)
        if (rows.length > 0) yield rows
      }
  }
  return batches()
}

/** The settings of readers in options, checked. A note is given once, although every pass finds the same. */
export function readingOf(options: ReadOptions): Omit<ReaderContext, 'name'> & Pick<ReadOptions, 'format'> {
  const {format, required, onColumns, onNote, encoding, worksheet, ...fields} = options
  if (encoding !== undefined) parseEncoding(encoding)
  if (format !== undefined) parseFormat(format)
  const given = new Set<string>()
  const noteOnce = (note: string) => {
    if (!given.has(note)) onNote?.(note)
    given.add(note)
  }
  return {format, fields, required, onColumns, encoding, worksheet, onNote: noteOnce}
}

/** So many bytes, or the first piece, show the format where the name does not. */
const GUESSED = 65_536

/** The documents of one file, which must hold one. `fallback` is the format of a file that shows none. */
export async function* documentBlocks(
  file: SourceFile,
  given: DocumentFormat | undefined,
  context: ReaderContext,
  fallback?: DocumentFormat
): AsyncGenerator<DocumentBlock> {
  let isEmpty = true
  for await (const block of fileBlocks(file, given, context, fallback)) {
    throwIfCancelled(context.signal)
    isEmpty &&= !holdsDocuments(block)
    yield block
  }
  if (isEmpty)
    throw fileError(
      context.name,
      'the file holds no documents; at least one is needed; check that it is the right file and was written to its end'
    )
}

/** What a file holds, perhaps nothing. */
export async function* fileBlocks(
  file: SourceFile,
  given: DocumentFormat | undefined,
  context: ReaderContext,
  fallback?: DocumentFormat
): AsyncGenerator<DocumentBlock> {
  const {name} = file
  const usual = given ?? formatOfName(name) ?? fallback
  let seen = 0
  const onRead = (count: number) => {
    seen += count
    context.onRead?.(count)
  }
  const content = sourceBytes(file, {...context, onRead})
  if (usual !== undefined && formatNamed(usual).isBinary)
    return yield* formatNamed(usual).read({file, content}, context)
  const {head, chunks} = await peek(content, 1024)
  try {
    const binary = given === undefined ? recogniseFormat(head, true) : undefined
    if (binary !== undefined) {
      // It may be read from its end: what was looked at is read again.
      await chunks.return(undefined)
      context.onRead?.(-seen)
      return yield* formatNamed(binary).read({file, content: sourceBytes(file, context)}, context)
    }
    const text = await peek(utf8Bytes(chunks, context), GUESSED)
    const start = text.head.subarray(0, GUESSED)
    const isKnown = given !== undefined || (usual !== undefined && usual !== 'txt' && usual !== fallback)
    const format = isKnown ? usual : guessed(usual, start, context)
    if (format === undefined) throw unknownFormat(name)
    yield* formatNamed(format).read({file, content: text.chunks, head: start}, context)
  } finally {
    await chunks.return(undefined)
  }
}

/** The format that the content shows, with a note where that may surprise. */
function guessed(
  usual: DocumentFormat | undefined,
  head: Uint8Array,
  {name, onNote}: ReaderContext
): DocumentFormat | undefined {
  const found = recogniseFormat(head, false, usual === 'txt') ?? usual
  if (found !== undefined && found !== usual) onNote?.(`${name}: read as ${found}, by its content`)
  return found
}
