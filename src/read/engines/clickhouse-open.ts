import {AdfaError} from '../../base/checks/index.ts'
import {type ClickHouseAddress, type ClickHouseCredentials, parseClickHouseAddress} from './clickhouse-address.ts'
import {clickHouseFailure} from './clickhouse-failure.ts'
import {quoteName} from './clickhouse-literals.ts'
import {ClickHouseSession, type QueryControl} from './clickhouse-session.ts'
import {type ClickHouseLimits, chooseSettings, readSettings, SETTINGS_QUERY} from './clickhouse-settings.ts'
import {type ClickHouseLayout, ClickHouseTable} from './clickhouse-table.ts'
import {parseTokenLine, type TokenCount} from './clickhouse-tokens.ts'
import type {CountingStage, EngineControl} from './counting-engine.ts'

export interface ClickHouseOptions extends ClickHouseLimits {
  readonly layout: ClickHouseLayout
  readonly credentials: ClickHouseCredentials
  /** Called with notes for the user, such as limits that are not in force. */
  readonly onNote: ((note: string) => void) | undefined
}

export const clickHouseDefaults: ClickHouseOptions = {
  layout: {kind: 'tokens', tokens: 'features'},
  credentials: {},
  timeLimit: 0,
  memory: 0,
  onNote: undefined
}

export interface OpenTable {
  readonly table: ClickHouseTable
  readonly session: ClickHouseSession
  /** How many bytes of names fit in a query. */
  readonly room: number
  /** Whether a row is a document, so that rows measure the progress of a query. */
  readonly hasDocumentRows: boolean
  tokens(sql: string, control: QueryControl): AsyncGenerator<readonly TokenCount[]>
}

/** Connect to all tables, or to none. */
export async function openTables(names: readonly string[], options: ClickHouseOptions): Promise<OpenTable[]> {
  if (names.length === 0) throw new AdfaError('bad-option', 'there is no table to count; name at least one')
  const addresses = names.map(parseClickHouseAddress)
  addresses.forEach(({url, database, table, name}, at) => {
    const same = addresses.findIndex(one => one.url === url && one.database === database && one.table === table)
    if (same < at)
      throw new AdfaError(
        'bad-option',
        `${name}: the table is named twice, and its documents would be counted twice; name it once`
      )
  })
  const opening = await Promise.allSettled(addresses.map(address => openTable(address, options)))
  const opened = opening.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    for (const one of opening) if (one.status === 'rejected') throw one.reason
    if (options.layout.kind === 'long' && opened.length > 1) await refuseSplitDocuments(opened)
    return opened
  } catch (error) {
    await Promise.all(opened.map(({session}) => session.close()))
    throw error
  }
}

async function openTable(address: ClickHouseAddress, options: ClickHouseOptions): Promise<OpenTable> {
  const session = await ClickHouseSession.open(address, options.credentials)
  try {
    const known = readSettings(await session.rows(SETTINGS_QUERY))
    const {settings, querySize, notes} = chooseSettings(known, options, address.name)
    session.settings = settings
    for (const note of notes) options.onNote?.(note)
    const columns = await session.rows(`DESCRIBE TABLE ${quoteName(address.database)}.${quoteName(address.table)}`)
    const types = new Map(columns.map(({name, type}) => [String(name), String(type)]))
    return {
      table: new ClickHouseTable(address, options.layout, types),
      session,
      // The servers behind a Distributed table get the query in a longer form.
      room: Math.floor(querySize / 2) - 2000,
      hasDocumentRows: options.layout.kind === 'tokens',
      async *tokens(sql, control) {
        for await (const lines of session.lines(sql, control)) yield lines.map(line => parseLine(line, address.name))
      }
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

function parseLine(line: string, where: string): TokenCount {
  try {
    return parseTokenLine(line)
  } catch (error) {
    throw clickHouseFailure(error, where)
  }
}

const SAMPLE = 1000

/**
 * With one word per row, a document that is partly in one table and partly in another would be counted as two. This compares
 * the documents with the smallest hash values of each table: those that two tables share are among them in both.
 */
async function refuseSplitDocuments(tables: readonly OpenTable[]): Promise<void> {
  const homes = new Map<string, string>()
  for (const {table, session} of tables)
    for await (const lines of session.lines(table.sampleDocuments(SAMPLE)))
      for (const hex of lines) {
        const home = homes.get(hex)
        if (home !== undefined)
          throw new AdfaError(
            'bad-document',
            `the document ${Buffer.from(hex, 'hex').toString('utf8')} has words in ${home} and in ${table.name}; ` +
              'where tables are named one by one, a document must be in one of them; name the Distributed table over them instead'
          )
        homes.set(hex, table.name)
      }
}

/** A signal that can be stopped by itself and also follows another. */
export function linkedAbort(signal: AbortSignal | undefined): {signal: AbortSignal; stop(): void} {
  const own = new AbortController()
  return {
    signal: signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]),
    stop: () => own.abort()
  }
}

/** Ask all tables at once. When one fails, the others are stopped before its error is thrown. */
export async function together<T>(
  tables: readonly OpenTable[],
  signal: AbortSignal | undefined,
  ask: (open: OpenTable, signal: AbortSignal) => Promise<T>
): Promise<T[]> {
  const link = linkedAbort(signal)
  const failures: unknown[] = []
  const answers = await Promise.all(
    tables.map(async open => {
      try {
        return [await ask(open, link.signal)]
      } catch (error) {
        failures.push(error)
        link.stop()
        return []
      }
    })
  )
  if (failures.length > 0) throw failures[0]
  return answers.flat()
}

/** Adds up the progress of all tables. */
export interface Progress {
  of(open: OpenTable): ((rows: number) => void) | undefined
  end(documents: number): void
}

export function createProgress(stage: CountingStage, {onProgress}: EngineControl): Progress {
  const rows = new Map<OpenTable, number>()
  return {
    of(open) {
      if (onProgress === undefined || !open.hasDocumentRows) return undefined
      return read => {
        rows.set(open, read)
        let sum = 0
        for (const some of rows.values()) sum += some
        onProgress(stage, sum)
      }
    },
    end: documents => onProgress?.(stage, documents)
  }
}
