import {type Command, InvalidArgumentError, Option} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import type {RowFields} from '../../../read/data/index.ts'
import {
  type CountingEngine,
  documentsEngine,
  isClickHouseAddress,
  openClickHouse,
  openDuckDb
} from '../../../read/engines/index.ts'
import {type DocumentSource, openDocuments} from '../../../read/files/index.ts'
import {type FormatOptions, flagOf} from '../common-options.ts'
import type {Output} from '../output.ts'
import type {WorkOptions} from '../work-options.ts'
import {addClickHouseOptions, type ClickHouseCliOptions, clickHouseOptions} from './clickhouse-options.ts'
import type {ShardOptions} from './shard-option.ts'

/** How files are read, whatever reads them. */
type SourceOptions = FormatOptions & ShardOptions & WorkOptions

/** What counts the documents, and with what. */
export interface EngineOptions extends ClickHouseCliOptions {
  readonly engine?: 'memory' | 'duckdb' | 'clickhouse'
  readonly memory?: string
}

export interface OpenEngine {
  /** Closing it ends its threads and connections. */
  readonly engine: CountingEngine
  /** The documents, to be read again and closed; undefined where this program does not read them. */
  readonly documents: DocumentSource | undefined
}

export function addEngineOptions(command: Command): Command {
  return addClickHouseOptions(
    command
      .addOption(
        new Option(
          '--engine <name>',
          'what counts: this program, DuckDB (files larger than memory) or a ClickHouse server'
        )
          .choices(['memory', 'duckdb', 'clickhouse'])
          .default('memory')
      )
      .option('--memory <size>', 'DuckDB and ClickHouse: how much memory they may take, such as 2GB', memorySize)
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

/** Options that an engine has no use for. */
const USELESS: Readonly<
  Record<NonNullable<EngineOptions['engine']>, readonly (keyof EngineOptions | 'format' | 'separator' | 'workers')[]>
> = {
  memory: ['memory', ...CLICKHOUSE],
  duckdb: CLICKHOUSE,
  clickhouse: ['workers', 'format', 'separator']
}

/** Open the documents, and what counts them. Packages that only some engines need are loaded when they are asked for. */
export async function openEngine(
  paths: readonly string[],
  fields: RowFields,
  options: SourceOptions,
  engineOptions: EngineOptions,
  output: Output
): Promise<OpenEngine> {
  const {format, separator, shard, workers} = options
  const {engine = 'memory', memory} = engineOptions
  const given = {...engineOptions, format, separator, workers}
  const useless = USELESS[engine].find(name => given[name] !== undefined)
  if (useless !== undefined)
    throw new AdfaError('bad-option', `${flagOf(useless)} cannot change anything with --engine ${engine}; leave it out`)
  if (engine === 'clickhouse')
    return {
      engine: await openClickHouse(
        paths,
        await clickHouseOptions(engineOptions, memory === undefined ? undefined : byteCount(memory), output.note)
      ),
      documents: undefined
    }
  const table = paths.find(isClickHouseAddress)
  if (table !== undefined)
    throw new AdfaError('bad-option', `${table} is a table of ClickHouse; add --engine clickhouse to count it there`)
  if (engine === 'duckdb') {
    if (paths.includes('-'))
      throw new AdfaError('bad-option', '--engine duckdb reads files, not standard input; leave --engine out')
    return {
      engine: await openDuckDb(paths, {
        fields,
        format,
        separator,
        memory,
        threads: workers === 0 ? 1 : workers,
        onNote: output.note
      }),
      documents: undefined
    }
  }
  const documents = openDocuments(paths, {...fields, format, separator, shard})
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
