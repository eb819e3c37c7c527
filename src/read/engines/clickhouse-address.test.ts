import {chmodSync} from 'node:fs'
import {expect, test} from 'vitest'
import {messageOf} from '../data/test-rows.ts'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {isClickHouseAddress, parseClickHouseAddress, readClickHouseCredentials} from './clickhouse-address.ts'

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
    expect(message).toMatch(/a user or password in it.*ADFA_CLICKHOUSE_USER.*`credentials`/)
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

const folder = testFolder()

function file(name: string, content: string, mode = 0o600): string {
  const path = folder.file(name, content)
  chmodSync(path, mode)
  return path
}

test('readClickHouseCredentials(...) takes the environment, and a file instead where one is named', async () => {
  const ca = file('ca.pem', 'certificate')
  const environment = {ADFA_CLICKHOUSE_USER: 'me', ADFA_CLICKHOUSE_PASSWORD: 'p', ADFA_CLICKHOUSE_CA: ca, OTHER: 'x'}
  const {certificate, ...rest} = await readClickHouseCredentials(undefined, environment)
  expect(rest).toEqual({user: 'me', password: 'p'})
  expect(Buffer.from(certificate ?? []).toString()).toBe('certificate')
  expect(await readClickHouseCredentials(undefined, {})).toEqual({})
  expect(await readClickHouseCredentials(file('mine.json', '{"user": "you"}'), environment)).toEqual({user: 'you'})
})

test('readClickHouseCredentials(...) refuses a file that others can read', async () => {
  const path = file('open.json', '{"password": "hunter2"}', 0o644)
  const {message} = await failureOf(() => readClickHouseCredentials(path, {}))
  expect(message).toContain(`chmod 600 ${path}`)
})

test.each([
  '{"user": "a", "password": hunter2}',
  '["hunter2"]',
  '{"user": "a", "pasword": "hunter2"}',
  '{"password": ["hunter2"]}'
])('readClickHouseCredentials(...) refuses %s and keeps what is in it to itself', async content => {
  const {message} = await failureOf(() => readClickHouseCredentials(file('bad.json', content), {}))
  expect(message).toMatch(/these are not credentials.*"user"/)
  expect(message).not.toContain('hunter2')
})
