import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'

/** DuckDB could not read the documents. They are then read one by one, which gives the same counts, or an error that names the line. */
export class UnreadableDocuments extends Error {}

/** What failed, in plain words. */
export function duckDbFailure(error: unknown, memory: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof AdfaError || error instanceof UnreadableDocuments || !(error instanceof Error)) return error
  const [message] = error.message.split('\n')
  if (/^INTERRUPT/.test(message)) throwIfCancelled(signal)
  if (/no space left|max_temp_directory_size|failed to offload|disk full/i.test(error.message))
    return new AdfaError(
      'cannot-write',
      `DuckDB ran out of disk space for what does not fit into memory; free some space, let TMPDIR name a folder on a larger disk, or give more memory than --memory ${memory} (${message})`,
      {cause: error}
    )
  if (/^Out of Memory Error|bad_alloc/i.test(message))
    return new AdfaError(
      'bad-option',
      `DuckDB needs more memory than it may take, ${memory}; give more with --memory, for instance 4GB, or fewer threads (${message})`,
      {cause: error}
    )
  if (/^(Invalid Input|Invalid|IO|Conversion|Serialization|Permission) Error/.test(message))
    return new UnreadableDocuments(message, {cause: error})
  return new Error(`internal error: DuckDB refused a statement: ${error.message}`, {cause: error})
}
