import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterEach, expect, test} from 'vitest'
import {failureOf} from '../files/test-folder.ts'
import {parseClickHouseAddress} from './clickhouse-address.ts'
import {openClickHouse} from './clickhouse-engine.ts'
import {ClickHouseServer} from './clickhouse-server.ts'

/** What a server does with the query that it is sent; it says of all others that nothing runs. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server of a few lines, which keeps the queries it was sent. */
async function serve(answer: Answer, timeLimit = 0) {
  const queries: string[] = []
  const server = createServer(async (request, response) => {
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
  const address = `clickhouse://127.0.0.1:${(server.address() as AddressInfo).port}/d/t`
  const credentials = {user: 'me', password: 'hunter2'}
  return {address, queries, session: new ClickHouseServer(parseClickHouseAddress(address), credentials, timeLimit)}
}

async function columnsOf(session: ClickHouseServer, signal?: AbortSignal) {
  const found: string[][] = []
  for await (const columns of session.columns('SELECT words', signal))
    columns.forEach((cells, at) => {
      found[at] = [...(found[at] ?? []), ...cells]
    })
  return found
}

test('ClickHouseServer.columns(...) gives whole rows, however the answer is cut, and undoes the escapes of tabs and lines', async () => {
  const {session, queries} = await serve(response => {
    response.write('é\t1\na\\tb')
    setTimeout(() => response.end('\\n\\\\\t22\n'), 30)
  })
  expect(await columnsOf(session)).toEqual([
    ['é', 'a\tb\n\\'],
    ['1', '22']
  ])
  expect(queries).toEqual(['SELECT words'])
})

test('ClickHouseServer.columns(...) sends an id of its own with each query, and asks for whole answers', async () => {
  const sent: URLSearchParams[] = []
  const users: unknown[] = []
  const {session} = await serve((response, request) => {
    sent.push(new URL(request.url ?? '', 'http://x').searchParams)
    users.push(request.headers.authorization)
    response.end()
  })
  await columnsOf(session)
  await columnsOf(session)
  expect(sent[0].get('query_id')).toMatch(/^adfa-[0-9a-f-]{36}-1$/)
  expect(sent[1].get('query_id')).toBe(`${sent[0].get('query_id')?.slice(0, -1)}2`)
  expect(sent[0].get('wait_end_of_query')).toBe('1')
  expect(users[0]).toBe(`Basic ${Buffer.from('me:hunter2').toString('base64')}`)
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
])('ClickHouseServer.columns(...) takes %s for no answer', async (_, answer, message) => {
  const {session} = await serve(answer)
  expect((await failureOf(() => columnsOf(session))).message).toMatch(message)
})

test('ClickHouseServer.columns(...) stops the query on the server when cancelled, or when nobody listens any more', async () => {
  const {session, queries} = await serve(response => response.write('41\t1\n'))
  const isStop = (query: string) => /^KILL QUERY WHERE query_id = 'adfa-.*' SYNC$/.test(query)
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  expect((await failureOf(() => columnsOf(session, controller.signal))).code).toBe('cancelled')
  expect(queries.some(isStop)).toBe(true)
  queries.length = 0
  for await (const _ of session.columns('SELECT words')) break
  expect(queries.some(isStop)).toBe(true)
  expect((await failureOf(() => columnsOf(session, AbortSignal.abort()))).code).toBe('cancelled')
})

test('a server that accepts and says nothing holds nobody longer than the time limit', async () => {
  const {address, session} = await serve(() => {}, 1)
  for (const ask of [() => columnsOf(session), () => openClickHouse(address, {timeLimit: 1})]) {
    const started = performance.now()
    expect((await failureOf(ask)).message).toMatch(/did not answer in time; .*`timeLimit`/)
    // The limit, two seconds of grace, and the time of a busy computer.
    expect(performance.now() - started).toBeLessThan(5000)
  }
}, 15_000)
