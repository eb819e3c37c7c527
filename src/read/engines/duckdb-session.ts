import {mkdir} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import type {DuckDBConnection, DuckDBInstance, DuckDBValue} from '@duckdb/node-api'
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {cannotWrite, removeTemporaryFile, reserveTemporaryFile} from '../files/index.ts'

interface DuckDbSettings {
  /** Such as `2GB`; the rest goes to a temporary folder. */
  readonly memory: string
  /** By default the number of cores. */
  readonly threads: number | undefined
  /** How much the temporary folder may hold; by default most of what is free. */
  readonly disk?: string | undefined
}

/** A database in memory, and a folder for what does not fit. */
export class DuckDbSession {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #folder: string
  readonly #memory: string

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    {folder, memory}: {readonly folder: string; readonly memory: string}
  ) {
    this.#instance = instance
    this.#connection = connection
    this.#folder = folder
    this.#memory = memory
  }

  static async open({memory, threads, disk}: DuckDbSettings): Promise<DuckDbSession> {
    const api = await loadDuckDb()
    const folder = reserveTemporaryFile(tmpdir(), 'adfa-duckdb')
    try {
      await mkdir(folder, {mode: 0o700}).catch(error => {
        throw cannotWrite(`${folder} (for what does not fit into memory; TMPDIR names another folder for it)`, error)
      })
      const instance = await api.DuckDBInstance.create(':memory:', {
        memory_limit: memory,
        temp_directory: folder,
        preserve_insertion_order: 'false',
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        ...(threads === undefined ? {} : {threads: String(threads)})
      })
      const session = new DuckDbSession(instance, await instance.connect(), {folder, memory})
      const limit = disk === undefined ? undefined : `SET max_temp_directory_size = '${disk}'`
      if (limit !== undefined) await session.#connection.run(limit)
      return session
    } catch (error) {
      await removeTemporaryFile(folder)
      throw duckDbFailure(error, memory, undefined)
    }
  }

  /** The rows of a query, some thousand at a time, as one list per column. */
  async *columns(sql: string, signal?: AbortSignal): AsyncGenerator<DuckDBValue[][]> {
    const result = await this.#watched(signal, () => this.#connection.stream(sql))
    for (;;) {
      const chunk = await this.#watched(signal, () => result.fetchChunk())
      if (chunk === null || chunk.rowCount === 0) return
      yield chunk.getColumns()
    }
  }

  /** Release everything; a running statement is stopped. */
  async close(): Promise<void> {
    this.#connection.interrupt()
    this.#connection.closeSync()
    this.#instance.closeSync()
    await removeTemporaryFile(this.#folder)
  }

  /** Stop the statement when the signal is aborted, and translate failures into plain words. */
  async #watched<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    throwIfCancelled(signal)
    const interrupt = () => this.#connection.interrupt()
    signal?.addEventListener('abort', interrupt)
    try {
      return await work()
    } catch (error) {
      throw duckDbFailure(error, this.#memory, signal)
    } finally {
      signal?.removeEventListener('abort', interrupt)
    }
  }
}

async function loadDuckDb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api')
  } catch (error) {
    throw new AdfaError(
      'bad-option',
      "the duckdb engine needs the package @duckdb/node-api, which is not installed here; install it with npm install @duckdb/node-api, or use `engine` 'memory'",
      {cause: error}
    )
  }
}

/** DuckDB could not read the documents. Reading them one by one gives the same counts, or an error that names the line. */
export class UnreadableDocuments extends Error {}

/** What failed, in plain words. */
function duckDbFailure(error: unknown, memory: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof AdfaError || error instanceof UnreadableDocuments || !(error instanceof Error)) return error
  const [message] = error.message.split('\n')
  if (/^INTERRUPT/.test(message)) throwIfCancelled(signal)
  if (/no space left|max_temp_directory_size|failed to offload|disk full/i.test(error.message))
    return new AdfaError(
      'cannot-write',
      `DuckDB ran out of disk space for what does not fit into memory; free some space, let TMPDIR name a folder on a larger disk, or give more \`memory\` than ${memory} (${message})`,
      {cause: error}
    )
  if (/^Out of Memory Error|bad_alloc/i.test(message))
    return new AdfaError(
      'bad-option',
      `DuckDB needs more memory than it may use, ${memory}; give more \`memory\`, for instance 4GB, or fewer threads (${message})`,
      {cause: error}
    )
  if (/^(Invalid Input|Invalid|IO|Conversion|Serialization|Permission) Error/.test(message))
    return new UnreadableDocuments(message, {cause: error})
  return new Error(`internal error: DuckDB refused a statement: ${error.message}`, {cause: error})
}
