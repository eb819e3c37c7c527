import type {RowReading} from '../data/index.ts'
import type {SourceControl} from './source-file.ts'

/** What a reader needs to know besides the bytes. */
export interface ReaderContext extends SourceControl {
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
  /** Decompressors of Parquet by their names there, where the runtime has faster ones. */
  readonly unpack?: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> | undefined
  /** The sheet of a workbook; by default the first. */
  readonly worksheet?: string | undefined
  /** The id of the document that a text file is. */
  readonly textId?: string | undefined
}
