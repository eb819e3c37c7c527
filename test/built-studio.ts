// The built studio in Chromium, as the tests of its journeys use it.
import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import type {Server} from 'node:http'
import {fileURLToPath} from 'node:url'
import {type Browser, type BrowserContextOptions, chromium, type Locator, type Page} from 'playwright-core'
import {afterAll, beforeAll, expect} from 'vitest'
import {serveStudio} from '../src/app/cli/studio/serve.ts'
import {findChromium} from './run-in-worker.ts'

const executablePath = findChromium()
const built = (name: string) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url))

export const studioFile = built('studio.html')
/** Whether there is no browser here; where tests must run, they fail instead. */
export const lacksBrowser = executablePath === undefined && !process.env.CI

/** Machines that run tests are busy: what is waited for comes, and nobody says when. */
export const patient = {timeout: 60_000, interval: 100}

export const wide = {viewport: {width: 1440, height: 900}}

/** A page of the studio with all that went wrong on it. */
export interface Opened {
  readonly page: Page
  /** Errors, refusals of the policy, and requests to other addresses, in words. */
  readonly faults: string[]
  close(): Promise<void>
}

/** The built studio, served on loopback for the tests of one file. */
export interface StudioServer {
  address(): string
  /** `address`: other than where it is served; `context`: as Playwright has it. */
  open(options?: BrowserContextOptions, address?: string): Promise<Opened>
}

export function studioServer(): StudioServer {
  let browser: Browser | undefined
  let server: Server | undefined
  let own = ''
  beforeAll(async () => {
    if (executablePath === undefined)
      throw new Error('no Chromium found; install it (apt-get install chromium) or name it in CHROMIUM')
    for (const name of ['studio/index.html', 'studio/studio.js', 'studio/desk.js', 'studio.html', 'adfa.js'])
      expect(existsSync(built(name)), `dist/${name}, the built studio; run \`npm run build\` first`).toBe(true)
    ;({server, address: own} = await serveStudio({folder: built('studio'), files: [], key: ''}, 0))
    browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-background-networking']})
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })
  return {
    address: () => own,
    async open(options = wide, address = own) {
      if (browser === undefined) throw new Error('the browser has not been started')
      const context = await browser.newContext({reducedMotion: 'reduce', ...options})
      context.setDefaultTimeout(patient.timeout)
      const page = await context.newPage()
      const faults = watch(page, address)
      await page.goto(address)
      await page.locator('.strip').waitFor()
      return {page, faults, close: () => context.close()}
    }
  }
}

/** Collects what goes wrong. */
function watch(page: Page, address: string): string[] {
  const faults: string[] = []
  page.on('console', message => message.type() === 'error' && faults.push(`console: ${message.text()}`))
  page.on('pageerror', error => faults.push(`error: ${error.message}`))
  page.on('crash', () => faults.push('the page crashed'))
  page.on('dialog', dialog => {
    // Leaving with work that is not saved asks.
    if (dialog.type() !== 'beforeunload') faults.push(`dialog: ${dialog.message()}`)
    void dialog.accept()
  })
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(address.replace(/#.*$/, '')) && !/^(blob|data):/.test(url)) faults.push(`request: ${url}`)
  })
  void page.addInitScript(
    `document.addEventListener('securitypolicyviolation', event => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`
  )
  return faults
}

/** Words of the Strip: `Numbers ready`. */
export async function strip(page: Page): Promise<string> {
  return (await page.locator('.strip').innerText()).replace(/\s+/g, ' ')
}

/** Remembers all that the Strip says from now on, however briefly: each time it changes, in order. */
export async function watchStrip(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`{
    const strip = document.querySelector('.strip')
    const words = () => [...strip.children].map(part => part.textContent).join(' ').replace(/\\s+/g, ' ')
    const seen = [words()]
    new MutationObserver(() => words() === seen.at(-1) || seen.push(words()))
      .observe(strip, {subtree: true, childList: true, characterData: true})
    globalThis.seenInStrip = seen
  }`)
  return () => page.evaluate('seenInStrip')
}

/** Wait until numbers and scores follow from the project as it is. */
export async function allReady(page: Page): Promise<void> {
  await expect.poll(() => strip(page), patient).toMatch(/Numbers ready .*Scores ready/)
}

/** Give files to the Start page, as browsing for them does. */
export async function giveFiles(page: Page, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(
    Object.entries(files).map(([name, content]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content)
    }))
  )
}

/** Give files, perhaps change how they are read, and read them all. */
export async function readFiles(
  page: Page,
  files: Readonly<Record<string, string | Uint8Array>>,
  change: () => Promise<void> = async () => {}
): Promise<void> {
  await giveFiles(page, files)
  await page.locator('.preview').waitFor()
  await change()
  await page.getByRole('button', {name: /^Read /}).click()
  await page.locator('.anchors.columns, .name-concept').first().waitFor()
}

type PageTitle = 'Start' | 'Anchors' | 'Label' | 'Documents' | 'Evaluate'

export async function goTo(page: Page, title: PageTitle): Promise<void> {
  await page.getByRole('navigation', {name: 'Pages'}).getByRole('link', {name: title}).click()
}

/** The box for a word on trial, on Anchors. */
export function probeField(page: Page): Locator {
  return page.locator('.probe .field')
}

/** Add a word to the concept at hand, by the keyboard. */
export async function addWord(page: Page, feature: string): Promise<void> {
  await probeField(page).fill(feature)
  await probeField(page).press('Enter')
  await memberRow(page, feature).waitFor()
}

export function memberRow(page: Page, feature: string): Locator {
  return page.locator('.features tbody tr').filter({has: page.locator('code', {hasText: exactly(feature)})})
}

/** Name a concept on Anchors; the focus is then in the box for words. */
export async function addConcept(page: Page, name: string): Promise<void> {
  await page.locator('.name-concept').first().click()
  await page.getByLabel('Name of the concept').fill(name)
  await page.keyboard.press('Enter')
  await page.locator('#bench-title', {hasText: exactly(name)}).waitFor()
}

export function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&')}$`)
}

/** What the menu Export saves under these words. */
export async function exported(page: Page, words: string): Promise<{name: string; bytes: Buffer}> {
  await page.getByRole('button', {name: 'Export', exact: true}).click()
  return saved(page, () => page.locator('#exports').getByRole('button', {name: words}).click())
}

/** The file that the page saves when something is done. */
export async function saved(page: Page, act: () => Promise<void>): Promise<{name: string; bytes: Buffer}> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return {name: download.suggestedFilename(), bytes: await readFile(await download.path())}
}
