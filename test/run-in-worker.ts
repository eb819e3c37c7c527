import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {delimiter, join} from 'node:path'
import {chromium} from 'playwright-core'

/** Chromium as named by CHROMIUM, or found on the path. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return process.env.CHROMIUM ?? folders.map(folder => join(folder, 'chromium')).find(path => existsSync(path))
}

/**
 * Serve files on loopback (ES modules as text, WebAssembly as bytes), import `bundle.js` in a module Web Worker of headless
 * Chromium, and return the awaited value of `expression`, in which `module` is its exports.
 */
export async function runInWorker(
  executablePath: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  expression: string
): Promise<unknown> {
  const worker = `import * as module from '/bundle.js'\npostMessage(await (${expression}))\n`
  const pages = new Map<string, {type: string; body: string | Uint8Array}>([
    ['/', {type: 'text/html', body: '<!doctype html><link rel="icon" href="data:,">'}],
    ['/worker.js', {type: 'text/javascript', body: worker}]
  ])
  for (const [name, body] of files)
    pages.set(`/${name}`, {type: typeof body === 'string' ? 'text/javascript' : 'application/wasm', body})
  const server = createServer(({url = ''}, response) => {
    const page = pages.get(url)
    response.writeHead(page ? 200 : 404, {'content-type': page?.type ?? 'text/plain'}).end(page?.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await askWorker(executablePath, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function askWorker(executablePath: string, address: string): Promise<unknown> {
  const browser = await chromium.launch({executablePath, args: FLAGS})
  try {
    const page = await browser.newPage()
    await page.goto(address)
    return await page.evaluate(START_WORKER)
  } finally {
    await browser.close()
  }
}

/** No sandbox, since tests may run as root; no network access. */
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run'
]

/** As text, since it runs in the page. */
const START_WORKER = `new Promise((resolve, reject) => {
  const worker = new Worker('/worker.js', {type: 'module'})
  worker.onmessage = event => resolve(event.data)
  worker.onerror = event => reject(new Error('the worker failed: ' + event.message))
  worker.onmessageerror = () => reject(new Error('the worker sent what cannot be read'))
})`
