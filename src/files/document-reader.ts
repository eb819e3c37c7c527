import type {Row} from '../data/index.ts'

/** What a reader needs to know beside the bytes. */
export interface ReaderContext {
  /** What errors call the file. */
  readonly name: string
  /** The text fields asked for. */
  readonly fields: readonly string[]
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
