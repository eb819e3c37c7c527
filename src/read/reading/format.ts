import {AdfaError, badOption} from '../../base/checks/index.ts'
import type {Row, RowReading} from '../data/index.ts'
import type {ByteTools} from './bytes.ts'

/** Every format with the extensions that stand for it. */
export const documentFormats = {
  jsonl: ['.jsonl', '.ndjson', '.json'],
  csv: ['.csv'],
  tsv: ['.tsv'],
  svmlight: ['.svm', '.svmlight', '.libsvm'],
  parquet: ['.parquet', '.pq'],
  xlsx: ['.xlsx', '.xlsm'],
  txt: ['.txt']
} as const satisfies Readonly<Record<string, readonly string[]>>

export type DocumentFormat = keyof typeof documentFormats

/** The formats whose lines can be parsed one by one, so that any thread can parse some of them. */
export type LineFormat = 'jsonl' | 'svmlight'

/** Formats that are text, and those of them whose documents have more than one line, or need what came before. */
export type TextFormat = Exclude<DocumentFormat, 'parquet' | 'xlsx'>
export type StreamFormat = Exclude<TextFormat, LineFormat>

const formats = Object.entries(documentFormats) as [DocumentFormat, readonly string[]][]
const formatNames = formats.map(([name]) => name)

export function parseFormat(name: string): DocumentFormat {
  const format = formatNames.find(candidate => candidate === name)
  if (format !== undefined) return format
  throw badOption('documents', 'format', `one of ${formatNames.join(', ')}`, name)
}

/** The format that a file's name stands for, without `.gz` or `.zst`. `-`, standard input, is JSON Lines. */
export function formatOfPath(path: string): DocumentFormat {
  const format = path === '-' ? 'jsonl' : formatOfName(path)
  if (format === undefined) throw unknownFormat(path)
  return format
}

/** As {@link formatOfPath}; undefined where the name does not show the format. */
export function formatOfName(path: string): DocumentFormat | undefined {
  const name = path.toLowerCase().replace(/\.(gz|zst)$/, '')
  const found = formats.find(([, extensions]) => extensions.some(extension => name.endsWith(extension)))
  if (found !== undefined) return found[0]
  if (name.endsWith('.counts'))
    throw new AdfaError('bad-file', `${path}: a counts file, by its name; documents are needed here`)
  return undefined
}

export function unknownFormat(path: string): AdfaError {
  const named = formats.filter(([, extensions]) => extensions.length > 0)
  const known = named.map(([format, extensions]) => `${format} (${extensions.join(', ')})`).join('; ')
  const convertible = /\.(?:7z|arff|mtx|xml)$/i.test(path)
  return new AdfaError(
    'bad-file',
    `${path}: neither the name nor the content shows the format; known are ${known}; each may end in .gz or .zst; ` +
      (convertible
        ? 'programs that make JSON Lines of ARFF, Matrix Market and Stack Exchange dumps are in examples/convert of the repository'
        : 'rename the file or give `format`')
  )
}

/** What a reader needs to know besides the bytes. */
export interface ReaderContext {
  /** What errors call the file. */
  readonly name: string
  /** Where the file is, for files that stand beside it; undefined for standard input and pipes. */
  readonly path?: string | undefined
  /** The fields asked for. */
  readonly fields: RowReading
  /** Names among the fields that a table must have as columns. */
  readonly required?: readonly string[] | undefined
  /** Called with the columns of a table, under the names by which they are asked for. */
  readonly onColumns?: ((names: readonly string[]) => void) | undefined
  /** Called with what was recognised in a file and may surprise: an encoding, the separator of cells. */
  readonly onNote?: ((note: string) => void) | undefined
  /** The encoding of text; by default it is recognised. */
  readonly encoding?: string | undefined
  /** How bytes are searched and decoded; by default as it runs everywhere. */
  readonly tools?: ByteTools | undefined
  /** The sheet of a workbook; by default the first. */
  readonly worksheet?: string | undefined
}

/**
 * Turns the bytes of one file into documents, in batches of about one piece of bytes each: an async step for every
 * single document would cost more than parsing it.
 */
export type DocumentReader = (
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext
) => AsyncIterable<readonly Row[]>

/** How a format is read: by what its content shows, line by line, or from its decompressed bytes as they come. */
export type TextReader =
  | {readonly kind: 'guess'; readonly path: string}
  | {readonly kind: 'lines'; readonly format: LineFormat}
  | {readonly kind: 'stream'; readonly read: DocumentReader}

/** What a reader of whole files needs to know besides the file. */
export interface FileContext extends ReaderContext {
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes of the file that are done; the sum is its size. */
  readonly onRead: (byteCount: number) => void
}
