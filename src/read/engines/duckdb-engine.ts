import {existsSync, statSync} from 'node:fs'
import {mkdir, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import type {DuckDBValue} from '@duckdb/node-api'
import {AdfaError, badOption, optional, throwIfCancelled, whole} from '../../base/checks/index.ts'
import {
  inputNames,
  keyFields,
  otherSpellings,
  type RowFields,
  soughtNames,
  VOTES,
  valueFieldNames
} from '../data/index.ts'
import {
  cannotWrite,
  type DocumentOptions,
  fileChanged,
  openDocuments,
  removeTemporaryFile,
  reserveTemporaryFile
} from '../files/index.ts'
import {formatOfName} from '../reading/index.ts'
import {sqlDialects} from '../sql/index.ts'
import type {CountingEngine, EngineControl} from './counting-engine.ts'
import {sqlEngine} from './sql-engine.ts'
import {documentsEngine} from './worker-engine.ts'

/** How to read files, and what DuckDB may use. */
export interface DuckDbOptions
  extends Pick<DocumentOptions, 'format' | 'keptBytes' | 'required' | 'onColumns' | 'encoding' | 'worksheet'> {
  readonly fields: RowFields
  /** How much memory DuckDB may use; the rest goes to a temporary folder. Default `2GB`. */
  readonly memory?: string | undefined
  /** The number of threads; by default that of cores. */
  readonly threads?: number | undefined
  /** How much disk space the temporary folder may use, such as `50GB`; by default most of what is free. */
  readonly disk?: string | undefined
  /** Called with a note when documents are not counted in SQL. */
  readonly onNote?: ((note: string) => void) | undefined
}

const ONE_BY_ONE =
  'DuckDB counts ready-made words in Parquet; these documents are read one at a time by adfa itself, with the same counts, and `memory` does not bound that'

/**
 * Counts files with DuckDB, also larger than memory; patterns such as `notes-*.parquet` stand for all files that match.
 * Ready-made words (`features` in Parquet) are counted in SQL, and no document reaches JavaScript. Everything else, and all
 * that concerns tags, is read one document at a time, as by the memory engine and its threads, with the same counts.
 */
export async function openDuckDb(paths: readonly string[], options: DuckDbOptions): Promise<CountingEngine> {
  const {fields, onNote, threads} = options
  const session = await openSession(checkSettings(options))
  try {
    const files = await findFiles(session, paths)
    const {memory: _, disk: _disk, threads: _threads, fields: _fields, ...reading} = options
    const documents = openDocuments(files, {...fields, ...reading})
    const oneByOne = documentsEngine(documents, threads === 1 ? 0 : threads)
    let inSql: CountingEngine | 'unknown' | 'impossible' = 'unknown'
    let stamps: readonly string[] = []

    /** Makes a pass in SQL, or one by one where SQL is not enough or DuckDB cannot read a file. */
    const pass = async <T>(control: EngineControl, run: (engine: CountingEngine) => Promise<T>): Promise<T> => {
      try {
        if (inSql === 'unknown') {
          stamps = await fileStamps(files)
          inSql = (await openParquet(session, files, options, control.signal)) ?? 'impossible'
          if (inSql === 'impossible') onNote?.(ONE_BY_ONE)
        }
        if (inSql === 'impossible') return await run(oneByOne)
        const found = await run(inSql)
        const now = await fileStamps(files)
        const changed = files.find((_, at) => now[at] !== stamps[at])
        if (changed !== undefined) throw fileChanged(changed)
        return found
      } catch (error) {
        if (!(error instanceof UnreadableDocuments)) throw error
        inSql = 'impossible'
        onNote?.(ONE_BY_ONE)
        return run(oneByOne)
      }
    }
    /** Only documents themselves have tags and labels, and can be sampled. */
    const needsRows = (labelShare: number, {labels, sample}: EngineControl) =>
      labelShare > 0 || labels !== undefined || sample !== undefined
    return {
      name: 'duckdb',
      rows: documents,
      surveyTags: (survey, control) => oneByOne.surveyTags(survey, control),
      async surveyWords(builder, control) {
        if (builder.options.filter !== undefined) return oneByOne.surveyWords(builder, control)
        const countKept = await pass(control, engine => engine.surveyWords(builder, control))
        if (inSql === 'impossible') return countKept
        if (needsRows(control.counting?.labelShare ?? 0, control)) return undefined
        return header =>
          pass(control, async engine => (engine === oneByOne ? engine.count(header, control) : countKept?.(header)))
      },
      count: (header, control) =>
        header.lexicon.filter !== undefined || needsRows(header.labelShare, control)
          ? oneByOne.count(header, control)
          : pass(control, engine => engine.count(header, control)),
      async close() {
        await oneByOne.close()
        await documents.close()
        await session.close()
      }
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

/** The files that paths and patterns such as `notes-*.parquet` stand for, in the given order, those of a pattern by name. */
async function findFiles(session: DuckDbSession, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    if (!isPattern(path) || existsSync(path)) {
      found.push(path)
      continue
    }
    const files: string[] = []
    for await (const [names] of session.columns(`SELECT file FROM glob(${quote(path)})`))
      files.push(...names.map(String))
    if (files.length === 0)
      throw new AdfaError(
        'bad-file',
        `${path}: no file matches this pattern; * stands for any name, ** for any folders; check the folder and the extension`
      )
    found.push(...files.sort())
  }
  return found
}

/** Whether DuckDB would take the path as a pattern. */
function isPattern(path: string): boolean {
  return /[*?[]/.test(path)
}

const quote = sqlDialects.duckdb.text

/** What must be unchanged in files after each pass. */
async function fileStamps(paths: readonly string[]): Promise<string[]> {
  return Promise.all(
    paths.map(async path => {
      const now = await stat(path).catch(() => undefined)
      return `${now?.size} ${now?.mtimeMs}`
    })
  )
}

const ID_TYPE = /^(VARCHAR|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE)$/

/** Parquet files with ready-made words, read in place. Undefined where the readers would find more than words, or refuse something. */
async function openParquet(
  session: DuckDbSession,
  paths: readonly string[],
  {fields, format, required = []}: DuckDbOptions,
  signal: AbortSignal | undefined
): Promise<CountingEngine | undefined> {
  // Standard input and pipes can be read once; a file called "notes[1].parquet" would be taken for a pattern.
  const isPlain = (path: string) => !isPattern(path) && statSync(path, {throwIfNoEntry: false})?.isFile() === true
  if (!paths.every(path => isPlain(path) && (format ?? formatOfName(path)) === 'parquet')) return undefined
  if (valueFieldNames(fields).length + (fields.votes?.length ?? 0) > 0) return undefined
  const {id, tags} = keyFields(fields)
  const inTheWay = new Set(['labels', VOTES, ...inputNames(fields)])
  let lists = ['features']
  for (const path of paths) {
    const types = await columnTypes(session, path)
    if (types.get('features') !== 'VARCHAR[]' || [...types.keys()].some(name => inTheWay.has(name))) return undefined
    if (!ID_TYPE.test(types.get(id) ?? 'VARCHAR') || (types.get(tags) ?? 'VARCHAR[]') !== 'VARCHAR[]') return undefined
    // What the readers find by another spelling, or refuse.
    if (otherSpellings(soughtNames(fields), types, path).length > 0 || required.some(name => !types.has(name)))
      return undefined
    if (types.has(tags)) lists = ['features', sqlDialects.duckdb.identifier(tags)]
  }
  const list = `[${paths.map(quote).join(', ')}]`
  // A file without documents is refused when documents are read one by one.
  for await (const [counts] of session.columns(`SELECT num_rows::DOUBLE FROM parquet_file_metadata(${list})`, signal))
    if (counts.some(count => typeof count !== 'number' || count === 0)) return undefined
  const from = `read_parquet(${list}, union_by_name = true, hive_partitioning = false)`
  // The readers refuse a null in a list, which most list functions skip.
  const hasNull = lists.map(each => `len(${each}) <> list_count(${each})`).join(' OR ')
  if (await holds(session, `FROM ${from} WHERE ${hasNull}`, signal)) return undefined
  const isTwice = await holds(session, `FROM ${from} WHERE len(features) <> list_unique(features)`, signal)
  // To leave out words that a document has twice takes as long as the rest of a statement, so it is done once.
  const once = `CREATE TABLE documents AS SELECT list_distinct(features) AS features FROM ${from}`
  if (isTwice) for await (const _ of session.columns(once, signal));
  return sqlEngine({
    name: 'duckdb',
    where: paths.join(', '),
    sql: sqlDialects.duckdb,
    from: isTwice ? 'documents' : from,
    words: 'features',
    areDistinct: true,
    room: Number.POSITIVE_INFINITY,
    columns: (sql, signal) => session.columns(sql, signal),
    close: async () => {}
  })
}

/** Whether any row is as the rest of a query says. */
async function holds(session: DuckDbSession, rest: string, signal: AbortSignal | undefined): Promise<boolean> {
  for await (const _ of session.columns(`SELECT 1 ${rest} LIMIT 1`, signal)) return true
  return false
}

async function columnTypes(session: DuckDbSession, path: string): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>()
  const sql = `DESCRIBE SELECT * FROM read_parquet(${quote(path)}, hive_partitioning = false)`
  for await (const [names, kinds] of session.columns(sql))
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
    /** Stops the statement when the signal is aborted, and translates failures into plain words. */
    const watched = async <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
      throwIfCancelled(signal)
      const interrupt = () => connection.interrupt()
      signal?.addEventListener('abort', interrupt)
      try {
        return await work()
      } catch (error) {
        throw duckDbFailure(error, memory, signal)
      } finally {
        signal?.removeEventListener('abort', interrupt)
      }
    }
    return {
      async *columns(sql, signal) {
        const result = await watched(signal, () => connection.stream(sql))
        for (;;) {
          const chunk = await watched(signal, () => result.fetchChunk())
          if (chunk === null || chunk.rowCount === 0) return
          yield chunk.getColumns()
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

/** DuckDB could not read the documents. Reading them one by one gives the same counts, or an error that names the line. */
class UnreadableDocuments extends Error {}

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
