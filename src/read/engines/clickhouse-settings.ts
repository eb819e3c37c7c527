import type {ClickHouseSettings} from '@clickhouse/client'
import {AdfaError} from '../../base/checks/index.ts'

/** What the user wants the server to keep to; 0 leaves it to the server. */
export interface ClickHouseLimits {
  /** Seconds for one query. */
  readonly timeLimit: number
  /** Bytes for one query on each server; beyond half of it groups go to its disk. */
  readonly memory: number
}

export function checkLimits({timeLimit, memory}: ClickHouseLimits): void {
  for (const [name, unit, value] of [
    ['time-limit', 'seconds', timeLimit],
    ['memory', 'bytes', memory]
  ] as const)
    if (!Number.isSafeInteger(value) || value < 0)
      throw new AdfaError(
        'bad-option',
        `${name} is a whole number of ${unit}, 0 for the server's own limit; got ${value}`
      )
}

/** The settings of a connection: what to send with each query, and how long a query may be. */
export interface ChosenSettings {
  readonly settings: ClickHouseSettings
  readonly querySize: number
  /** What the user asked for and cannot have. */
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
  "'max_bytes_before_external_group_by', 'max_query_size', 'cancel_http_readonly_queries_on_client_close')"

/** The rows of {@link SETTINGS_QUERY}; newer servers tell of each setting how it may be changed, older ones only of all. */
export function readSettings(rows: readonly Readonly<Record<string, unknown>>[]): KnownSetting[] {
  const areFixed = rows.some(({name, value}) => name === 'readonly' && String(value) === '1')
  return rows.map(({name, value, readonly, max}) => ({
    name: String(name),
    value: String(value),
    isFixed: areFixed || Number(readonly ?? 0) !== 0,
    most: Number(max ?? Number.POSITIVE_INFINITY)
  }))
}

/** With these a server leaves out rows or groups and says nothing; counts need all of them. */
const EXACT: ReadonlyMap<string, string> = new Map([
  ['skip_unavailable_shards', '0'],
  ['distributed_group_by_no_merge', '0'],
  ['limit', '0'],
  ['offset', '0']
])
const LONG_QUERY = 4 * 2 ** 20
/** Room for one query where the server does not say. */
const USUAL_QUERY = 2 ** 18

/** Choose the settings of all queries by those the server knows and the user may change. */
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
    ['max_execution_time', limits.timeLimit, '--time-limit'],
    ['max_memory_usage', limits.memory, '--memory'],
    ['max_bytes_before_external_group_by', Math.floor(limits.memory / 2), '--memory']
  ]
  for (const [name, value, option] of wanted) {
    const setting = known.find(one => one.name === name)
    if (setting === undefined || value === 0) continue
    if (!setting.isFixed) settings[name] = String(Math.min(value, setting.most))
    else if (option !== undefined) refused.add(option)
  }
  const size = settings.max_query_size ?? known.find(({name}) => name === 'max_query_size')?.value ?? USUAL_QUERY
  const note = (option: string) =>
    `${table}: this user may not change settings on the server, so ${option} is not in force there`
  return {settings, querySize: Number(size), notes: [...refused].map(note)}
}

function exactSettings(known: readonly KnownSetting[], table: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const {name, value, isFixed} of known) {
    const exact = name.includes('overflow_mode') ? 'throw' : EXACT.get(name)
    if (exact === undefined || value === exact) continue
    if (isFixed)
      throw new AdfaError(
        'bad-option',
        `${table}: for this user the server is set to leave out parts of an answer without a word (${name} = ${value}), ` +
          `and counts must be complete; ask the administrator to set ${name} = ${exact} in the user's profile`
      )
    settings[name] = exact
  }
  return settings
}
