import type {Row} from '../data/index.ts'
import type {FileContext, TextReader} from '../reading/index.ts'

/** How a format is read; some need the file itself. */
export type FormatReader =
  | TextReader
  | {readonly kind: 'file'; readonly read: (path: string, context: FileContext) => AsyncIterable<readonly Row[]>}
