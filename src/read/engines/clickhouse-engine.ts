import {checkOptions, type Rules, whole} from '../../base/checks/index.ts'
import {sqlDialects} from '../sql/index.ts'
import {type ClickHouseCredentials, parseClickHouseAddress} from './clickhouse-address.ts'
import {ClickHouseServer} from './clickhouse-server.ts'
import type {CountingEngine} from './counting-engine.ts'
import {sqlEngine} from './sql-engine.ts'

export interface ClickHouseOptions {
  /** The column with the list of ready-made words, if the table has it. */
  readonly tokensColumn: string
  /** Columns that must be there. */
  readonly required: readonly string[]
  readonly credentials: ClickHouseCredentials
  /** Seconds for one query, 0 for the server's own limit. */
  readonly timeLimit: number
  /** Bytes for one query on each server, 0 for the server's own limit; beyond half of it, groups go to its disk. */
  readonly memory: number
  /** Called with notes for the user, such as limits that are not in force. */
  readonly onNote: ((note: string) => void) | undefined
}

export const clickHouseDefaults: ClickHouseOptions = {
  tokensColumn: 'features',
  required: [],
  credentials: {},
  timeLimit: 0,
  memory: 0,
  onNote: undefined
}

const rules: Rules<ClickHouseOptions> = {
  timeLimit: [whole(0)[0], "a whole number of seconds, 0 for the server's own limit"],
  memory: [whole(0)[0], "a whole number of bytes, 0 for the server's own limit"]
}

const text = '(?:LowCardinality\\()?(?:Nullable\\()?String\\)*'
const wholeNumber = '(?:Nullable\\()?U?Int\\d+\\)?'
const types = {
  text: new RegExp(`^${text}$`),
  category: new RegExp(`^(?:${text}|${wholeNumber})$`),
  number: new RegExp(`^(?:${wholeNumber}|(?:Nullable\\()?Float64\\)?)$`),
  list: new RegExp(`^Array\\(${text}\\)$`)
}

/** Counts documents in a ClickHouse table on the server, which groups them by the anchor features that they have. */
export async function openClickHouse(address: string, options?: Partial<ClickHouseOptions>): Promise<CountingEngine> {
  const {tokensColumn, required, credentials, onNote, ...limits} = checkOptions<ClickHouseOptions>(
    'ClickHouse',
    clickHouseDefaults,
    rules,
    options
  )
  const place = parseClickHouseAddress(address)
  const server = new ClickHouseServer(place, credentials, limits.timeLimit)
  const {querySize, refused} = await server.chooseSettings(limits)
  for (const option of refused)
    onNote?.(`${place.name}: this user may not change settings on the server, so \`${option}\` is not in force there`)
  const {identifier} = sqlDialects.clickhouse
  const from = `${identifier(place.database)}.${identifier(place.table)}`
  const columns = new Map<string, string>()
  for await (const [names, kinds] of server.columns(`DESCRIBE TABLE ${from}`))
    names.forEach((name, at) => {
      columns.set(name, kinds[at])
    })
  return sqlEngine({
    name: 'clickhouse',
    where: place.name,
    from,
    columns,
    ready: tokensColumn,
    types,
    required: [...required, ...(tokensColumn === clickHouseDefaults.tokensColumn ? [] : [tokensColumn])],
    // The servers behind a Distributed table get the query in a longer form.
    room: Math.floor(querySize / 4),
    rows: (query, signal) => server.columns(query, signal),
    close: async () => {}
  })
}
