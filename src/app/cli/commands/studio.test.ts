import {existsSync, rmSync} from 'node:fs'
import {type IncomingHttpHeaders, request, type Server} from 'node:http'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {rangeOf, servedSources, serveStudio, studioPolicy} from '../studio/serve.ts'
import {adfa, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const text = '{"id": 1, "text": "etoh"}\n'
const key = 'a'.repeat(32)
const own = {'sec-fetch-site': 'same-origin'}
let server: Server
let port = 0

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const setHost = headers.host === undefined
    const asked = request({host: '127.0.0.1', port, path, method, headers, setHost}, answer => {
      const parts: string[] = []
      answer.on('data', part => parts.push(String(part)))
      answer.on('end', () => resolve({status: answer.statusCode ?? 0, headers: answer.headers, body: parts.join('')}))
    })
    asked.on('error', reject)
    asked.end()
  })
}

beforeAll(async () => {
  for (const name of ['index.html', 'studio.js', 'studio.css', 'session.js']) folder.write(name, `of ${name}`)
  folder.write('secret.txt', 'secret')
  const files = [folder.write('notes.jsonl', text), folder.write('empty.jsonl', '')]
  const served = await serveStudio({folder: folder.path, files, key}, 0)
  server = served.server
  port = Number(new URL(served.address).port)
  expect(served.address).toBe(`http://127.0.0.1:${port}/#files=${key}`)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('serveStudio(shown, port)', () => {
  test.each([
    ['/', 'index.html', 'text/html'],
    ['/studio.js', 'studio.js', 'text/javascript'],
    ['/studio.css?x', 'studio.css', 'text/css']
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

  test('the page may load its own files and start its own workers, and nothing else', () => {
    expect(studioPolicy(servedSources)).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; style-src 'self'; img-src blob: data:; " +
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types adfa"
    )
  })

  test('goes on when a file of the page is gone, as while the program is installed again', async () => {
    rmSync(folder.at('session.js'))
    expect((await ask('/session.js')).status).toBe(404)
    folder.write('session.js', 'of session.js')
    expect(await ask('/session.js')).toMatchObject({status: 200, body: 'of session.js'})
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
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await ask(path, {'sec-fetch-site': site})).status).toBe(404)
    expect((await ask(path)).status).toBe(404)
    const files = [
      {name: 'notes.jsonl', size: text.length},
      {name: 'empty.jsonl', size: 0}
    ]
    expect(JSON.parse((await ask(`/files/${key}/`, own)).body)).toEqual(files)
    expect(await ask(`/files/${key}/1`, own)).toMatchObject({status: 200, body: ''})
  })

  test('another name for this address is refused, and so is every method but GET and HEAD', async () => {
    for (const host of ['localhost', `localhost:${port}`, 'evil.example', `127.0.0.1:${port + 1}`, '127.0.0.1'])
      expect((await ask('/', {host})).status).toBe(421)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await ask('/', {}, method)).status).toBe(405)
    const head = await ask(`/files/${key}/0`, own, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(text.length), ''])
  })

  test.each([
    ['bytes=2-5', 206, text.slice(2, 6), `bytes 2-5/${text.length}`],
    ['bytes=20-', 206, text.slice(20), undefined],
    ['bytes=-3', 206, text.slice(-3), undefined],
    ['bytes=0-999', 206, text, undefined],
    ['bytes=999-', 416, undefined, `bytes */${text.length}`],
    ['bytes=0-1,3-4', 200, text, undefined]
  ])('range %s is answered with %d', async (range, status, body, told) => {
    const answer = await ask(`/files/${key}/0`, {...own, range})
    expect(answer.status).toBe(status)
    if (body !== undefined) expect(answer.body).toBe(body)
    if (told !== undefined) expect(answer.headers['content-range']).toBe(told)
  })

  test('a port that is in use is refused with the way out', async () => {
    const message = `port ${port} cannot be used: another program uses it; name another with --port, or leave it out`
    await expect(serveStudio({folder: folder.path, files: [], key}, port)).rejects.toThrow(message)
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

describe('adfa studio', () => {
  test.each([
    ['gone.jsonl', 1, /gone\.jsonl: no such file; check its name/],
    ['src', 2, /src is not a file; the studio takes files, so name those of the folder/],
    ['--force', 2, /--force replaces a file that --save writes; add --save/],
    ['--port 70000', 2, /--port 70000: a port is a number up to 65535; name another, or leave it out/]
  ] as const)('%s is refused', async (args, code, message) => {
    expect(await adfa`studio --no-open ${args.split(' ')}`).toEqual(refused(code, message))
  })

  test('--save keeps a file that is not a studio', async () => {
    const other = folder.write('other.html', '<p>mine</p>')
    expect(await adfa`studio --save ${other}`).toEqual(
      refused(2, /exists and is not a studio; name another file, or replace it with --force/)
    )
    expect(folder.text('other.html')).toBe('<p>mine</p>')
    expect((await adfa`studio ${other} --save ${folder.at('new.html')}`).code).toBe(2)
    expect(existsSync(folder.at('new.html'))).toBe(false)
  })
})
