import {chmodSync} from 'node:fs'
import {expect, test} from 'vitest'
import {messageOf} from '../data/test-rows.ts'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {isClickHouseAddress, parseClickHouseAddress, readClickHouseCredentials} from './clickhouse-address.ts'

test.each([
  ['clickhouse://db.example.org:9999/notes/all', 'http://db.example.org:9999', 'notes', 'all'],
  ['clickhouse://db/notes/all', 'http://db:8123', 'notes', 'all'],
  ['ClickHouses://db/notes/all', 'https://db:8443', 'notes', 'all'],
  ['clickhouse://[::1]:1/a%2Fb/t%C3%A9', 'http://[::1]:1', 'a/b', 'té']
])('parseClickHouseAddress(%o) is of server, database and table', (name, url, database, table) => {
  expect(parseClickHouseAddress(name)).toEqual({url, database, table, name})
  expect(isClickHouseAddress(name)).toBe(true)
})

test('parseClickHouseAddress(...) refuses a user or password, and does not repeat it', () => {
  for (const secret of ['me:hunter2@db', 'hunter2@db', 'me:hunter/2@db', 'me:hunter2@@db:port']) {
    const message = messageOf(() => parseClickHouseAddress(`clickhouse://${secret}/notes/all`))
    expect(message).toMatch(/a user or password in it.*ADFA_CLICKHOUSE_USER.*`credentials`/)
    expect(message).not.toContain('hunter')
  }
})

test('parseClickHouseAddress(...) says how a table is written', () => {
  const ends = ['db/notes', 'db/notes/', 'db/notes/all/more', 'db/notes/all?x=1', 'db/notes/all#x']
  const others = ['/notes/all', 'd b/notes/all', 'db:port/notes/all', 'db/notes/%ff']
  const wrong = [...[...ends, ...others].map(text => `clickhouse://${text}`), 'http://db/notes/all', 'notes.jsonl']
  for (const text of wrong)
    expect(messageOf(() => parseClickHouseAddress(text))).toContain('clickhouse://host:8123/database/table')
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
  expect(await readClickHouseCredentials(undefined, {})).toStrictEqual({})
  expect(await readClickHouseCredentials(file('mine.json', '{"user": "you"}'), environment)).toEqual({user: 'you'})
})

test.each<[string, number, RegExp]>([
  ['{"password": "hunter2"}', 0o644, /chmod 600 .*credentials\.json/],
  ['{"user": "a", "password": hunter2}', 0o600, /these are not credentials.*"user"/],
  ['["hunter2"]', 0o600, /these are not credentials/],
  ['{"user": "a", "pasword": "hunter2"}', 0o600, /these are not credentials/],
  ['{"password": ["hunter2"]}', 0o600, /these are not credentials/]
])('readClickHouseCredentials(...) refuses %s with rights %i, and keeps it to itself', async (content, mode, fault) => {
  const path = file('credentials.json', content, mode)
  const {message} = await failureOf(() => readClickHouseCredentials(path, {}))
  expect(message).toMatch(fault)
  expect(message).not.toContain('hunter2')
})
