import type {RowReading} from '../data/index.ts'
import type {ByteTools} from './bytes.ts'
import type {SourceControl} from './source-file.ts'

/** What a reader needs to know besides the bytes. */
export interface ReaderContext {
  /** What errors call the file. */
  readonly name: string
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
  /** How bytes are searched and decoded; by default in a way that runs everywhere. */
  readonly tools?: ByteTools | undefined
  /** The sheet of a workbook; by default the first. */
  readonly worksheet?: string | undefined
  /** The id of the document that a text file is. */
  readonly textId?: string | undefined
}

/** What a reader of a file needs to know besides its content. */
export interface FileContext extends ReaderContext, SourceControl {}
