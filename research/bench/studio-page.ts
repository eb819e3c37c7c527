/** The built page of the studio in Chromium: when it is ready, how fast an edit shows numbers, and which tasks hold it up. */
import type {Server} from 'node:http'
import {fileURLToPath} from 'node:url'
import {type Browser, chromium, type Page} from 'playwright-core'
import {serveStudio} from '../../src/app/cli/studio/serve.ts'
import {findChromium} from '../../test/run-in-worker.ts'

/** What a person does, in order. */
export type Doing = 'reading' | 'typing' | 'edits' | 'lists' | 'documents' | 'labelling'

export interface PageFigures {
  /** Seconds from the address to a page that takes files. */
  readonly ready: number
  /** Seconds from Enter to new numbers: rates as in the anchors file. */
  readonly edits: readonly number[]
  /** The longest task of the thread of the page, in milliseconds of processor time. */
  readonly tasks: readonly {readonly during: Doing; readonly ms: number}[]
}

interface Files {
  readonly documents: string
  readonly anchors: string
}

const LOADS = 5
const WAIT = 600_000

/** Notes when the page takes files, and what the foot of the page says, with times. */
const WATCH = `{
  const watch = globalThis.watch = {ready: undefined, said: []}
  new MutationObserver(() => {
    if (document.querySelector('input[type=file]')) watch.ready ??= performance.now()
    const words = document.querySelector('.strip')?.textContent.replace(/\\s+/g, ' ')
    if (words !== undefined && words !== watch.said.at(-1)?.words) watch.said.push({words, at: performance.now()})
  }).observe(document, {subtree: true, childList: true, characterData: true})
}`

export async function measurePage(files: Files, words: readonly string[]): Promise<PageFigures> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('no Chromium found; install it, or name it in CHROMIUM')
  const folder = fileURLToPath(new URL('../../dist/studio', import.meta.url))
  const {server, address} = await serveStudio({folder, files: [], key: ''}, 0)
  const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-background-networking']})
  try {
    return await visit(browser, address, files, words)
  } finally {
    await browser.close()
    stop(server)
  }
}

function stop(server: Server): void {
  server.closeAllConnections()
  server.close()
}

async function visit(browser: Browser, address: string, files: Files, words: readonly string[]): Promise<PageFigures> {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}, reducedMotion: 'reduce'})
  context.setDefaultTimeout(WAIT)
  await context.addInitScript(WATCH)
  const page = await context.newPage()
  const loads: number[] = []
  for (let k = 0; k < LOADS; k++) {
    await page.goto(address)
    await page.locator('.strip').waitFor()
    loads.push(Number(await page.evaluate('watch.ready')))
  }
  const tasks: {during: Doing; ms: number}[] = []
  const during = async <T>(doing: Doing, act: () => Promise<T>) => {
    await browser.startTracing(page, {categories: TRACED})
    const done = await act()
    tasks.push({during: doing, ms: longestTask(await browser.stopTracing())})
    return done
  }
  await during('reading', () => read(page, files))
  const edits = await during('edits', () => edit(page, words))
  await during('typing', () => type(page))
  await during('lists', () => walk(page))
  await during('documents', () => open(page))
  await during('labelling', () => label(page))
  return {ready: loads.sort((a, b) => a - b)[LOADS >> 1] / 1000, edits, tasks}
}

const TRACED = ['-*', 'disabled-by-default-devtools.timeline']

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args: {readonly name?: string}
}

/** Like a long task of a PerformanceObserver, but by processor time: on a busy machine tasks wait for a processor. */
function longestTask(trace: Buffer): number {
  const {traceEvents} = JSON.parse(trace.toString()) as {traceEvents: readonly TraceEvent[]}
  const threadOf = ({pid, tid}: TraceEvent) => `${pid} ${tid}`
  const isMain = ({name, args}: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain'
  const pages = new Set(traceEvents.filter(isMain).map(threadOf))
  const tasks = traceEvents.filter(event => event.name === 'RunTask' && pages.has(threadOf(event)))
  return tasks.reduce((longest, {tdur = 0}) => Math.max(longest, tdur / 1000), 0)
}

async function read(page: Page, {documents, anchors}: Files): Promise<void> {
  await page.locator('input[type=file]').setInputFiles([documents, anchors])
  await page.locator('.preview').waitFor()
  await page.getByRole('button', {name: /^Read /}).click()
  await page.locator('.anchors.columns').waitFor()
  await says(page, 'Scores ready')
}

async function says(page: Page, words: string): Promise<void> {
  await page.locator('.strip', {hasText: new RegExp(words.replace(' ', '\\s+'))}).waitFor()
}

const probe = (page: Page) => page.locator('.probe .field')

/** When numbers were there again, after they were old. */
const RENEWED = `{
  const old = watch.said.findIndex(({words}) => words.includes('Numbers old'))
  old < 0 ? undefined : watch.said.slice(old).find(({words}) => words.includes('Numbers provisional'))?.at
}`

/** One word after the other; each edit ends the fit of the one before. */
async function edit(page: Page, words: readonly string[]): Promise<number[]> {
  const took: number[] = []
  for (const word of words) {
    await probe(page).fill(word)
    await page.locator('.answer[aria-busy=false]').waitFor()
    const since = Number(await page.evaluate('watch.said.length = 0, performance.now()'))
    await probe(page).press('Enter')
    let at: unknown
    // The policy of the page leaves no other way to wait.
    for (; at === undefined; at = await page.evaluate(RENEWED)) await page.waitForTimeout(50)
    took.push((Number(at) - since) / 1000)
  }
  return took
}

async function type(page: Page): Promise<void> {
  for (const text of ['word0456', 'found word0567', '/word0(67|76)8/']) {
    await probe(page).pressSequentially(text, {delay: 120})
    await page.locator('.answer[aria-busy=false]').waitFor()
    await probe(page).fill('')
  }
  for (const row of [3, 9, 5]) {
    await page.locator('.concepts a').nth(row).click()
    await page.waitForTimeout(500)
  }
}

const goTo = (page: Page, title: string) =>
  page.getByRole('navigation', {name: 'Pages'}).getByRole('link', {name: title}).click()

async function walk(page: Page): Promise<void> {
  await goTo(page, 'Documents')
  await page.locator('.hits').first().focus()
  for (let k = 0; k < 30; k++) {
    await page.keyboard.press('PageDown')
    await page.waitForTimeout(60)
  }
  for (const key of ['End', 'Home']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(500)
  }
}

async function open(page: Page): Promise<void> {
  for (let k = 0; k < 20; k++) {
    await page.keyboard.press('j')
    await page.waitForTimeout(150)
  }
}

async function label(page: Page): Promise<void> {
  await goTo(page, 'Label')
  for (let k = 0; k < 5; k++) {
    await page.locator('.ticks input').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForTimeout(600)
  }
}
