import type {Row, RowFields} from '../data/index.ts'
import {AdfaError, throwIfCancelled} from '../numeric/index.ts'
import {documentInput} from './document-input.ts'
import type {DocumentFormat} from './format.ts'
import {readBytes} from './read-bytes.ts'

/** The fields to read and as what, and how files are understood. */
export interface DocumentOptions extends RowFields {
  /** The format of all files; by default each file's name tells. */
  readonly format?: DocumentFormat | undefined
  /** What separates the items of `features`, `tags` and other lists in one cell of a table; default `|`. */
  readonly separator?: string | undefined
}

/** Documents of one or several files, which can be read from the start any number of times. */
export interface DocumentSource {
  /** What errors and reports call the files. */
  readonly names: readonly string[]
  /** The size of all files as they lie on disk; undefined while standard input has not been read to its end. */
  readonly byteCount: number | undefined
  /** A new pass over all documents, in order, a batch at a time; only the current batch is held. */
  batches(signal?: AbortSignal): AsyncIterable<readonly Row[]>
  /** How many of `byteCount` the latest pass has read. */
  bytesRead(): number
  /** Remove what was put aside of standard input. The source cannot be read afterwards. */
  close(): Promise<void>
}

/**
 * Open document files by path; `-` is standard input. Names, formats and permissions are checked now, contents when a
 * pass reads them. Standard input and pipes are put aside in a temporary file by the first pass.
 */
export function openDocuments(paths: readonly string[], options: DocumentOptions): DocumentSource {
  const separator = checkOptions(paths, options)
  const inputs = paths.map(path => documentInput(path, options.format))
  let bytesRead = 0
  let isClosed = false

  async function* batches(signal?: AbortSignal): AsyncGenerator<readonly Row[]> {
    if (isClosed) throw new Error('internal error: documents were read after they were closed')
    bytesRead = 0
    const onRead = (count: number) => {
      bytesRead += count
    }
    for (const {name, path, reader, locate} of inputs) {
      const place = await locate(signal)
      const context = {name, path, fields: options, separator, signal, onRead}
      const rows =
        reader.kind === 'file' ? reader.read(place, context) : reader.read(readBytes(place, context), context)
      let documentCount = 0
      for await (const batch of rows) {
        throwIfCancelled(signal)
        documentCount += batch.length
        if (batch.length > 0) yield batch
      }
      if (documentCount === 0) throw noDocuments(name)
      // Once more, since the file may have changed while it was being read.
      await locate(signal)
    }
  }

  return {
    names: inputs.map(input => input.name),
    get byteCount() {
      let sum = 0
      for (const input of inputs) {
        const size = input.size()
        if (size === undefined) return undefined
        sum += size
      }
      return sum
    },
    batches,
    bytesRead: () => bytesRead,
    async close() {
      isClosed = true
      for (const input of inputs) await input.close()
    }
  }
}

function checkOptions(paths: readonly string[], {separator = '|'}: DocumentOptions): string {
  if (paths.length === 0)
    throw new AdfaError('bad-option', 'no documents are given; name at least one file, or - for standard input')
  if (paths.indexOf('-') !== paths.lastIndexOf('-'))
    throw new AdfaError('bad-option', 'standard input (-) is given twice; it can be read only once; name it once')
  if (separator.trim() === '' && separator !== '\t')
    throw new AdfaError('bad-option', `the list separator is "${separator}"; it must be a character such as | or ;`)
  return separator
}

function noDocuments(name: string): AdfaError {
  return new AdfaError(
    'bad-file',
    `${name}: the file holds no documents; at least one is needed; check that it is the right file and was written to its end`
  )
}
