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

/** How a statement is cancelled and reports progress. */
export interface StatementControl {
  readonly signal?: AbortSignal | undefined
  /** Called regularly with the share that is done. */
  readonly onShare?: ((share: number) => void) | undefined
}

/** The number of rows in one piece of DuckDB. */
const chunkSize = 2048

/** A database in memory, and a folder for what does not fit. */
export class DuckDbSession {
  readonly #api: typeof import('@duckdb/node-api')
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #folder: string
  readonly #memory: string

  private constructor(
    api: typeof import('@duckdb/node-api'),
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    {folder, memory}: {readonly folder: string; readonly memory: string}
  ) {
    this.#api = api
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
      const session = new DuckDbSession(api, instance, await instance.connect(), {folder, memory})
      for (const sql of [
        'SET enable_progress_bar = true',
        'SET enable_progress_bar_print = false',
        ...(disk === undefined ? [] : [`SET max_temp_directory_size = '${disk}'`]),
        "ATTACH ':memory:' AS work (COMPRESS)",
        'USE work'
      ])
        await session.run(sql)
      return session
    } catch (error) {
      await removeTemporaryFile(folder)
      throw duckDbFailure(error, memory, undefined)
    }
  }

  async run(sql: string, control: StatementControl = {}): Promise<void> {
    await this.#watched(control, async () => {
      await this.#connection.run(sql)
    })
  }

  /** The rows of a query, some thousand at a time, as one list per column. */
  async *columns(sql: string, control: StatementControl = {}): AsyncGenerator<DuckDBValue[][]> {
    const result = await this.#watched(control, () => this.#connection.stream(sql))
    for (;;) {
      const chunk = await this.#watched(control, () => result.fetchChunk())
      if (chunk === null || chunk.rowCount === 0) return
      yield chunk.getColumns()
    }
  }

  /** Create or replace a table of whole numbers. */
  async makeTable(name: string, columns: Readonly<Record<string, readonly number[]>>): Promise<void> {
    const {DuckDBDataChunk, UINTEGER} = this.#api
    const names = Object.keys(columns)
    const lists = Object.values(columns)
    await this.run(`CREATE OR REPLACE TABLE ${name} (${names.map(column => `${column} UINTEGER`).join(', ')})`)
    await this.#watched({}, async () => {
      const appender = await this.#connection.createAppender(name, 'main', 'work')
      for (let from = 0; from < lists[0].length; from += chunkSize) {
        const chunk = DuckDBDataChunk.create(names.map(() => UINTEGER))
        chunk.setColumns(lists.map(list => list.slice(from, from + chunkSize)))
        appender.appendDataChunk(chunk)
      }
      appender.closeSync()
    })
  }

  /** Release everything; a running statement is stopped. */
  async close(): Promise<void> {
    this.#connection.interrupt()
    this.#connection.closeSync()
    this.#instance.closeSync()
    await removeTemporaryFile(this.#folder)
  }

  /** Stop the statement when the signal is aborted, report progress, and translate failures into plain words. */
  async #watched<T>({signal, onShare}: StatementControl, work: () => Promise<T>): Promise<T> {
    throwIfCancelled(signal)
    const interrupt = () => this.#connection.interrupt()
    signal?.addEventListener('abort', interrupt)
    const timer = onShare && setInterval(() => onShare(Math.max(0, this.#connection.progress.percentage) / 100), 200)
    try {
      return await work()
    } catch (error) {
      throw duckDbFailure(error, this.#memory, signal)
    } finally {
      clearInterval(timer)
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
