import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Row, RowReading} from '../data/index.ts'
import {type DocumentBlock, holdsDocuments, parseBlock} from './document-block.ts'
import {fileError} from './document-error.ts'
import {parseEncoding} from './encoding.ts'
import {type DocumentFormat, fileBlocks, parseFormat, textIdOf} from './formats.ts'
import type {ReaderContext, SourceFile} from './source-file.ts'

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
