import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {type IncomingHttpHeaders, request, type Server} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {servedSources, studioPolicy} from './policy.ts'
import {rangeOf, serveStudio} from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'adfa-serve-'))
const at = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const text = '{"id": 1, "text": "etoh"}\n'
const key = 'a'.repeat(32)
let server: Server
let port = 0

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {host: '127.0.0.1', port, path, method, headers, setHost: headers.host === undefined},
      answer => {
        let body = ''
        answer.on('data', part => {
          body += part
        })
        answer.on('end', () => resolve({status: answer.statusCode ?? 0, headers: answer.headers, body}))
      }
    )
    asked.on('error', reject)
    asked.end()
  })
}
const own = {'sec-fetch-site': 'same-origin'}

beforeAll(async () => {
  for (const name of ['index.html', 'studio.js', 'studio.css', 'desk.js']) at(name, `of ${name}`)
  at('secret.txt', 'secret')
  const files = [at('notes.jsonl', text), at('empty.jsonl', '')]
  const served = await serveStudio({folder, files, key}, 0)
  server = served.server
  port = Number(new URL(served.address).port)
  expect(served.address).toBe(`http://127.0.0.1:${port}/#files=${key}`)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, {recursive: true})
})

describe('serveStudio(shown, port)', () => {
  test('goes on when a file of the page is gone, as while the program is installed again', async () => {
    rmSync(join(folder, 'desk.js'))
    expect((await ask('/desk.js')).status).toBe(404)
    at('desk.js', 'of desk.js')
    expect(await ask('/desk.js')).toMatchObject({status: 200, body: 'of desk.js'})
  })

  test.each([
    ['/', 'index.html', 'text/html'],
    ['/studio.js', 'studio.js', 'text/javascript'],
    ['/studio.css?x', 'studio.css', 'text/css'],
    ['/desk.js', 'desk.js', 'text/javascript']
  ])('GET %s sends %s with its type and the headers that seal it', async (path, name, type) => {
    const {status, headers, body} = await ask(path)
    expect([status, body]).toEqual([200, `of ${name}`])
    expect(headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': `${studioPolicy(servedSources)}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store'
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each([
    '/secret.txt',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/index.html/',
    '/files/',
    `/files/${key}`,
    `/files/${'b'.repeat(32)}/0`,
    `/files/${key}/2`,
    `/files/${key}/0/`,
    `/files/${key}/-1`,
    `/files/${key}/../secret.txt`
  ])('GET %s is not found', async path => {
    expect((await ask(path, own)).status).toBe(404)
  })

  test('files need the key and a request of the page itself', async () => {
    const path = `/files/${key}/0`
    expect(await ask(path, own)).toMatchObject({status: 200, body: text})
    for (const site of ['cross-site', 'same-site', 'none', undefined])
      expect((await ask(path, site === undefined ? {} : {'sec-fetch-site': site})).status).toBe(404)
    expect(JSON.parse((await ask(`/files/${key}/`, own)).body)).toEqual([
      {name: 'notes.jsonl', size: text.length},
      {name: 'empty.jsonl', size: 0}
    ])
    expect(await ask(`/files/${key}/1`, own)).toMatchObject({status: 200, body: ''})
  })

  test('another name for this address is refused, and so is every method but GET and HEAD', async () => {
    for (const host of ['localhost', `localhost:${port}`, 'evil.example', `127.0.0.1:${port + 1}`, '127.0.0.1'])
      expect((await ask('/', {host})).status).toBe(421)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await ask('/', {}, method)).status).toBe(405)
    expect(await ask('/', {}, 'HEAD')).toMatchObject({status: 200, body: ''})
    const head = await ask(`/files/${key}/0`, own, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(text.length), ''])
  })

  test('ranges of files', async () => {
    const part = async (range: string) => ask(`/files/${key}/0`, {...own, range})
    expect(await part('bytes=2-5')).toMatchObject({status: 206, body: text.slice(2, 6)})
    expect((await part('bytes=2-5')).headers['content-range']).toBe(`bytes 2-5/${text.length}`)
    expect(await part('bytes=20-')).toMatchObject({status: 206, body: text.slice(20)})
    expect(await part('bytes=-3')).toMatchObject({status: 206, body: text.slice(-3)})
    expect(await part('bytes=0-999')).toMatchObject({status: 206, body: text})
    expect((await part('bytes=999-')).headers['content-range']).toBe(`bytes */${text.length}`)
    expect((await part('bytes=999-')).status).toBe(416)
    expect(await part('bytes=0-1,3-4')).toMatchObject({status: 200, body: text})
  })

  test('a port that is in use is refused with the way out', async () => {
    const message = `port ${port} cannot be used: another program uses it; name another with --port, or leave it out`
    await expect(serveStudio({folder, files: [], key}, port)).rejects.toThrow(message)
  })
})

test('rangeOf(header, size) stays inside the file, whatever is asked', () => {
  const header = fc.tuple(fc.option(fc.nat(30)), fc.option(fc.nat(30))).map(([a, b]) => `bytes=${a ?? ''}-${b ?? ''}`)
  fc.assert(
    fc.property(header, fc.nat(20), (range, size) => {
      const found = rangeOf(range, size)
      if (!Array.isArray(found)) return
      const [from, to] = found as [number, number]
      expect(from >= 0 && from <= to && to < size).toBe(true)
    })
  )
})
