import {existsSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import type {DuckDBValue} from '@duckdb/node-api'
import {AdfaError, badOption, type ErrorCode, optional, throwIfCancelled, whole} from '../../base/checks/index.ts'
import {cannotWrite, removeTemporaryFile, reserveTemporaryFile} from '../files/index.ts'
import {formatOfName} from '../reading/index.ts'
import {sqlDialects} from '../sql/index.ts'
import type {CountingEngine} from './counting-engine.ts'
import {sqlEngine} from './sql-engine.ts'

/** What DuckDB may use. */
export interface DuckDbOptions {
  /** How much memory DuckDB may use; the rest goes to a temporary folder. Default `2GB`. */
  readonly memory?: string | undefined
  /** The number of threads; by default that of cores. */
  readonly threads?: number | undefined
  /** How much disk space the temporary folder may use, such as `50GB`; by default most of what is free. */
  readonly disk?: string | undefined
  /** Columns that must be there. */
  readonly required?: readonly string[] | undefined
}

/** Types that files of Parquet have, and that their reader takes as DuckDB does. */
const WHOLE = 'U?(?:TINY|SMALL|BIG)INT|U?INTEGER'
const TYPES = {
  text: /^VARCHAR$/,
  category: new RegExp(`^(?:VARCHAR|${WHOLE})$`),
  number: new RegExp(`^(?:DOUBLE|${WHOLE})$`),
  list: /^VARCHAR\[\]$/
}

/**
 * Counts Parquet files with DuckDB, also larger than memory; patterns such as `notes-*.parquet` stand for all files that match.
 * No document reaches JavaScript.
 */
export async function openDuckDb(paths: readonly string[], options: DuckDbOptions = {}): Promise<CountingEngine> {
  const session = await openSession(checkSettings(options))
  try {
    const files = await findFiles(session, paths)
    const relation = (some: readonly string[]) =>
      `read_parquet([${some.map(literal).join(', ')}], union_by_name = true, hive_partitioning = false)`
    const columns = await columnTypes(session, relation(files))
    for (const file of files) {
      const own = await columnTypes(session, relation([file]))
      for (const [name, type] of columns) if (own.get(name) !== type) columns.set(name, 'not the same in all files')
    }
    return sqlEngine({
      name: 'duckdb',
      where: paths.join(', '),
      from: relation(files),
      columns,
      ready: 'features',
      types: TYPES,
      required: options.required ?? [],
      room: Number.POSITIVE_INFINITY,
      rows: session.columns,
      close: session.close
    })
  } catch (error) {
    await session.close()
    throw error
  }
}

/** The files that paths and patterns such as `notes-*.parquet` stand for, in the given order, those of a pattern by name. */
async function findFiles(session: DuckDbSession, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const files: string[] = []
    if (!/[*?[]/.test(path) || existsSync(path)) files.push(path)
    else
      for await (const [names] of session.columns(`SELECT file FROM glob(${quote(path)})`))
        files.push(...names.map(String))
    if (files.length === 0)
      throw new AdfaError(
        'bad-file',
        `${path}: no file matches this pattern; * stands for any name, ** for any folders; check the folder and the extension`
      )
    found.push(...files.sort())
  }
  const other = found.find(path => formatOfName(path) !== 'parquet')
  if (other !== undefined)
    throw new AdfaError(
      'bad-option',
      `${other}: the engine duckdb counts files of Parquet (.parquet); convert the documents, or count them with the memory engine`
    )
  return found
}

const quote = sqlDialects.duckdb.text

/** The name of one file, which DuckDB would otherwise take for a pattern. */
function literal(path: string): string {
  return quote(path.replace(/[*?[]/g, '[$&]'))
}

async function columnTypes(session: DuckDbSession, relation: string): Promise<Map<string, string>> {
  const types = new Map<string, string>()
  for await (const [names, kinds] of session.columns(`DESCRIBE SELECT * FROM ${relation}`))
    for (let at = 0; at < names.length; at++) types.set(String(names[at]), String(kinds[at]))
  return types
}

const SIZE = /^\d+(\.\d+)?\s*([KMGT]i?)?B$/i

function checkSettings({memory = '2GB', threads, disk}: DuckDbOptions) {
  for (const [name, size] of Object.entries({memory, disk}))
    if (size !== undefined && !SIZE.test(size)) throw badOption('DuckDB', name, 'a size such as 2GB or 500MB', size)
  const [holds, rule] = optional(whole(1))
  if (!holds(threads)) throw badOption('DuckDB', 'threads', rule, threads)
  return {memory, threads, disk}
}

/** A database in memory, and a folder for what does not fit. */
interface DuckDbSession {
  /** The rows of a query, some thousand at a time, as one list per column. */
  columns(sql: string, signal?: AbortSignal): AsyncGenerator<DuckDBValue[][]>
  /** Release everything; a running statement is stopped. */
  close(): Promise<void>
}

async function openSession({memory, threads, disk}: ReturnType<typeof checkSettings>): Promise<DuckDbSession> {
  const {DuckDBInstance} = await loadDuckDb()
  const folder = reserveTemporaryFile(tmpdir(), 'adfa-duckdb')
  try {
    await mkdir(folder, {mode: 0o700}).catch(error => {
      throw cannotWrite(`${folder} (for what does not fit into memory; TMPDIR names another folder for it)`, error)
    })
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: memory,
      temp_directory: folder,
      preserve_insertion_order: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...(threads === undefined ? {} : {threads: String(threads)})
    })
    const connection = await instance.connect()
    if (disk !== undefined) await connection.run(`SET max_temp_directory_size = '${disk}'`)
    return {
      async *columns(sql, signal) {
        const interrupt = () => connection.interrupt()
        signal?.addEventListener('abort', interrupt)
        try {
          throwIfCancelled(signal)
          const result = await connection.stream(sql)
          for (;;) {
            throwIfCancelled(signal)
            const chunk = await result.fetchChunk()
            if (chunk === null || chunk.rowCount === 0) return
            yield chunk.getColumns()
          }
        } catch (error) {
          throw duckDbFailure(error, memory, signal)
        } finally {
          signal?.removeEventListener('abort', interrupt)
        }
      },
      async close() {
        connection.interrupt()
        connection.closeSync()
        instance.closeSync()
        await removeTemporaryFile(folder)
      }
    }
  } catch (error) {
    await removeTemporaryFile(folder)
    throw duckDbFailure(error, memory, undefined)
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

/** What failed, in plain words. */
function duckDbFailure(error: unknown, memory: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof AdfaError || !(error instanceof Error)) return error
  const [message] = error.message.split('\n')
  const fail = (code: ErrorCode, what: string) => new AdfaError(code, `DuckDB ${what} (${message})`, {cause: error})
  if (/^INTERRUPT/.test(message)) throwIfCancelled(signal)
  if (/no space left|max_temp_directory_size|failed to offload|disk full/i.test(error.message))
    return fail(
      'cannot-write',
      `ran out of disk space for what does not fit into memory; free some space, let TMPDIR name a folder on a larger disk, or give more \`memory\` than ${memory}`
    )
  if (/^Out of Memory Error|bad_alloc/i.test(message))
    return fail(
      'bad-option',
      `needs more memory than it may use, ${memory}; give more \`memory\`, for instance 4GB, or fewer threads`
    )
  if (/^(Invalid Input|Invalid|IO|Conversion|Serialization|Permission) Error/.test(message))
    return fail(
      'bad-file',
      'cannot read the documents; check the files, or count them with the memory engine, which names the row'
    )
  return new Error(`internal error: DuckDB refused a statement: ${error.message}`, {cause: error})
}
