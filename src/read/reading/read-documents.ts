import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Row, RowReading} from '../data/index.ts'
import {type DocumentBlock, holdsDocuments, parseBlock} from './document-block.ts'
import {noDocuments} from './document-error.ts'
import {parseEncoding} from './encoding.ts'
import {
  type DocumentFormat,
  type DocumentReader,
  formatOfName,
  parseFormat,
  type ReaderContext,
  type StreamFormat,
  type TextReader
} from './format.ts'
import {peek} from './peek.ts'
import {readCsv, readTsv} from './read-table.ts'
import {textDocument, textEnding} from './read-text.ts'
import {recogniseBinary} from './recognise.ts'
import {type RefusedFormat, refusedFormat} from './refused.ts'
import {type SourceFile, sourceBytes} from './source-bytes.ts'
import {type LibraryFormat, type TablesApi, tableRows} from './table-files.ts'
import {once, textBlocks, textReader} from './text-blocks.ts'

/** The fields to read and as what, and how to read the files; with `keepsRecords` all of their columns. */
export interface ReadOptions extends RowReading, Pick<ReaderContext, 'required' | 'onColumns' | 'onNote' | 'encoding'> {
  /** The format of all files; by default what the name or the content of each shows. */
  readonly format?: DocumentFormat | undefined
}

export interface ReadControl {
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes read so far, still compressed, and those of all files. */
  readonly onProgress?: ((bytes: number, of: number) => void) | undefined
  /** Reads workbooks and Parquet; without it they are refused. */
  readonly tables?: (() => Promise<TablesApi>) | undefined
}

/** A pass over the documents of files, in order, a batch at a time: what `openDocuments` gives for the same files, without Node. */
export function readDocuments(
  files: readonly SourceFile[],
  options: ReadOptions,
  {signal, onProgress, tables}: ReadControl = {}
): AsyncIterable<readonly Row[]> {
  const {format, required, onColumns, encoding, onNote, ...fields} = options
  if (files.length === 0) throw new AdfaError('bad-option', 'no documents are given; name at least one file')
  if (encoding !== undefined) parseEncoding(encoding)
  const readers = files.map(({name}) => readerOf(name, format === undefined ? undefined : parseFormat(format)))
  const reading = {fields, required, onColumns, encoding, onNote: once(onNote)}
  const total = files.reduce((sum, {size}) => sum + size, 0)
  let bytes = 0
  const onRead = (count: number) => {
    bytes += count
    onProgress?.(bytes, total)
  }

  async function* batches(): AsyncGenerator<readonly Row[]> {
    for (const [at, file] of files.entries()) {
      const {name} = file
      let isEmpty = true
      const context = {...reading, name, path: name, signal, onRead}
      const table = tables && (await libraryFormat(file, format))
      if (tables !== undefined && table !== undefined) {
        for await (const rows of tableRows(file, table, await loaded(tables, name, table), context)) {
          isEmpty &&= rows.length === 0
          if (rows.length > 0) yield rows
        }
        if (isEmpty) throw noDocuments(name)
        continue
      }
      const content = sourceBytes(file, {signal, onRead})
      for await (const block of fileBlocks(content, readers[at], context)) {
        throwIfCancelled(signal)
        isEmpty &&= !holdsDocuments(block)
        const rows = parseBlock(block)
        if (rows.length > 0) yield rows
      }
      if (isEmpty) throw noDocuments(name)
    }
  }
  return batches()
}

/** Whether a file needs a library, by what is said of it, its content, or its name. */
async function libraryFormat(file: SourceFile, given: DocumentFormat | undefined): Promise<LibraryFormat | undefined> {
  const isLibrary = (format: DocumentFormat | undefined) => format === 'parquet' || format === 'xlsx'
  if (given !== undefined) return isLibrary(given) ? given : undefined
  const {head, chunks} = await peek(sourceBytes(file), 1024)
  await chunks.return(undefined)
  const binary = recogniseBinary(head)
  if (binary !== undefined && head.includes(0)) return binary
  const named = formatOfName(file.name)
  return isLibrary(named) ? named : undefined
}

/** The libraries, or the way out where they cannot be loaded. */
function loaded(tables: () => Promise<TablesApi>, name: string, format: LibraryFormat): Promise<TablesApi> {
  return tables().catch(() => {
    throw refusedFormat(name, format)
  })
}

async function* fileBlocks(
  content: AsyncIterable<Uint8Array>,
  reader: TextReader,
  context: ReaderContext
): AsyncGenerator<DocumentBlock> {
  const {head, chunks} = await peek(content, 4)
  const binary = recogniseBinary(head)
  // Text may begin with the same letters, and has no zeros.
  if (binary !== undefined && head.includes(0)) throw refusedFormat(context.name, binary)
  yield* textBlocks(chunks, reader, context, streamReaders)
}

function readerOf(name: string, given: DocumentFormat | undefined): TextReader {
  const format = given ?? formatOfName(name)
  if (format === undefined || (format === 'txt' && given === undefined)) return {kind: 'guess', path: name}
  if (format === 'parquet' || format === 'xlsx') return {kind: 'stream', read: refusing(format)}
  return textReader(format, streamReaders)
}

const streamReaders: Readonly<Record<StreamFormat, DocumentReader>> = {
  csv: readCsv,
  tsv: readTsv,
  txt: async function* (chunks, context) {
    const id = context.path?.replace(/^.*\//s, '').replace(textEnding, '')
    yield [await textDocument(chunks, id, context)]
  }
}

function refusing(format: RefusedFormat): DocumentReader {
  return (_, {name}) => {
    throw refusedFormat(name, format)
  }
}
