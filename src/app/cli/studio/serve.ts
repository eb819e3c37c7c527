import {createReadStream, existsSync, readFileSync, statSync} from 'node:fs'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {basename, join} from 'node:path'
import {pipeline} from 'node:stream'
import {AdfaError} from '../../../base/checks/index.ts'

/** Where scripts and styles of a page come from: its own origin, or hashes of what is in the file itself. */
export interface PolicySources {
  readonly script: string
  readonly style: string
  readonly connect: string
}

export const servedSources: PolicySources = {script: "'self'", style: "'self'", connect: "'self'"}

/**
 * What the browser may load, run and reach: nothing but the studio's own files. Workers are started from texts that the page
 * holds (`blob:`), and inherit the policy; Graphviz is WebAssembly.
 */
export function studioPolicy({script, style, connect}: PolicySources): string {
  return [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    `connect-src ${connect}`,
    `style-src ${style}`,
    'img-src blob: data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types adfa'
  ].join('; ')
}

const HOST = '127.0.0.1'

const HEADERS = {
  'content-security-policy': `${studioPolicy(servedSources)}; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store'
}

/** The files of the studio, and nothing else of its folder. */
const PAGES: ReadonlyMap<string, readonly [file: string, type: string]> = new Map([
  ['/', ['index.html', 'text/html']],
  ['/studio.js', ['studio.js', 'text/javascript']],
  ['/analysis-pages.js', ['analysis-pages.js', 'text/javascript']],
  ['/studio.css', ['studio.css', 'text/css']],
  ['/session.js', ['session.js', 'text/javascript']],
  ['/solver.js', ['solver.js', 'text/javascript']],
  ['/draw.js', ['draw.js', 'text/javascript']]
])

/** What the server may show: the folder of the built studio, and the files of the command line under a secret key. */
export interface Shown {
  readonly folder: string
  readonly files: readonly string[]
  readonly key: string
}

/** Serve on loopback until the server is closed; port 0 takes one that is free. */
export async function serveStudio(shown: Shown, port: number): Promise<{server: Server; address: string}> {
  const server = createServer((request, response) => answer(request, response, shown, server.address() as AddressInfo))
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => reject(cannotListen(port, cause)))
    server.listen(port, HOST, resolve)
  })
  const own = `http://${HOST}:${(server.address() as AddressInfo).port}/`
  return {server, address: shown.files.length === 0 ? own : `${own}#files=${shown.key}`}
}

function cannotListen(port: number, cause: Error): AdfaError {
  const {code} = cause as NodeJS.ErrnoException
  const why = code === 'EADDRINUSE' ? 'another program uses it' : cause.message
  return new AdfaError('bad-option', `port ${port} cannot be used: ${why}; name another with --port, or leave it out`, {
    cause
  })
}

function answer(request: IncomingMessage, response: ServerResponse, shown: Shown, {port}: AddressInfo): void {
  const {method, headers} = request
  const [path] = (request.url ?? '').split('?')
  const page = PAGES.get(path)
  const [, given, number] = /^\/files\/([^/]+)\/(\d{0,4})$/.exec(path) ?? []
  const isTrusted = given === shown.key && headers['sec-fetch-site'] === 'same-origin'
  const file = shown.files[Number(number)]
  // Another name for this address would let a page of another origin read what is served here.
  if (headers.host !== `${HOST}:${port}`) refuse(response, 421)
  else if (method !== 'GET' && method !== 'HEAD') refuse(response, 405)
  else if (page) sendPage(request, response, join(shown.folder, page[0]), page[1])
  else if (isTrusted && number === '') sendList(response, shown.files)
  else if (isTrusted && file !== undefined) sendFile(request, response, file)
  else refuse(response, 404)
}

function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, {...HEADERS, ...headers, 'content-length': 0}).end()
}

function sendPage(request: IncomingMessage, response: ServerResponse, file: string, type: string): void {
  if (!existsSync(file)) {
    refuse(response, 404)
    return
  }
  const bytes = readFileSync(file)
  response.writeHead(200, {...HEADERS, 'content-type': `${type}; charset=utf-8`, 'content-length': bytes.length})
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function sendList(response: ServerResponse, files: readonly string[]): void {
  const list = files.map(file => ({name: basename(file), size: statSync(file, {throwIfNoEntry: false})?.size ?? 0}))
  response.writeHead(200, {...HEADERS, 'content-type': 'application/json'}).end(JSON.stringify(list))
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: string): void {
  const size = statSync(file, {throwIfNoEntry: false})?.size
  const range = size === undefined ? undefined : rangeOf(request.headers.range, size)
  if (size === undefined) refuse(response, 404)
  else if (range === 'beyond') refuse(response, 416, {'content-range': `bytes */${size}`})
  else {
    const [from, to] = range ?? [0, size - 1]
    response.writeHead(range ? 206 : 200, {
      ...HEADERS,
      'content-type': 'application/octet-stream',
      'content-length': to - from + 1,
      'accept-ranges': 'bytes',
      ...(range && {'content-range': `bytes ${from}-${to}/${size}`})
    })
    // A reader that leaves, or a file that goes, ends this answer and nothing else.
    if (request.method === 'HEAD' || size === 0) response.end()
    else pipeline(createReadStream(file, {start: from, end: to}), response, () => {})
  }
}

/** First and last byte of `bytes=a-b`, `bytes=a-` or `bytes=-n`; other requests get the whole file. */
export function rangeOf(header: string | undefined, size: number): readonly [number, number] | 'beyond' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  return from >= size || from > to ? 'beyond' : [from, to]
}
