import {AdfaError, badOption, throwIfCancelled} from '../../base/checks/index.ts'
import {parseRow, type Row} from '../data/index.ts'
import {byteOrderMarkLength, documentText, fileError, latin1, peek, recordLimit, textOf} from './bytes.ts'
import {
  type DocumentBlock,
  holdsDocuments,
  isRead,
  lineBlocks,
  parseBlock,
  readJsonArray,
  readSvmlight,
  startsArray
} from './document-block.ts'
import {isText16, parseEncoding, utf8Bytes, withLineFeeds} from './encoding.ts'
import {isTable, readCsv} from './read-csv.ts'
import {readParquet} from './read-parquet.ts'
import {readXlsx} from './read-xlsx.ts'
import {
  type DocumentFormat,
  packingOf,
  type ReaderContext,
  type Reading,
  type ReadOptions,
  type SourceFile,
  sourceBytes,
  wholeBytes
} from './source-file.ts'

/** A format of documents. To add one, add a row to `formats`. */
interface Format {
  readonly endings: readonly string[]
  /** Whether it is read from its bytes as they are; all others are text. */
  readonly isBinary?: boolean
  /** Whether content that begins so is in this format, where the name does not tell; `isText` where the name says text. */
  recognise?(head: Uint8Array, isText: boolean): boolean
  /** `content` is decompressed and, of text, in UTF-8, whatever its encoding was. */
  read(content: AsyncGenerator<Uint8Array>, context: ReaderContext, file: SourceFile): AsyncIterable<DocumentBlock>
}

/** Every format, in the order in which they are recognised. */
const formats: Readonly<Record<DocumentFormat, Format>> = {
  jsonl: {
    endings: ['.jsonl', '.ndjson', '.json'],
    recognise: head => /^(?:\{\s*["}]|\[\s*[{\]])/.test(startOf(head)),
    async *read(content, context): AsyncGenerator<DocumentBlock> {
      const {head, chunks} = await peek(content, 1024)
      yield* startsArray(head) ? readJsonArray(chunks, context) : lineBlocks(chunks, context)
    }
  },
  svmlight: {
    endings: ['.svm', '.svmlight', '.libsvm'],
    recognise: (head, isText) => !isText && /^(?:[^\s:]+ )?\d+:[\d.]+(?:\s|$)/.test(startOf(head)),
    read: readSvmlight
  },
  csv: {endings: ['.csv'], recognise: isTable, read: (content, context) => readCsv(content, context)},
  tsv: {endings: ['.tsv'], read: (content, context) => readCsv(content, context, '\t')},
  parquet: {
    endings: ['.parquet', '.pq'],
    isBinary: true,
    recognise: head => latin1(head.subarray(0, 4)) === 'PAR1' && head.includes(0),
    read: (_, context, file) => readParquet(file, context)
  },
  xlsx: {
    endings: ['.xlsx', '.xlsm'],
    isBinary: true,
    recognise: head => latin1(head.subarray(0, 4)) === 'PK\x03\x04' && head.includes(0),
    read: readXlsx
  },
  txt: {endings: ['.txt'], read: readText}
}

const entries = Object.entries(formats) as [DocumentFormat, Format][]

export const documentFormats = entries.map(([name]) => name)

export function parseFormat(name: string): DocumentFormat {
  const found = entries.find(([candidate]) => candidate === name)
  if (found !== undefined) return found[0]
  throw badOption('documents', 'format', `one of ${Object.keys(formats).join(', ')}`, name)
}

/** The format that a file's name stands for, without `.gz` or `.zst`; undefined where it does not show one. */
export function formatOfName(path: string): DocumentFormat | undefined {
  const name = path.toLowerCase().replace(/\.(gz|zst)$/, '')
  const found = entries.find(([, {endings}]) => endings.some(ending => name.endsWith(ending)))
  if (found === undefined && name.endsWith('.counts'))
    throw new AdfaError('bad-file', `${path}: a counts file, by its name; documents are needed here`)
  return found?.[0]
}

const LOOKED_AT = 1024 * 1024

/** How a file begins: its bytes, decompressed, and those as text in UTF-8. `format` is what documents that begin so are read as. */
export async function headOf(file: SourceFile, encoding?: string) {
  const {name} = file
  const {head: bytes, chunks} = await peek(sourceBytes(file), LOOKED_AT)
  const {head, chunks: rest} = await peek(withLineFeeds(utf8Bytes(chunks, {name, encoding}), {name}), LOOKED_AT)
  await rest.return(undefined)
  return {bytes, text: startOf(head), format: () => shownFormat(name, bytes, head)}
}

/**
 * The format of a file: what the name says, but for a text, which may be a table, and for what is not text; else what the content
 * shows. Nothing at all is JSON Lines.
 */
function shownFormat(name: string, bytes: Uint8Array, text: Uint8Array): DocumentFormat {
  const named = formatOfName(name)
  const recognised = (isBinary: boolean, head: Uint8Array) =>
    entries.find(
      ([, format]) => !format.isBinary !== isBinary && format.recognise?.(head.subarray(0, 65_536), named === 'txt')
    )?.[0]
  const certain = recognised(true, bytes) ?? (named === 'txt' ? undefined : named)
  const found = certain ?? recognised(false, text) ?? named ?? (text.length === 0 ? 'jsonl' : undefined)
  if (found === undefined) throw unknownFormat(name)
  return found
}

export async function* fileBlocks(file: SourceFile, reading: Reading): AsyncGenerator<DocumentBlock> {
  const {name} = file
  const {format: given, encoding, onNote} = reading
  const usual = given ?? formatOfName(name) ?? 'jsonl'
  const format = given ?? (formats[usual].isBinary ? usual : (await headOf(file, encoding)).format())
  const {isBinary, read} = formats[format]
  if (format !== usual && !isBinary) onNote?.(`${name}: read as ${format}, by its content`)
  const context = {...reading, name}
  const content = sourceBytes(file, context)
  const text = utf8Bytes(content, context)
  yield* read(isBinary ? content : format === 'txt' ? text : withLineFeeds(text, context), context, file)
}

/** The documents of one file that are in the part to read; the file must hold some. */
export async function* documentBlocks(file: SourceFile, reading: Reading): AsyncGenerator<DocumentBlock> {
  const {fields, signal} = reading
  let isEmpty = true
  for await (const block of fileBlocks(file, reading)) {
    throwIfCancelled(signal)
    isEmpty &&= !holdsDocuments(block)
    yield 'bytes' in block ? block : block.filter(row => isRead(row, fields))
  }
  if (isEmpty)
    throw fileError(
      file.name,
      'the file holds no documents; at least one is needed; check that it is the right file and was written to its end'
    )
}

/** A pass over the documents of files, in order, a batch at a time. `onProgress` gets the bytes read so far, still compressed, and those of all files. */
export function readDocuments(
  files: readonly SourceFile[],
  options: ReadOptions,
  control: {readonly signal?: AbortSignal | undefined; readonly onProgress?: (bytes: number, of: number) => void} = {}
): AsyncIterable<readonly Row[]> {
  if (files.length === 0) throw new AdfaError('bad-option', 'no documents are given; name at least one file')
  const reading = readingOf(options)
  const total = files.reduce((sum, {size}) => sum + size, 0)
  let bytes = 0
  const onRead = (count: number) => {
    bytes += count
    control.onProgress?.(bytes, total)
  }
  async function* blocks() {
    for (const file of files) yield* documentBlocks(file, {...reading, signal: control.signal, onRead})
  }
  return rowsOf(blocks())
}

export async function* rowsOf(blocks: AsyncIterable<DocumentBlock>): AsyncGenerator<readonly Row[]> {
  for await (const block of blocks) {
    const rows = parseBlock(block)
    if (rows.length > 0) yield rows
  }
}

/** What options say, checked. A note is given once, although every pass finds the same. */
export function readingOf(options: ReadOptions): Reading {
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

function unknownFormat(path: string): AdfaError {
  const known = entries.map(([format, {endings}]) => `${format} (${endings.join(', ')})`).join('; ')
  const wayOut = /\.(?:7z|arff|mtx|xml)$/i.test(path)
    ? 'programs that make JSON Lines of ARFF, Matrix Market and Stack Exchange dumps are in examples/convert of the repository'
    : 'rename the file or give `format`'
  return new AdfaError(
    'bad-file',
    `${path}: neither the name nor the content shows the format; known are ${known}; each may end in .gz or .zst; ${wayOut}`
  )
}

/** Whether a file that begins so may be plain lines: not compressed, in UTF-16, Parquet, an archive, XML or an array. */
export function hasLines(head: Uint8Array): boolean {
  const start = latin1(head.subarray(byteOrderMarkLength(head), 100))
  return packingOf(head) === undefined && isText16(head) === undefined && !/^(?:PAR1|PK|\s*[<[])/.test(start)
}

function startOf(head: Uint8Array): string {
  return textOf(head.subarray(byteOrderMarkLength(head))).trimStart()
}

export const textEnding = /\.txt(\.gz|\.zst)?$/i

/** A text file is one document, up to 16 MB: its content is the only text field asked for, or else `text`. */
async function* readText(
  chunks: AsyncIterable<Uint8Array>,
  {name, fields, textId = name.replace(/^.*[\\/]/s, '').replace(textEnding, '')}: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const content = documentText(await wholeBytes(chunks, name, recordLimit), name)
  // A model of notes calls its only text `note`.
  const field = fields.text.length === 1 ? fields.text[0] : 'text'
  yield [parseRow({id: textId, [field]: content}, {...fields, id: 'id', tags: 'tags'}, name)]
}
