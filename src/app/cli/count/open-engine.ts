import {type Command, InvalidArgumentError, Option} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import type {RowFields} from '../../../read/data/index.ts'
import {
  type ClickHouseLayout,
  type ClickHouseOptions,
  type CountingEngine,
  clickHouseDefaults,
  documentsEngine,
  isClickHouseAddress,
  openClickHouse,
  openDuckDb,
  readClickHouseCredentials
} from '../../../read/engines/index.ts'
import {type DocumentSource, openDocuments} from '../../../read/files/index.ts'
import {type FormatOptions, flagOf, positiveNumber} from '../common-options.ts'
import type {Output} from '../output.ts'
import type {WorkOptions} from '../work-options.ts'
import type {ShardOptions} from './shard-option.ts'

/** How files are read, and by which engine; by default this program. */
type SourceOptions = FormatOptions & ShardOptions & WorkOptions & {readonly counting?: EngineOptions}

/** The engine that counts the documents, and its options. */
export interface EngineOptions extends ClickHouseCliOptions {
  readonly engine?: 'memory' | 'duckdb' | 'clickhouse'
  readonly memory?: string
}

interface OpenEngine {
  /** Closing it ends its threads and connections. */
  readonly engine: CountingEngine
  /** The documents, to be read again and closed; undefined if a database reads them. */
  readonly documents: DocumentSource | undefined
}

export function addEngineOptions(command: Command): Command {
  return addClickHouseOptions(
    command
      .addOption(
        new Option(
          '--engine <name>',
          'program that counts: adfa itself (memory), DuckDB (for files larger than memory) or a ClickHouse server'
        )
          .choices(['memory', 'duckdb', 'clickhouse'])
          .default('memory')
      )
      .option('--memory <size>', 'DuckDB and ClickHouse: memory limit, such as 2GB', memorySize)
  )
}

const CLICKHOUSE: readonly (keyof ClickHouseCliOptions)[] = [
  'tokensColumn',
  'tagsColumn',
  'taggedColumn',
  'idColumn',
  'documentColumn',
  'wordColumn',
  'credentials',
  'timeLimit'
]

/** Documents of at most this size stay in memory after the first pass. */
const KEPT_BYTES = 256_000_000

/** Options that have no effect with an engine. */
const USELESS: Readonly<
  Record<NonNullable<EngineOptions['engine']>, readonly (keyof EngineOptions | 'format' | 'separator' | 'workers')[]>
> = {
  memory: ['memory', ...CLICKHOUSE],
  duckdb: CLICKHOUSE,
  clickhouse: ['workers', 'format', 'separator']
}

/** Opens the documents and the engine that counts them. Packages that only one engine needs are loaded on demand. */
export async function openEngine(
  paths: readonly string[],
  fields: RowFields,
  options: SourceOptions,
  output: Output
): Promise<OpenEngine> {
  const {format, separator, shard, workers, counting = {}} = options
  const {engine = 'memory', memory} = counting
  const given = {...counting, format, separator, workers}
  const useless = USELESS[engine].find(name => given[name] !== undefined)
  if (useless !== undefined)
    throw new AdfaError('bad-option', `${flagOf(useless)} cannot change anything with --engine ${engine}; leave it out`)
  if (engine === 'clickhouse')
    return {
      engine: await openClickHouse(
        paths,
        await clickHouseOptions(counting, memory === undefined ? undefined : byteCount(memory), output.note)
      ),
      documents: undefined
    }
  const table = paths.find(isClickHouseAddress)
  if (table !== undefined)
    throw new AdfaError('bad-option', `${table} is a table of ClickHouse; add --engine clickhouse`)
  if (engine === 'duckdb') {
    if (paths.includes('-'))
      throw new AdfaError('bad-option', '--engine duckdb reads files, not standard input; leave --engine out')
    return {
      engine: await openDuckDb(paths, {
        fields,
        format,
        separator,
        keptBytes: KEPT_BYTES,
        memory,
        threads: workers === 0 ? 1 : workers,
        onNote: output.note
      }),
      documents: undefined
    }
  }
  const documents = openDocuments(paths, {...fields, format, separator, shard, keptBytes: KEPT_BYTES})
  return {engine: documentsEngine(documents, workers), documents}
}

const UNITS: readonly string[] = ['kb', 'mb', 'gb', 'tb']

function memorySize(text: string): string {
  if (!/^\d+(\.\d+)?(kb|mb|gb|tb)$/i.test(text))
    throw new InvalidArgumentError('It must be a size such as 500MB or 2GB.')
  return text
}

function byteCount(size: string): number {
  return Math.round(Number.parseFloat(size) * 1000 ** (1 + UNITS.indexOf(size.slice(-2).toLowerCase())))
}

/** How ClickHouse tables are read; user and password come from the environment or a file. */
interface ClickHouseCliOptions {
  readonly tokensColumn?: string
  readonly tagsColumn?: string
  readonly taggedColumn?: string
  readonly idColumn?: string
  readonly documentColumn?: string
  readonly wordColumn?: string
  readonly credentials?: string
  readonly timeLimit?: number
}

export function addClickHouseOptions(command: Command): Command {
  return command
    .option(
      '--tokens-column <name>',
      `ClickHouse: column with the list of words of a document (default: "${defaultTokens()}")`
    )
    .option('--tags-column <name>', 'ClickHouse: column with the list of tags of a document')
    .option('--tagged-column <name>', 'ClickHouse: column that is 0 where the tags of a document are unknown')
    .option('--id-column <name>', 'ClickHouse: column with the document id used by --labels')
    .option('--document-column <name>', 'ClickHouse, one word per row: column with the document')
    .option('--word-column <name>', 'ClickHouse, one word per row: column with the word')
    .option('--credentials <file>', 'ClickHouse: JSON file with user and password, readable only by you')
    .option('--time-limit <seconds>', 'ClickHouse: time limit per query', positiveNumber)
}

/** The options of {@link openClickHouse}; `memory` in bytes. */
export async function clickHouseOptions(
  options: ClickHouseCliOptions,
  memory: number | undefined,
  onNote: (note: string) => void
): Promise<ClickHouseOptions> {
  return {
    layout: layoutOf(options),
    credentials: await readClickHouseCredentials(options.credentials),
    timeLimit: options.timeLimit ?? clickHouseDefaults.timeLimit,
    memory: memory ?? clickHouseDefaults.memory,
    onNote
  }
}

function layoutOf(options: ClickHouseCliOptions): ClickHouseLayout {
  const {tokensColumn, tagsColumn, taggedColumn, idColumn, documentColumn, wordColumn} = options
  const isLong = documentColumn !== undefined || wordColumn !== undefined
  if (!isLong) {
    if (taggedColumn !== undefined && tagsColumn === undefined)
      throw new AdfaError('bad-option', '--tagged-column needs a column of tags; name the tags with --tags-column')
    return {
      kind: 'tokens',
      tokens: tokensColumn ?? defaultTokens(),
      tags: tagsColumn,
      tagged: taggedColumn,
      id: idColumn
    }
  }
  if (documentColumn === undefined || wordColumn === undefined)
    throw new AdfaError(
      'bad-option',
      'a table with one word per row needs both --document-column and --word-column; got one of them'
    )
  if ([tokensColumn, tagsColumn, taggedColumn, idColumn].some(column => column !== undefined))
    throw new AdfaError(
      'bad-option',
      '--tokens-column, --tags-column, --tagged-column and --id-column are for tables with one document per row, ' +
        '--document-column and --word-column for tables with one word per row; give those of one kind'
    )
  return {kind: 'long', document: documentColumn, word: wordColumn}
}

function defaultTokens(): string {
  const {layout} = clickHouseDefaults
  return layout.kind === 'tokens' ? layout.tokens : ''
}
