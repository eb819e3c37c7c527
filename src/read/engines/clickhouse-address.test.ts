import {expect, test} from 'vitest'
import {messageOf} from '../data/test-rows.ts'
import {isClickHouseAddress, parseClickHouseAddress} from './clickhouse-address.ts'

test('parseClickHouseAddress(...) reads server, database and table, with the usual ports', () => {
  const read = (text: string) => {
    const {url, database, table} = parseClickHouseAddress(text)
    return [url, database, table]
  }
  expect(read('clickhouse://db.example.org:9999/notes/all')).toEqual(['http://db.example.org:9999', 'notes', 'all'])
  expect(read('clickhouse://db/notes/all')).toEqual(['http://db:8123', 'notes', 'all'])
  expect(read('clickhouses://db/notes/all')).toEqual(['https://db:8443', 'notes', 'all'])
  expect(read('clickhouse://[::1]:1/a%2Fb/t%C3%A9')).toEqual(['http://[::1]:1', 'a/b', 'té'])
})

test('parseClickHouseAddress(...) refuses a user or password, and does not repeat it', () => {
  for (const secret of ['me:hunter2@db', 'hunter2@db', 'me:hunter/2@db', 'me:hunter2@@db:port']) {
    const message = messageOf(() => parseClickHouseAddress(`clickhouse://${secret}/notes/all`))
    expect(message).toMatch(/a user or password in it.*ADFA_CLICKHOUSE_USER.*--credentials/)
    expect(message).not.toContain('hunter')
  }
})

test.each([
  'clickhouse://db/notes',
  'clickhouse://db/notes/',
  'clickhouse://db/notes/all/more',
  'clickhouse://db/notes/all?x=1',
  'clickhouse://db/notes/all#x',
  'clickhouse:///notes/all',
  'clickhouse://d b/notes/all',
  'clickhouse://db:port/notes/all',
  'clickhouse://db/notes/%ff',
  'http://db/notes/all',
  'notes.jsonl'
])('parseClickHouseAddress(%o) says how a table is written', text => {
  expect(messageOf(() => parseClickHouseAddress(text))).toContain(
    'a table is written clickhouse://host:8123/database/table'
  )
})

test('isClickHouseAddress(...) knows addresses from files', () => {
  expect(['clickhouse://a/b/c', 'ClickHouses://a', 'clickhouse:'].map(isClickHouseAddress)).toEqual([true, true, true])
  expect(['clickhouse.jsonl', './clickhouse:', 'https://a/b'].map(isClickHouseAddress)).toEqual([false, false, false])
})
