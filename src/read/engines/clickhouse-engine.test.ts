import {execFileSync, spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {afterEach, expect, test} from 'vitest'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {parseClickHouseAddress} from './clickhouse-address.ts'
import {ClickHouseServer, openClickHouse} from './clickhouse-engine.ts'

/** What a server does with the query that it is sent; it says of all others that nothing runs. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void

const folder = testFolder()
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server of a few lines, which keeps the queries it was sent. */
async function serve(answer: Answer, timeLimit = 0, tls?: {readonly key: Buffer; readonly cert: Buffer}) {
  const queries: string[] = []
  const create = tls === undefined ? createServer : createTlsServer.bind(undefined, tls)
  const server = create(async (request: IncomingMessage, response: ServerResponse) => {
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
  const address = `clickhouse${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/d/t`
  const open = (certificate?: Uint8Array) => {
    const credentials = {user: 'me', password: 'hunter2', ...(certificate && {certificate})}
    return new ClickHouseServer(parseClickHouseAddress(address), credentials, timeLimit)
  }
  return {address, queries, open, session: open()}
}

async function columnsOf(session: ClickHouseServer, signal?: AbortSignal) {
  const found: string[][] = []
  for await (const columns of session.columns('SELECT words', signal))
    columns.forEach((cells, at) => {
      found[at] = [...(found[at] ?? []), ...cells]
    })
  return found
}

test('ClickHouseServer.columns(...) gives whole rows, however the answer is cut, and undoes escapes', async () => {
  const {session} = await serve(response => {
    response.write('é\t1\na\\tb')
    setTimeout(() => response.end('\\n\\\\\t22\n'), 30)
  })
  expect(await columnsOf(session)).toEqual([
    ['é', 'a\tb\n\\'],
    ['1', '22']
  ])
})

test('ClickHouseServer.columns(...) sends an id of its own with each query, and asks for whole answers', async () => {
  const sent: (readonly unknown[])[] = []
  const {session, queries} = await serve((response, request) => {
    const {searchParams} = new URL(request.url ?? '', 'http://x')
    sent.push([searchParams.get('query_id'), searchParams.get('wait_end_of_query'), request.headers.authorization])
    response.end()
  })
  for (const _ of [1, 2]) await columnsOf(session)
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

test.skipIf(spawnSync('openssl', ['version']).error)(
  'ClickHouseServer uses TLS with a server whose certificate it is given, and with no other',
  async () => {
    const [key, cert] = ['key.pem', 'cert.pem'].map(name => join(folder.path, name))
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync(
      'openssl',
      [...'req -x509 -newkey rsa:2048 -nodes -keyout'.split(' '), key, '-out', cert, ...subject],
      {
        stdio: 'ignore'
      }
    )
    const tls = {key: readFileSync(key), cert: readFileSync(cert)}
    const {open, queries} = await serve(response => response.end('1\n'), 0, tls)
    expect(await columnsOf(open(tls.cert))).toEqual([['1']])
    expect((await failureOf(() => columnsOf(open()))).message).toMatch(/cannot be reached.*certificate/)
    expect(queries).toEqual(['SELECT words'])
  }
)

test('a server that accepts and says nothing holds nobody longer than the time limit', async () => {
  const {address, session} = await serve(() => {}, 1)
  for (const ask of [() => columnsOf(session), () => openClickHouse(address, {timeLimit: 1})]) {
    const started = performance.now()
    expect((await failureOf(ask)).message).toMatch(/did not answer in time; .*`timeLimit`/)
    // The limit, two seconds of grace, and the time of a busy computer.
    expect(performance.now() - started).toBeLessThan(5000)
  }
}, 15_000)
