import type {ClickHouseSettings} from '@clickhouse/client'
import {AdfaError, type Rules, whole} from '../../base/checks/index.ts'

/** Limits for the server; 0 for the server's own. */
export interface ClickHouseLimits {
  /** Seconds for one query. */
  readonly timeLimit: number
  /** Bytes for one query on each server; beyond half of it, groups go to its disk. */
  readonly memory: number
}

const [isLimit] = whole(0)

export const limitRules: Rules<ClickHouseLimits> = {
  timeLimit: [isLimit, "a whole number of seconds, 0 for the server's own limit"],
  memory: [isLimit, "a whole number of bytes, 0 for the server's own limit"]
}

/** The settings of a connection: what to send with each query, and how long a query may be. */
export interface ChosenSettings {
  readonly settings: ClickHouseSettings
  readonly querySize: number
  /** Limits that cannot be set, for the user. */
  readonly notes: readonly string[]
}

/** One row of `system.settings`. */
export interface KnownSetting {
  readonly name: string
  readonly value: string
  /** Whether this user may not change it. */
  readonly isFixed: boolean
  /** The highest value that this user may choose. */
  readonly most: number
}

export const SETTINGS_QUERY =
  "SELECT * FROM system.settings WHERE name LIKE '%overflow_mode%' OR name IN ('readonly', 'limit', 'offset', " +
  "'skip_unavailable_shards', 'distributed_group_by_no_merge', 'max_execution_time', 'max_memory_usage', " +
  "'max_bytes_before_external_group_by', 'max_query_size', 'cancel_http_readonly_queries_on_client_close', " +
  "'additional_table_filters', 'additional_result_filter')"

/** The rows of {@link SETTINGS_QUERY}; newer servers say of each setting whether it may be changed, older ones of all at once. */
export function readSettings(rows: readonly Readonly<Record<string, unknown>>[]): KnownSetting[] {
  const areFixed = rows.some(({name, value}) => name === 'readonly' && String(value) === '1')
  return rows.map(({name, value, readonly, max}) => ({
    name: String(name),
    value: String(value),
    isFixed: areFixed || Number(readonly ?? 0) !== 0,
    most: Number(max ?? Number.POSITIVE_INFINITY)
  }))
}

/** With other values a server omits rows or groups silently; counts need all of them. */
const EXACT: ReadonlyMap<string, string> = new Map([
  ['skip_unavailable_shards', '0'],
  ['distributed_group_by_no_merge', '0'],
  ['limit', '0'],
  ['offset', '0'],
  ['additional_table_filters', '{}'],
  ['additional_result_filter', '']
])
/** How servers show a list without entries. */
const NO_FILTERS: ReadonlySet<string> = new Set(['', '[]', '{}'])
const LONG_QUERY = 4 * 2 ** 20
/** The length of one query where the server gives none. */
const USUAL_QUERY = 2 ** 18

/** Choose the settings of all queries from those that the server knows and the user may change. */
export function chooseSettings(
  known: readonly KnownSetting[],
  limits: ClickHouseLimits,
  table: string
): ChosenSettings {
  const settings = exactSettings(known, table)
  const refused = new Set<string>()
  const wanted: readonly (readonly [name: string, value: number, option: string | undefined])[] = [
    ['cancel_http_readonly_queries_on_client_close', 1, undefined],
    ['max_query_size', LONG_QUERY, undefined],
    ['max_execution_time', limits.timeLimit, 'timeLimit'],
    ['max_memory_usage', limits.memory, 'memory'],
    ['max_bytes_before_external_group_by', Math.floor(limits.memory / 2), 'memory']
  ]
  for (const [name, value, option] of wanted) {
    const setting = known.find(one => one.name === name)
    if (setting === undefined || value === 0) continue
    if (!setting.isFixed) settings[name] = String(Math.min(value, setting.most))
    else if (option !== undefined) refused.add(option)
  }
  const size = settings.max_query_size ?? known.find(({name}) => name === 'max_query_size')?.value ?? USUAL_QUERY
  const note = (option: string) =>
    `${table}: this user may not change settings on the server, so \`${option}\` is not in force there`
  return {settings, querySize: Number(size), notes: [...refused].map(note)}
}

function exactSettings(known: readonly KnownSetting[], table: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const {name, value, isFixed} of known) {
    const exact = name.includes('overflow_mode') ? 'throw' : EXACT.get(name)
    if (exact === undefined || value === exact || (exact === '{}' && NO_FILTERS.has(value))) continue
    if (isFixed)
      throw new AdfaError(
        'bad-option',
        `${table}: for this user the server is set to omit parts of an answer silently (${name} = ${value}), ` +
          `and counts must be complete; ask the administrator to set ${name} = ${exact} in the user's profile`
      )
    settings[name] = exact
  }
  return settings
}
