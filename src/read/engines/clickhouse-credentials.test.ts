import {chmodSync} from 'node:fs'
import {expect, test} from 'vitest'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {readClickHouseCredentials} from './clickhouse-address.ts'

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
  ['{"user": "a", "password": hunter2}', /not valid JSON/],
  ['["hunter2"]', /not a JSON object/],
  ['{"user": "a", "pasword": "hunter2"}', /unknown key "pasword"; it has user, password, ca/],
  ['{"password": ["hunter2"]}', /"password" is text/]
])('readClickHouseCredentials(...) refuses %s and keeps what is in it to itself', async (content, expected) => {
  const {message} = await failureOf(() => readClickHouseCredentials(file('bad.json', content), {}))
  expect(message).toMatch(expected)
  expect(message).not.toContain('hunter2')
})
