import {withoutPasswords} from '../../../base/text/index.ts'
import type {RowFields} from '../../../read/data/index.ts'
import {
  type CountingEngine,
  documentsEngine,
  type EngineName,
  groupsEngine,
  isClickHouseAddress,
  isGroupsFile,
  openClickHouse,
  openDuckDb,
  readClickHouseCredentials,
  readGroups
} from '../../../read/engines/index.ts'
import {type DocumentShard, type DocumentSource, openDocuments} from '../../../read/files/index.ts'
import {declared, flagOf, positiveNumber} from '../../project/index.ts'
import {type FormatOptions, fileOptions, usageError, type WorkOptions} from '../common-options.ts'
import type {Output} from '../output.ts'

/** How files are read, and by which engine; by default this program. */
interface SourceOptions extends FormatOptions, WorkOptions {
  readonly counting?: EngineOptions
  readonly shard?: DocumentShard
  readonly holdOut?: true
  /** Fields that every table must have. */
  readonly named: readonly string[]
  /** Called with the columns of each table. */
  readonly onColumns: (names: readonly string[]) => void
  /** What the command line names; a project may name other documents. */
  readonly typed: readonly string[]
}

const ENGINES = ['memory', 'duckdb', 'clickhouse'] as const

/** Which engine counts, and how; user and password of ClickHouse come from the environment. */
export interface EngineOptions {
  readonly engine?: (typeof ENGINES)[number]
  readonly memory?: string
  readonly timeLimit?: number
}

interface OpenEngine {
  /** Closing it ends its threads and connections. */
  readonly engine: CountingEngine
  /** The documents, to be read again and closed; undefined if a database reads them. */
  readonly documents: DocumentSource | undefined
}

export const engineOptions = declared(
  `
    --engine <name>         program that counts: adfa itself (memory), DuckDB (Parquet larger than memory) or a ClickHouse server
    --memory <size>         DuckDB and ClickHouse: memory limit, such as 2GB
    --time-limit <seconds>  ClickHouse: time limit per query`,
  {engine: {choices: ENGINES, preset: 'memory'}, memory: memorySize, timeLimit: positiveNumber}
)

const OF_FILES = ['holdOut', 'format', 'separator', 'tagSeparator', 'worksheet', 'encoding'] as const

/** Options that have no effect with an engine. */
const USELESS: Readonly<Record<EngineName, readonly (keyof SourceOptions | keyof EngineOptions)[]>> = {
  memory: ['memory', 'timeLimit'],
  duckdb: [...OF_FILES, 'timeLimit', 'shard'],
  clickhouse: [...OF_FILES, 'workers', 'shard'],
  groups: ['holdOut', 'format', 'worksheet', 'encoding', 'memory', 'timeLimit', 'workers', 'shard']
}

/** Opens the documents and the engine that counts them. Packages that only one engine needs are loaded on demand. */
export async function openEngine(
  paths: readonly string[],
  fields: RowFields,
  options: SourceOptions,
  output: Output
): Promise<OpenEngine> {
  const {shard, workers, holdOut, counting = {}, named, typed, onColumns} = options
  const {engine = 'memory', memory, timeLimit = 0} = counting
  const kind = engine === 'memory' && (await isGroupsFile(paths[0])) ? 'groups' : engine
  // Fits have a time limit of their own, which is not that of an engine.
  const given: Partial<Record<(typeof USELESS)[EngineName][number], unknown>> = {
    ...options,
    memory,
    timeLimit: counting.timeLimit
  }
  const useless = USELESS[kind].find(name => given[name] !== undefined)
  if (useless !== undefined)
    throw usageError(
      `${flagOf(useless)} cannot change anything ${kind === 'groups' ? 'about groups that a database has made' : `with --engine ${engine}`}; leave it out`
    )
  if (kind === 'groups') return {engine: groupsEngine(await readGroups(paths)), documents: undefined}
  if (kind === 'clickhouse') {
    const [address, ...others] = paths
    if (others.length > 0)
      throw usageError(
        `--engine clickhouse counts one table; name a Distributed or Merge table over them, or count each with --protocol and add them up with adfa merge`
      )
    const credentials = readClickHouseCredentials()
    // A project file may come from anybody, and name any server.
    if (!typed.includes(address) && Object.keys(credentials).length > 0)
      throw usageError(
        'a project file names this server, and user and password go only to a server named on the command line; write its address there'
      )
    const limits = {timeLimit, memory: memory === undefined ? 0 : byteCount(memory)}
    return {engine: await openClickHouse(address, {credentials, required: named, ...limits}), documents: undefined}
  }
  const table = paths.find(isClickHouseAddress)
  if (table !== undefined)
    throw usageError(`${withoutPasswords(table)} is a table of ClickHouse; add --engine clickhouse`)
  if (kind === 'duckdb') {
    if (paths.includes('-')) throw usageError('--engine duckdb reads files, not standard input; leave --engine out')
    const threads = workers === 0 ? 1 : workers
    return {engine: await openDuckDb(paths, {memory, threads, required: named}), documents: undefined}
  }
  const {required = [], ...files} = fileOptions(options, output)
  const reading = {...fields, ...files, required: [...named, ...required], onColumns}
  const documents = openDocuments(paths, {...reading, shard, part: holdOut && 'learning'})
  return {engine: documentsEngine(documents, workers), documents}
}

function memorySize(text: string): string {
  if (!/^\d+(\.\d+)?[kmgt]b$/i.test(text)) throw new Error('It must be a size such as 500MB or 2GB.')
  return text
}

function byteCount(size: string): number {
  return Math.round(Number.parseFloat(size) * 1000 ** (1 + 'kmgt'.indexOf(size.slice(-2, -1).toLowerCase())))
}
