import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {SETTINGS_QUERY} from './clickhouse-settings.ts'
import {type ClickHouseLayout, ClickHouseTable} from './clickhouse-table.ts'
import {startCluster, type TestCluster, whyNoClickHouse} from './test-clickhouse.ts'
import {commonFunctions, foreignNames, hasNamedJoins} from './test-clickhouse-dialect.ts'

/** Settings that the engine reads, with the first release that has them; those of 18.16 are in all. */
const SETTINGS: Readonly<Record<string, string>> = {
  readonly: '18.16',
  skip_unavailable_shards: '18.16',
  distributed_group_by_no_merge: '18.16',
  max_execution_time: '18.16',
  max_memory_usage: '18.16',
  max_bytes_before_external_group_by: '18.16',
  max_query_size: '18.16',
  cancel_http_readonly_queries_on_client_close: 'later',
  limit: 'later',
  offset: 'later',
  additional_table_filters: 'later',
  additional_result_filter: 'later'
}
const place = {database: 'a', table: 'b`c', name: 'clickhouse://host/a/b'}
const roles = {names: ["it's", 'b\\'], ids: [1, 2]}
const words = {names: ['SELECT nothing(', 'y'], ids: [1, 2]}
const filter = {tags: ['x'], minTags: 1}

function tableOf(layout: ClickHouseLayout, word: string): ClickHouseTable {
  const list = `Array(${word})`
  const types = {features: list, tags: list, tagged: 'UInt8', id: 'UInt64', document: 'UInt64', word}
  return new ClickHouseTable(place, layout, new Map(Object.entries(types)))
}

/** Every kind of statement on tables. */
function statements(): string[] {
  return ['String', 'LowCardinality(String)'].flatMap(word => {
    const lists = tableOf({kind: 'tokens', tokens: 'features', tags: 'tags', tagged: 'tagged', id: 'id'}, word)
    const long = tableOf({kind: 'long', document: 'document', word: 'word'}, word)
    const none = {names: [], ids: []}
    return [
      lists.tags(),
      long.sampleDocuments(9),
      ...[undefined, filter].flatMap(only => [
        lists.count({roles, words, tags: {names: ['x'], ids: [3]}, tagged: 4}, only),
        lists.rolesById(roles, ['1', '2'], only),
        ...(['none', 'frequency', 'name'] as const).map(order => lists.tokens(order, only))
      ]),
      long.count({roles, words, tags: none, tagged: undefined}, undefined),
      long.rolesById(roles, ['1'], undefined),
      ...(['none', 'frequency', 'name'] as const).map(order => long.tokens(order, undefined))
    ]
  })
}

test('foreignNames(...) names functions and words that releases do not share, outside of quotes', () => {
  expect(foreignNames("SELECT arrayMap(x -> x, y), 'splitByRegexp(' AS `QUALIFY(` FROM t -- arrayFold(")).toEqual([])
  expect(foreignNames('SELECT arrayProduct(x), countIf(y), sumMapIf(z) FROM t QUALIFY x')).toEqual([
    'arrayProduct',
    'sumMapIf',
    'QUALIFY'
  ])
})

test('hasNamedJoins(...) sees a join whose sides have no names', () => {
  expect(hasNamedJoins('FROM (SELECT 1) AS a\n ANY LEFT JOIN (SELECT 2) AS b USING (x)')).toBe(true)
  expect(hasNamedJoins('FROM (SELECT 1)\n ANY LEFT JOIN (SELECT 2) USING (x)')).toBe(false)
  expect(hasNamedJoins('FROM (SELECT 1) AS a ANY LEFT JOIN (SELECT 2) USING (x)')).toBe(false)
})

test('ClickHouseTable: all statements use only what 18.16 and current releases share, and no join', () => {
  expect(statements().length).toBeGreaterThan(20)
  for (const sql of statements()) {
    expect(foreignNames(sql)).toEqual([])
    expect(sql).not.toMatch(/\bJOIN\b/)
  }
})

test('SETTINGS_QUERY asks for settings that are known here', () => {
  const [, listed] = /IN \(([^)]*)\)/.exec(SETTINGS_QUERY) ?? []
  expect([...listed.matchAll(/'(\w+)'/g)].map(([, name]) => name).sort()).toEqual(Object.keys(SETTINGS).sort())
})

const reason = whyNoClickHouse()

describe.skipIf(reason !== undefined)(`ClickHouse 18.16${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await startCluster()
  }, 60_000)
  afterAll(() => cluster.close())

  const names = async (sql: string) => new Set((await cluster.shards[0].run(sql)).trimEnd().split('\n'))

  test('ClickHouse 18.16 has every function and setting of the tables', async () => {
    const functions = await names('SELECT name FROM system.functions')
    expect(commonFunctions.filter(name => !functions.has(name))).toEqual([])
    const settings = await names('SELECT name FROM system.settings')
    const old = Object.keys(SETTINGS).filter(name => SETTINGS[name] === '18.16')
    expect(Object.keys(SETTINGS).filter(name => settings.has(name))).toEqual(old)
  })

  test('ClickHouse 18.16 accepts every statement', async () => {
    const columns = 'features Array(String), tags Array(String), tagged UInt8, id UInt64, document UInt64, word String'
    await cluster.shards[0].run('CREATE DATABASE a')
    await cluster.shards[0].run(`CREATE TABLE a.\`b\\\`c\` (${columns}) ENGINE = Memory`)
    for (const sql of statements()) expect(await cluster.shards[0].run(sql)).toBe('')
  })
})
