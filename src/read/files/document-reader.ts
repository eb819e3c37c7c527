import type {Row, RowFields} from '../data/index.ts'
import type {LineFormat} from './document-block.ts'

/** What a reader needs to know beside the bytes. */
export interface ReaderContext {
  /** What errors call the file. */
  readonly name: string
  /** Where the file lies, for files that stand beside it; undefined when it is standard input or a pipe. */
  readonly path?: string | undefined
  /** The fields asked for. */
  readonly fields: RowFields
  /** What separates the items of a list in one cell of a table. */
  readonly separator: string
}

/**
 * Turns the bytes of one file into documents, in batches of about one piece of bytes each: an async step for every
 * single document would cost more than parsing it.
 */
export type DocumentReader = (
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext
) => AsyncIterable<readonly Row[]>

/** What a reader of whole files needs to know beside the path. */
export interface FileContext extends ReaderContext {
  readonly signal?: AbortSignal | undefined
  /** Told how many bytes of the file are done with; the sum is its size. */
  readonly onRead: (byteCount: number) => void
}

/** Turns a file, read here and there, into documents, in batches of some thousand. */
export type FileReader = (path: string, context: FileContext) => AsyncIterable<readonly Row[]>

/** How a format is read: line by line, from its bytes as they come, decompressed, or from the file itself. */
export type FormatReader =
  | {readonly kind: 'lines'; readonly format: LineFormat}
  | {readonly kind: 'stream'; readonly read: DocumentReader}
  | {readonly kind: 'file'; readonly read: FileReader}
