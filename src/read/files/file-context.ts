import type {Row} from '../data/index.ts'
import type {ReaderContext, TextReader} from '../reading/index.ts'

/** What a reader of whole files needs to know besides the path. */
export interface FileContext extends ReaderContext {
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes of the file that are done; the sum is its size. */
  readonly onRead: (byteCount: number) => void
}

/** How a format is read; some need the file itself. */
export type FormatReader =
  | TextReader
  | {readonly kind: 'file'; readonly read: (path: string, context: FileContext) => AsyncIterable<readonly Row[]>}
