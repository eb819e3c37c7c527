import {AdfaError, checkOptions, nearestName, type Rules, whole} from '../../base/checks/index.ts'
import type {TagFilter} from '../data/index.ts'
import {sqlDialects} from '../sql/index.ts'
import {type ClickHouseCredentials, parseClickHouseAddress} from './clickhouse-address.ts'
import {ClickHouseServer} from './clickhouse-server.ts'
import type {CountingEngine} from './counting-engine.ts'
import {sqlEngine} from './sql-engine.ts'

/** The columns of a table with one document per row. */
export interface ClickHouseColumns {
  /** The list of words. */
  readonly tokens: string
  /** The list of tags. */
  readonly tags?: string | undefined
  /** A column that is 0 where a document's tags are unknown; without it, all are known. */
  readonly tagged?: string | undefined
}

export interface ClickHouseOptions {
  readonly columns: ClickHouseColumns
  readonly credentials: ClickHouseCredentials
  /** Seconds for one query, 0 for the server's own limit. */
  readonly timeLimit: number
  /** Bytes for one query on each server, 0 for the server's own limit; beyond half of it, groups go to its disk. */
  readonly memory: number
  /** Called with notes for the user, such as limits that are not in force. */
  readonly onNote: ((note: string) => void) | undefined
}

export const clickHouseDefaults: ClickHouseOptions = {
  columns: {tokens: 'features'},
  credentials: {},
  timeLimit: 0,
  memory: 0,
  onNote: undefined
}

const rules: Rules<ClickHouseOptions> = {
  timeLimit: [whole(0)[0], "a whole number of seconds, 0 for the server's own limit"],
  memory: [whole(0)[0], "a whole number of bytes, 0 for the server's own limit"]
}

const {clickhouse: sql} = sqlDialects

/** Counts documents in a ClickHouse table on the server, which groups them by the anchor features that they have. */
export async function openClickHouse(address: string, options?: Partial<ClickHouseOptions>): Promise<CountingEngine> {
  const {columns, credentials, timeLimit, memory, onNote} = checkOptions<ClickHouseOptions>(
    'ClickHouse',
    clickHouseDefaults,
    rules,
    options
  )
  const place = parseClickHouseAddress(address)
  const server = new ClickHouseServer(place, credentials, timeLimit)
  const {querySize, notes} = await server.chooseSettings({timeLimit, memory})
  for (const note of notes) onNote?.(note)
  const from = `${sql.identifier(place.database)}.${sql.identifier(place.table)}`
  const types = new Map<string, string>()
  for await (const [names, kinds] of server.columns(`DESCRIBE TABLE ${from}`))
    names.forEach((name, at) => {
      types.set(name, kinds[at])
    })
  checkColumns(columns, types, place.name)
  /** Lists of LowCardinality are no Array(String) for all functions. */
  const listOf = (column: string) =>
    types.get(column)?.includes('LowCardinality')
      ? `CAST(${sql.identifier(column)}, 'Array(String)')`
      : sql.identifier(column)
  const isTagged = columns.tagged === undefined ? undefined : `${sql.identifier(columns.tagged)} != 0`
  const tags = columns.tags === undefined ? undefined : {list: listOf(columns.tags), tagged: isTagged}
  return sqlEngine({
    name: 'clickhouse',
    where: place.name,
    sql,
    from,
    words: listOf(columns.tokens),
    areDistinct: false,
    tags,
    // The servers behind a Distributed table get the query in a longer form.
    room: Math.floor(querySize / 4),
    columns: (query, signal) => server.columns(query, signal),
    passes: filter => [...(isTagged ? [isTagged] : []), hasTags(tags?.list ?? '', filter)].join(' AND '),
    close: async () => {}
  })
}

function hasTags(list: string, {tags, minTags}: TagFilter): string {
  // The list of names must not be empty.
  const names = [...new Set(['', ...tags])]
  const isAmong = names.map(name => (tags.includes(name) ? 1 : 0)).join(', ')
  return `arraySum(arrayMap(item -> transform(item, [${names.map(sql.text).join(', ')}], [${isAmong}], 0), arrayDistinct(${list}))) >= ${minTags}`
}

const LISTS: ReadonlySet<string | undefined> = new Set(['Array(String)', 'Array(LowCardinality(String))'])

function checkColumns(columns: ClickHouseColumns, types: ReadonlyMap<string, string>, where: string): void {
  const check = (column: string | undefined, option: string, rule: string, isRight: (type: string) => boolean) => {
    if (column === undefined) return
    const type = types.get(column)
    if (type === undefined) {
      const near = nearestName(column, [...types.keys()])
      throw new AdfaError(
        'bad-option',
        `${where}: the table has no column "${column}"; it has ${[...types.keys()].join(', ')}; ` +
          `name the right one in \`${option}\`${near === undefined ? '' : `; did you mean "${near}"?`}`
      )
    }
    if (!isRight(type))
      throw new AdfaError(
        'bad-option',
        `${where}: the column "${column}" is ${type}, and ${rule}; name another in \`${option}\`, or make a view that converts it`
      )
  }
  const list =
    'lists of words are Array(String), without NULL; groupUniqArray in a view makes a list of one word per row'
  check(columns.tokens, 'tokensColumn', list, type => LISTS.has(type))
  check(columns.tags, 'tagsColumn', list, type => LISTS.has(type))
  const isNumber = (type: string) => /^(U?Int\d+|Bool)$/.test(type)
  check(columns.tagged, 'taggedColumn', 'whether tags are known is a whole number, 0 or 1', isNumber)
}
