import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterEach, expect, test} from 'vitest'
import {messageOf} from '../data/test-rows.ts'
import {failureOf} from '../files/test-folder.ts'
import {
  clickHouseServer,
  isClickHouseAddress,
  openClickHouse,
  parseClickHouseAddress,
  readClickHouseCredentials
} from './clickhouse-engine.ts'

/** What a server does with the query that it is sent; it says of all others that nothing runs. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server of a few lines, which keeps the queries it was sent. */
async function serve(answer: Answer, timeLimit = 0) {
  const queries: string[] = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let query = ''
    for await (const chunk of request) query += chunk
    queries.push(query)
    if (query.startsWith('KILL')) response.end()
    else answer(response, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const place = `://127.0.0.1:${(server.address() as AddressInfo).port}`
  const address = `clickhouse${place}/d/t`
  const credentials = {user: 'me', password: 'hunter2'}
  return {address, queries, session: clickHouseServer(address, `http${place}`, credentials, timeLimit)}
}

async function rowsOf(session: ReturnType<typeof clickHouseServer>, signal?: AbortSignal) {
  const found: string[][] = []
  for await (const rows of session('SELECT words', signal)) found.push(...rows)
  return found
}

test('clickHouseServer(...) gives whole rows, however the answer is cut, and undoes escapes', async () => {
  const {session} = await serve(response => {
    response.write('é\t1\na\\tb')
    setTimeout(() => response.end('\\n\\\\\t22\n'), 30)
  })
  expect(await rowsOf(session)).toEqual([
    ['é', '1'],
    ['a\tb\n\\', '22']
  ])
})

test('clickHouseServer(...) sends an id of its own with each query, and asks for whole answers', async () => {
  const sent: (readonly unknown[])[] = []
  const {session, queries} = await serve((response, request) => {
    const {searchParams} = new URL(request.url ?? '', 'http://x')
    sent.push([searchParams.get('query_id'), searchParams.get('wait_end_of_query'), request.headers.authorization])
    response.end()
  })
  for (const _ of [1, 2]) await rowsOf(session)
  const user = `Basic ${Buffer.from('me:hunter2').toString('base64')}`
  const withNumber = (number: number) => [expect.stringMatching(`^adfa-[0-9a-f-]{36}-${number}$`), '1', user]
  expect([sent, queries]).toEqual([
    [withNumber(1), withNumber(2)],
    ['SELECT words', 'SELECT words']
  ])
})

test.each([
  [
    'an error',
    (response: ServerResponse) => response.writeHead(500).end('Code: 241, e.displayText() = DB::Exception: x'),
    /more memory than/
  ],
  [
    'an answer that ends in the middle of a row',
    (response: ServerResponse) => response.end('41\t1\n42\t2'),
    /the answer ends early/
  ],
  [
    'a broken connection',
    (response: ServerResponse) => {
      response.write('41\t1\n')
      setTimeout(() => response.destroy(), 20)
    },
    /cannot be reached, or went away; nothing was counted/
  ]
])('clickHouseServer(...) takes %s for no answer', async (_, answer, message) => {
  const {session} = await serve(answer)
  expect((await failureOf(() => rowsOf(session))).message).toMatch(message)
})

test('clickHouseServer(...) stops the query on the server when cancelled, or when nobody listens any more', async () => {
  const {session, queries} = await serve(response => response.write('41\t1\n'))
  const isStop = (query: string) => /^KILL QUERY WHERE query_id = 'adfa-.*' SYNC$/.test(query)
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  expect((await failureOf(() => rowsOf(session, controller.signal))).code).toBe('cancelled')
  expect(queries.some(isStop)).toBe(true)
  queries.length = 0
  for await (const _ of session('SELECT words')) break
  expect(queries.some(isStop)).toBe(true)
  expect((await failureOf(() => rowsOf(session, AbortSignal.abort()))).code).toBe('cancelled')
})

test('a server that accepts and says nothing holds nobody longer than the time limit', async () => {
  const {address, session} = await serve(() => {}, 1)
  for (const ask of [() => rowsOf(session), () => openClickHouse(address, {timeLimit: 1})]) {
    const started = performance.now()
    expect((await failureOf(ask)).message).toMatch(/did not answer in time; .*`timeLimit`/)
    // The limit, two seconds of grace, and the time of a busy computer.
    expect(performance.now() - started).toBeLessThan(5000)
  }
}, 15_000)

test.each([
  ['clickhouse://db.example.org:9999/notes/all', 'http://db.example.org:9999', 'notes', 'all'],
  ['clickhouse://db/notes/all', 'http://db:8123', 'notes', 'all'],
  ['ClickHouses://db/notes/all', 'https://db:8443', 'notes', 'all'],
  ['clickhouse://[::1]:1/a%2Fb/t%C3%A9', 'http://[::1]:1', 'a/b', 'té']
])('parseClickHouseAddress(%o) is of server, database and table', (name, url, database, table) => {
  expect(parseClickHouseAddress(name)).toEqual({url, database, table})
  expect(isClickHouseAddress(name)).toBe(true)
})

test('parseClickHouseAddress(...) refuses a user or password, and does not repeat it', () => {
  for (const secret of ['me:hunter2@db', 'hunter2@db', 'me:hunter/2@db', 'me:hunter2@@db:port']) {
    const message = messageOf(() => parseClickHouseAddress(`clickhouse://${secret}/notes/all`))
    expect(message).toMatch(/a user or password in it.*ADFA_CLICKHOUSE_USER/)
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

test('readClickHouseCredentials(...) takes the environment', () => {
  const environment = {ADFA_CLICKHOUSE_USER: 'me', ADFA_CLICKHOUSE_PASSWORD: 'p', OTHER: 'x'}
  expect(readClickHouseCredentials(environment)).toEqual({user: 'me', password: 'p'})
  expect(readClickHouseCredentials({})).toStrictEqual({})
})
