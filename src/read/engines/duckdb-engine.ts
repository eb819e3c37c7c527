import {existsSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {AdfaError, badOption, type ErrorCode, optional, throwIfCancelled, whole} from '../../base/checks/index.ts'
import {cannotWrite, removeTemporaryFile, reserveTemporaryFile} from '../files/index.ts'
import {formatOfName} from '../reading/index.ts'
import {sqlDialects} from '../sql/index.ts'
import type {CountingEngine} from './counting-engine.ts'
import {sqlEngine} from './sql-engine.ts'

export interface DuckDbOptions {
  /** How much memory DuckDB may use; the rest goes to a temporary folder. Default `2GB`. */
  readonly memory?: string | undefined
  readonly threads?: number | undefined
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

/** Counts Parquet files, also larger than memory; `notes-*.parquet` stands for all that match. No document reaches JavaScript. */
export async function openDuckDb(paths: readonly string[], options: DuckDbOptions = {}): Promise<CountingEngine> {
  const other = paths.find(path => formatOfName(path) !== 'parquet')
  if (other !== undefined)
    throw new AdfaError(
      'bad-option',
      `${other}: the engine duckdb counts files of Parquet (.parquet); convert the documents, or count them with the memory engine`
    )
  const {memory = '2GB', threads, required = []} = options
  if (!/^\d+(\.\d+)?\s*([KMGT]i?)?B$/i.test(memory))
    throw badOption('DuckDB', 'memory', 'a size such as 2GB or 500MB', memory)
  const [holds, rule] = optional(whole(1))
  if (!holds(threads)) throw badOption('DuckDB', 'threads', rule, threads)
  const session = await openSession(memory, threads)
  const from = `read_parquet([${paths.map(literal).join(', ')}], union_by_name = true, hive_partitioning = false)`
  return sqlEngine({
    name: 'duckdb',
    where: paths.join(', '),
    from,
    describe: `DESCRIBE SELECT * FROM ${from}`,
    types: TYPES,
    required,
    room: Number.POSITIVE_INFINITY,
    ...session
  })
}

/** A path or pattern; the name of a file that is there is not taken for a pattern. */
function literal(path: string): string {
  return sqlDialects.duckdb.text(existsSync(path) ? path.replace(/[*?[]/g, '[$&]') : path)
}

/** A database in memory, and a folder for what does not fit. */
async function openSession(memory: string, threads: number | undefined) {
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
    return {
      async *rows(sql: string, signal?: AbortSignal) {
        const interrupt = () => connection.interrupt()
        signal?.addEventListener('abort', interrupt)
        try {
          throwIfCancelled(signal)
          const result = await connection.stream(sql)
          for (;;) {
            throwIfCancelled(signal)
            const chunk = await result.fetchChunk()
            if (chunk === null || chunk.rowCount === 0) return
            yield chunk.getRows()
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
  return fail(
    'bad-file',
    'cannot count the documents; check the files, or count them with the memory engine, which names the row'
  )
}
