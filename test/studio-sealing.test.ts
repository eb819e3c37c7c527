// Nothing leaves the machine: the browser itself refuses it, and nothing is stored.
import {once} from 'node:events'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import type {Page} from 'playwright-core'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {
  addConcept,
  addWord,
  allReady,
  builtText,
  exported,
  goTo,
  hasField,
  journeys,
  patient,
  probeField,
  readFiles,
  statusBar
} from './built-studio.ts'
import {asLines, emergencyVisits} from './emergency-visits.ts'

const canary = 'canarywort'
const visits = emergencyVisits(1000, 6).map((visit, at) =>
  at % 5 === 0 ? {...visit, id: `${canary}-${at}`, text: `${visit.text}. ${canary}`} : visit
)

journeys('the seal of the studio', journey => {
  let other: Server
  const reached: string[] = []
  let connections = 0
  let elsewhere = ''
  beforeAll(async () => {
    other = createServer((request, response) => {
      reached.push(request.url ?? '')
      response.writeHead(200, {'access-control-allow-origin': '*'}).end()
    })
    other.on('connection', () => connections++)
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    // It does listen.
    await fetch(elsewhere)
    expect(reached.splice(0)).toEqual(['/'])
    connections = 0
  })
  afterAll(() => {
    other?.closeAllConnections()
    other?.close()
  })

  journey(
    'no word of a document is in an address or in storage, and no other address is reached',
    async (page, faults) => {
      const addresses: string[] = []
      page.on('request', request => addresses.push(request.url()))
      page.on('framenavigated', frame => addresses.push(frame.url()))
      const note = async () => addresses.push(page.url(), String(await page.evaluate('location.href')))

      await readFiles(page, {[`${canary}.jsonl`]: asLines(visits)})
      await addConcept(page, canary)
      await addWord(page, canary)
      await addConcept(page, 'stroke')
      await addWord(page, 'stroke')
      await note()
      await allReady(page)
      await goTo(page, 'Label')
      await page.locator('#doc-title').waitFor()
      await note()
      await goTo(page, 'Documents')
      await hasField(page).fill(canary)
      await expect.poll(() => page.locator('.result b').innerText(), patient).toBe('200')
      await page.locator('.hit').first().click()
      await page.locator('#text-title', {hasText: canary}).waitFor()
      await note()
      expect((await exported(page, 'Predictions, CSV')).bytes.toString()).toContain(canary)

      expect(addresses.length).toBeGreaterThan(4)
      expect(addresses.filter(address => address.includes(canary))).toEqual([])
      expect(await page.context().storageState({indexedDB: true})).toEqual({cookies: [], origins: []})
      expect(await page.evaluate(KEPT)).toEqual({
        local: 0,
        session: 0,
        caches: [],
        workers: 0,
        databases: [],
        state: null
      })
      expect(faults).toEqual([])
      await seeSeal(page)

      expect(page.workers()).toHaveLength(2)
      await tryAll(page, faults)
      // And it works on.
      await goTo(page, 'Anchors')
      await probeField(page).fill('stroke')
      await allReady(page)
    }
  )

  journey(
    'one file from disk does the demo without a network',
    async (page, faults) => {
      await page.context().setOffline(true)
      await page.getByRole('button', {name: 'Open the emergency demo'}).click()
      await expect.poll(() => statusBar(page), patient).toContain('20,000 documents 23 concepts')
      await expect.poll(() => statusBar(page), {...patient, timeout: 180_000}).toMatch(/Numbers ready .*Scores ready/)
      // The misspelt anchor of the demo.
      expect(await statusBar(page)).toMatch(/Doctor .*(fault|warning|note)/)
      const {bytes} = await exported(page, 'Predictions, JSON Lines')
      expect(bytes.toString().trimEnd().split('\n')).toHaveLength(20_000)
      await seeSeal(page)
      expect(faults).toEqual([])
      await page.context().setOffline(false)
      await tryAll(page, faults)
    },
    'from disk'
  )

  /** What a page or a worker might try, from inside. */
  async function tryAll(page: Page, faults: string[]): Promise<void> {
    const insides: readonly {evaluate(script: string): Promise<unknown>}[] = [page, ...page.workers()]
    for (const inside of insides)
      expect(await inside.evaluate(`(${ATTEMPTS})('${elsewhere}', '${canary}')`)).toEqual([
        'fetch refused',
        'request refused',
        'socket refused',
        'import refused',
        'code refused'
      ])
    expect(connections).toBe(0)
    // For a frame Chromium opens a connection before it asks the policy, and sends nothing.
    expect(await page.evaluate(`(${PAGE_ATTEMPTS})('${elsewhere}', '${canary}')`)).toEqual([
      'worker refused',
      'markup refused'
    ])
    const refusals = () => faults.filter(fault => fault.startsWith('console: policy')).length
    await expect.poll(refusals, patient).toBeGreaterThan(5)
    expect(reached).toEqual([])
    faults.splice(0)
    connections = 0
  }

  test('nothing in the scripts takes the page to another address, which no policy forbids', () => {
    const leaving =
      /\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:assign|replace)\b|\bwindow\.open\b|\bnavigation\.navigate\b/
    for (const sample of ['location="x"', 'location.href = y', 'window.open(z)', 'location.assign(z)'])
      expect(sample).toMatch(leaving)
    for (const name of ['studio.js', 'analysis-pages.js', 'session.js', 'solver.js', 'draw.js'])
      expect(leaving.exec(builtText(`studio/${name}`))?.[0]).toBe(undefined)
  })

  journey('links of the page stay on it', async page => {
    const links = 'Array.from(document.links, link => link.getAttribute("href"))'
    const addresses = await page.evaluate<string[]>(links)
    expect(addresses.length).toBeGreaterThan(3)
    expect(addresses.filter(address => !address.startsWith('#'))).toEqual([])
  })
})

/** What the page itself says of its requests so far. */
async function seeSeal(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Nothing leaves this computer'}).click()
  const dialog = page.locator('dialog', {hasText: "default-src 'none'"})
  await dialog.getByText('none to another address. The policy had nothing to refuse.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({state: 'detached'})
}

/** What the browser keeps for the page. */
const KEPT = `Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations(), indexedDB.databases()]).then(
  ([names, workers, databases]) => ({
    local: localStorage.length, session: sessionStorage.length, caches: names, workers: workers.length, databases, state: history.state
  })
)`

/** In a page or a worker: ways to reach another address, or to run other code; what became of each. */
const ATTEMPTS = `async (elsewhere, word) => {
  const tried = async (what, act) => {
    try { await act() } catch { return what + ' refused' }
    return what + ' done'
  }
  const opened = (target, good) => new Promise((resolve, reject) => {
    target.addEventListener(good, resolve)
    target.addEventListener('error', reject)
  })
  return [
    await tried('fetch', () => fetch(elsewhere + '/?' + word)),
    await tried('request', () => {
      const request = new XMLHttpRequest()
      request.open('GET', elsewhere + '/?' + word)
      request.send()
      return opened(request, 'load')
    }),
    await tried('socket', () => opened(new WebSocket(elsewhere.replace('http', 'ws') + '/' + word), 'open')),
    await tried('import', () => import(elsewhere + '/x.js')),
    await tried('code', () => (0, eval)('1'))
  ]
}`

/** In a page: elements and calls that load or send, without an answer to wait for; what became of those that have one. */
const PAGE_ATTEMPTS = `async (elsewhere, word) => {
  const tried = (what, act) => {
    try { act() } catch { return what + ' refused' }
    return what + ' done'
  }
  const put = (name, values) => tried(name, () => document.body.append(Object.assign(document.createElement(name), values)))
  put('img', {src: elsewhere + '/?img' + word})
  put('link', {rel: 'stylesheet', href: elsewhere + '/?css' + word})
  put('link', {rel: 'prefetch', href: elsewhere + '/?prefetch' + word})
  put('iframe', {src: elsewhere + '/?frame' + word})
  put('script', {src: elsewhere + '/?script' + word})
  tried('beacon', () => navigator.sendBeacon(elsewhere + '/?beacon', word))
  tried('events', () => new EventSource(elsewhere + '/?events' + word))
  const outcomes = [
    tried('worker', () => new Worker(elsewhere + '/?worker' + word)),
    tried('markup', () => document.body.insertAdjacentHTML('beforeend', '<p>'))
  ]
  await new Promise(resolve => setTimeout(resolve, 500))
  return outcomes
}`
