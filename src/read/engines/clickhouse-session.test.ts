import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterEach, expect, test, vi} from 'vitest'
import {failureOf} from '../files/test-folder.ts'
import {parseClickHouseAddress} from './clickhouse-address.ts'
import {ClickHouseSession} from './clickhouse-session.ts'

/** What a server does with the query that it is sent; it says of all others that nothing runs. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  vi.doUnmock('@clickhouse/client')
  for (const close of closing.splice(0)) await close()
})

/** A session with a server of a few lines, which keeps the queries it was sent. */
async function sessionWith(answer: Answer): Promise<{session: ClickHouseSession; queries: string[]}> {
  const queries: string[] = []
  const server = createServer(async (request, response) => {
    let query = ''
    for await (const chunk of request) query += chunk
    queries.push(query)
    if (query.startsWith('SELECT words')) answer(response, request)
    else response.end(query.includes('JSON') ? '{"data": [{"found": 0}], "rows": 1, "meta": []}' : '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  const session = await ClickHouseSession.open(parseClickHouseAddress(`clickhouse://127.0.0.1:${port}/d/t`), {})
  closing.push(async () => {
    await session.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return {session, queries}
}

async function linesOf(session: ClickHouseSession, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = []
  for await (const lines of session.lines('SELECT words', {signal})) found.push(...lines)
  return found
}

test('ClickHouseSession.lines(...) gives whole rows, however the answer is cut', async () => {
  const {session, queries} = await sessionWith(response => {
    response.write('41\t1\n4')
    setTimeout(() => response.end('2\t22\n'), 30)
  })
  expect(await linesOf(session)).toEqual(['41\t1', '42\t22'])
  expect(queries).toEqual(['SELECT words FORMAT TabSeparated'])
})

test('ClickHouseSession.lines(...) sends an id of its own with each query', async () => {
  const ids: (string | null)[] = []
  const {session} = await sessionWith((response, request) => {
    ids.push(new URL(request.url ?? '', 'http://x').searchParams.get('query_id'))
    response.end()
  })
  await linesOf(session)
  await linesOf(session)
  expect(ids[0]).toMatch(/^adfa-[0-9a-f-]{36}-1$/)
  expect(ids[1]).toBe(`${ids[0]?.slice(0, -1)}2`)
})

test.each([
  [
    'a failure reported after some rows',
    '41\t1\nCode: 241, e.displayText() = DB::Exception: Memory limit',
    /more memory than allowed/
  ],
  ['a failure reported in the middle of a row', '41\t1\n42\tCode: 159. DB::Exception: Timeout', /longer than allowed/],
  ['a failure reported after a mark', '41\t1\n__exception__\r\ntag\r\nCode: 241. DB', /more memory than allowed/],
  ['an answer that ends in the middle of a row', '41\t1\n42\t2', /went away; nothing was counted.*middle of a row/]
])('ClickHouseSession.lines(...) takes %s for no answer', async (_, body, message) => {
  const {session} = await sessionWith(response => response.end(body))
  expect((await failureOf(() => linesOf(session))).message).toMatch(message)
})

test('ClickHouseSession.lines(...) takes a broken connection for no answer', async () => {
  const {session} = await sessionWith(response => {
    response.write('41\t1\n')
    setTimeout(() => response.destroy(), 20)
  })
  expect((await failureOf(() => linesOf(session))).message).toMatch(
    /cannot be reached, or went away; nothing was counted/
  )
})

test('ClickHouseSession.lines(...) stops the query on the server when cancelled, or when nobody listens any more', async () => {
  const {session, queries} = await sessionWith(response => response.write('41\t1\n'))
  const isStop = (query: string) => /^KILL QUERY WHERE query_id = 'adfa-.*' ASYNC$/.test(query)
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  expect((await failureOf(() => linesOf(session, controller.signal))).code).toBe('cancelled')
  expect(queries.some(isStop)).toBe(true)
  queries.length = 0
  for await (const lines of session.lines('SELECT words')) {
    expect(lines).toEqual(['41\t1'])
    break
  }
  expect(queries.some(isStop)).toBe(true)
  expect((await failureOf(() => linesOf(session, AbortSignal.abort()))).code).toBe('cancelled')
})

test('ClickHouseSession.lines(...) tells now and then how many rows the server has read', async () => {
  const {session} = await sessionWith(response => setTimeout(() => response.end('41\t1\n'), 1300))
  const seen: number[] = []
  for await (const lines of session.lines('SELECT words', {onRows: rows => seen.push(rows)}))
    expect(lines).toHaveLength(1)
  expect(seen).toHaveLength(1)
})

test('ClickHouseSession.open(...) says how to install the package when it is missing', async () => {
  vi.doMock('@clickhouse/client', () => {
    throw new Error('Cannot find package')
  })
  const failure = await failureOf(() => ClickHouseSession.open(parseClickHouseAddress('clickhouse://db/d/t'), {}))
  expect(failure.message).toMatch(/not installed; npm install @clickhouse\/client/)
})
