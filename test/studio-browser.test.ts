import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {gzipSync} from 'node:zlib'
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {serveStudio} from '../src/app/cli/studio/serve.ts'
import {buildStudio} from '../studio-build.ts'
import {findChromium} from './run-in-worker.ts'

const executablePath = findChromium()
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'adfa-studio-'))
const key = '0123456789abcdef'.repeat(2)
const words = ['fell', 'etoh', 'drunk', 'hip', 'pain', 'ankle', 'beer']
const rows = Array.from({length: 60}, (_, at) => ({id: at, text: `${words[at % 7]} ${words[(at * 3) % 7]} canary`}))

let files: ReadonlyMap<string, string> = new Map()
let browser: Browser
let server: Server
let stranger: Server
let address = ''
let reached = 0

describe.skipIf(!executablePath && !process.env.CI)('the studio in a browser', () => {
  beforeAll(async () => {
    if (!executablePath)
      throw new Error('no Chromium found; install it (apt-get install chromium) or name it in CHROMIUM')
    files = await buildStudio()
    mkdirSync(join(folder, 'studio'))
    for (const [name, text] of files) writeFileSync(join(folder, name), text)
    const notes = join(folder, 'notes.jsonl')
    writeFileSync(notes, rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    const anchors = join(folder, 'anchors.json')
    writeFileSync(anchors, JSON.stringify({alcohol: ['etoh', 'drunk'], fall: ['fell']}, null, 2))
    const served = await serveStudio({folder: join(folder, 'studio'), files: [notes, anchors], key}, 0)
    server = served.server
    address = served.address
    stranger = createServer((_, response) => {
      reached++
      response.end()
    }).listen(0, '127.0.0.1')
    browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-background-networking']})
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    for (const one of [server, stranger]) one?.closeAllConnections()
    for (const one of [server, stranger]) one?.close()
    rmSync(folder, {recursive: true})
  })

  const single = () => `file://${join(folder, 'studio.html')}`
  const own = () => address.replace(/#.*/, '')

  test.each(['served', 'from disk'])(
    '%s, the page opens, and nothing is refused, missing or asked of others',
    async where => {
      const url = where === 'served' ? own() : single()
      const {page, faults, requests, close} = await open(url)
      await page.getByRole('heading', {name: 'Start'}).waitFor()
      await page.locator('.strip', {hasText: 'no documents'}).waitFor()
      await page.getByRole('button', {name: 'Nothing leaves this computer'}).click()
      await page.locator('dialog', {hasText: "default-src 'none'"}).waitFor()
      await page.locator('dialog', {hasText: 'none to another address'}).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({state: 'detached'})
      expect(faults).toEqual([])
      for (const request of requests)
        expect(request.replace(/^blob:/, '')).toMatch(where === 'served' ? own() : /^(file|null)/)
      await close()
    }
  )

  test('files of the command line are read, and their results are the same from disk', async () => {
    const results: string[] = []
    for (const url of [address, single()]) {
      const {page, faults, close} = await open(url)
      if (url !== address)
        await page.setInputFiles(
          'input[type=file]',
          ['notes.jsonl', 'anchors.json'].map(name => join(folder, name))
        )
      await page.getByRole('cell', {name: 'anchors of 2 concepts'}).waitFor()
      await page.getByRole('button', {name: /^Read .*documents$/}).click()
      await page.locator('nav [aria-current]', {hasText: 'Anchors'}).waitFor()
      const strip = page.locator('.strip')
      await expect.poll(() => strip.innerText(), {timeout: 120_000}).toMatch(/Scores\s+(ready|failed)/)
      expect(await page.evaluate('location.hash')).not.toContain('canary')
      results.push(await strip.innerText(), await page.locator('.concepts').innerText())
      expect(faults).toEqual([])
      await close()
    }
    expect(results.slice(2)).toEqual(results.slice(0, 2))
    expect(results[0]).toContain('60 documents')
  }, 300_000)

  test.each(['served', 'from disk'])('%s, the page and scripts in it can reach nobody else', async where => {
    const {page, close} = await open(where === 'served' ? own() : single())
    const target = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/canary`
    const tried = await page.evaluate(`(${ATTEMPTS})(${JSON.stringify(target)})`)
    expect(tried).toEqual(['refused', 'refused', 'refused'])
    await page.waitForTimeout(200)
    expect(reached).toBe(0)
    await close()
  })

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 360],
    ['dark', 320]
  ] as const)('axe finds no serious fault on Start, %s, %d px', async (colorScheme, width) => {
    const {page, close} = await open(address, {viewport: {width, height: 900}, colorScheme})
    await page.getByText('As it will be read').waitFor()
    await page.evaluate(axe)
    const {violations} = (await page.evaluate('axe.run({resultTypes: ["violations"]})')) as AxeResult
    const serious = violations.filter(({impact}) => impact === 'serious' || impact === 'critical')
    expect(serious.map(({id, nodes}) => `${id}: ${nodes[0].html}`)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await close()
  })

  test('leaving asks while there is work that is not saved', async () => {
    const {page, close} = await open(own())
    let asked = 0
    page.on('dialog', dialog => {
      asked++
      dialog.accept()
    })
    await page.getByLabel('Name of the project').fill('visits')
    await page.keyboard.press('Enter')
    await page.getByText('not saved').waitFor()
    await page.reload()
    expect(asked).toBe(1)
    expect(await page.getByLabel('Name of the project').inputValue()).toBe('untitled')
    await close()
  })

  test('the scripts are small, compressed: the page below 60 kB, the desk below 180, without what needs HiGHS', () => {
    const desk = files.get('studio/desk.js') ?? ''
    expect(gzipSync(files.get('studio/studio.js') ?? '').length).toBeLessThan(60_000)
    expect(gzipSync(desk).length).toBeLessThan(180_000)
    expect(desk).toContain('needs the solver HiGHS, which the studio does not have')
    expect(desk).not.toContain('mip_rel_gap')
  })

  test('a structure that needs HiGHS is refused in words', async () => {
    const {page, close} = await open(single())
    const fit = {structure: 'degree:2'}
    const anchors = {alcohol: ['etoh', 'drunk'], fall: ['fell']}
    const project = {format: 'adfa-project', version: 1, documents: ['notes.jsonl'], anchors, fit}
    await page.setInputFiles('input[type=file]', [
      {name: 'notes.jsonl', mimeType: '', buffer: readFileSync(join(folder, 'notes.jsonl'))},
      {name: 'a.adfa.json', mimeType: '', buffer: Buffer.from(JSON.stringify(project))}
    ])
    await page.getByRole('button', {name: /^Read .*documents$/}).click()
    await page.getByText('needs the solver HiGHS, which the studio does not have').first().waitFor()
    await close()
  })
})

/** What a script in the page could try, as a text: the types of a page are not known here. */
const ATTEMPTS = `async at => {
  const outcome = attempt => Promise.resolve().then(attempt).then(() => 'done', () => 'refused')
  new Image().src = at
  return Promise.all([
    outcome(() => fetch(at)),
    outcome(() => new Worker(at)),
    outcome(() => document.body.insertAdjacentHTML('beforeend', '<p>'))
  ])
}`

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly {readonly html: string}[]
  }[]
}

/** A page with everything that it complains about, and everything that it asks for. */
async function open(url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options})
  const page: Page = await context.newPage()
  const faults: string[] = []
  const requests: string[] = []
  page.on('console', message => faults.push(message.text()))
  page.on('pageerror', error => faults.push(error.message))
  page.on('request', request => requests.push(request.url()))
  await page.goto(url)
  return {page, faults, requests, close: () => context.close()}
}
