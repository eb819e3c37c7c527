// The built studio in Chromium, as the tests of its journeys use it; or in the Firefox that FIREFOX names.
import {existsSync, readFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import type {Server} from 'node:http'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {type Browser, chromium, type Locator, type Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {serveStudio} from '../src/app/cli/studio/serve.ts'
import {launchFirefox} from './launch-firefox.ts'
import {findChromium} from './run-in-worker.ts'

const executablePath = findChromium()
const firefox = process.env.FIREFOX
/** Whether there is no browser here; where tests must run, they fail instead. */
const lacksBrowser = (firefox ?? executablePath) === undefined && !process.env.CI

const built = (name: string) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url))

/** A file of the built studio. */
export function builtText(name: string): string {
  return readFileSync(built(name), 'utf8')
}

/** Machines that run tests are busy: what is waited for comes, and nobody says when. */
export const patient = {timeout: 60_000, interval: 100}

export const wide = {viewport: {width: 1440, height: 900}}

/** A way to have the studio. */
type Place = 'served' | 'from disk'

/** Where the longest journey is played; in Firefox, which plays no other, in both. */
export const places: readonly Place[] = firefox === undefined ? ['served'] : ['served', 'from disk']

/**
 * A test on a page of its own. At its end there are no faults: words in the console, errors, refusals of the policy, and
 * requests to other addresses. Those that it means to have, it takes out.
 */
type Journey = (title: string, play: (page: Page, faults: string[]) => Promise<void>, place?: Place) => void

/** Journeys through the built studio, which is served with these files of a command line. */
export function journeys(title: string, tell: (journey: Journey) => void, files: readonly string[] = []): void {
  describe.skipIf(lacksBrowser)(title, () => {
    const open = studioServer(files)
    tell((name, play, place = 'served') =>
      test(name, async () => {
        const {page, faults} = await open(place)
        await play(page, faults)
        expect(faults).toEqual([])
        await page.context().close()
      }, 600_000)
    )
  })
}

/** Serve the built studio on loopback for the tests of one file. */
function studioServer(files: readonly string[]) {
  let browser: Browser | undefined
  let server: Server | undefined
  let own = ''
  beforeAll(async () => {
    for (const name of ['studio/index.html', 'studio/studio.js', 'studio/session.js', 'studio.html', 'adfa.js'])
      expect(existsSync(built(name)), `dist/${name}, the built studio; run \`npm run build\` first`).toBe(true)
    ;({server, address: own} = await serveStudio(
      {folder: built('studio'), files, key: '0123456789abcdef'.repeat(2)},
      0
    ))
    browser = await launch()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })
  return async (place: Place) => {
    if (browser === undefined) throw new Error('the browser has not been started')
    const context = await browser.newContext({reducedMotion: 'reduce', ...wide})
    context.setDefaultTimeout(patient.timeout)
    const page = await context.newPage()
    const address = place === 'served' ? own : pathToFileURL(built('studio.html')).href
    const faults = await watch(page, address)
    await page.goto(address)
    await page.locator('.status-bar').waitFor()
    return {page, faults}
  }
}

async function launch(): Promise<Browser> {
  if (firefox !== undefined) return launchFirefox(firefox)
  if (executablePath === undefined)
    throw new Error('no Chromium found; install it (apt-get install chromium) or name it in CHROMIUM')
  return chromium.launch({executablePath, args: ['--no-sandbox', '--disable-background-networking']})
}

/** Collects what goes wrong. */
async function watch(page: Page, address: string): Promise<string[]> {
  const faults: string[] = []
  page.on('console', message => faults.push(`console: ${message.text()}`))
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
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', event => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`
  )
  return faults
}

/** Words of the status bar: `Numbers ready`. */
export async function statusBar(page: Page): Promise<string> {
  return (await page.locator('.status-bar').innerText()).replace(/\s+/g, ' ')
}

/** Remembers all that the status bar says from now on, however briefly: each time it changes, in order. */
export async function watchStatusBar(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`{
    const bar = document.querySelector('.status-bar')
    const words = () => [...bar.children].map(part => part.textContent).join(' ').replace(/\\s+/g, ' ')
    const seen = [words()]
    new MutationObserver(() => words() === seen.at(-1) || seen.push(words()))
      .observe(bar, {subtree: true, childList: true, characterData: true})
    globalThis.seenInStatusBar = seen
  }`)
  return () => page.evaluate('seenInStatusBar')
}

/** Wait until numbers and scores follow from the project as it is. */
export async function allReady(page: Page): Promise<void> {
  await expect.poll(() => statusBar(page), patient).toMatch(/Numbers ready .*Scores ready/)
}

/** Presses the next Cancel in the page as soon as it is there, however short the work is. */
export async function cancelAtOnce(page: Page): Promise<void> {
  await page.evaluate(`new MutationObserver((_, observer) => {
    const button = [...document.querySelectorAll('main button')].find(({textContent}) => /^Cancel/.test(textContent))
    if (button === undefined) return
    observer.disconnect()
    button.click()
  }).observe(document.body, {subtree: true, childList: true})`)
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

type PageTitle = 'Start' | 'Anchors' | 'Label' | 'Documents' | 'Graph' | 'Evaluate' | 'Compare'

export async function goTo(page: Page, title: PageTitle): Promise<void> {
  await page.getByRole('navigation', {name: 'Pages'}).getByRole('link', {name: title}).click()
}

export async function openConcept(page: Page, concept: string): Promise<void> {
  await page.locator('.concepts a', {hasText: concept}).click()
  await page.locator('#bench-title', {hasText: concept}).waitFor()
}

/** On Label: an answer counts only once there was time to read the question. */
export async function readQuestion(page: Page): Promise<void> {
  await page.locator('#doc-title').waitFor()
  await page.evaluate('new Promise(resolve => setTimeout(resolve, 250))')
}

/** The box for words that documents have, on Documents. */
export function hasField(page: Page): Locator {
  return page.getByLabel('Has', {exact: true})
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
  return new RegExp(`^${literal(text)}$`)
}

function literal(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&')
}

/** What the menu Export saves under an entry that begins with these words. */
export async function exported(page: Page, words: string): Promise<{name: string; bytes: Buffer}> {
  await page.getByRole('button', {name: 'Export', exact: true}).click()
  return saved(page, () =>
    page
      .locator('#exports')
      .getByRole('button', {name: new RegExp(`^${literal(words)}`)})
      .click()
  )
}

/** The file that the page saves when something is done. */
export async function saved(page: Page, act: () => Promise<void>): Promise<{name: string; bytes: Buffer}> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return {name: download.suggestedFilename(), bytes: await readFile(await download.path())}
}
