/** The built page of the studio in Chromium: when it is ready, how fast an edit shows numbers, and which tasks hold it up. */
import {fileURLToPath} from 'node:url'
import {chromium, type Page} from 'playwright-core'
import {serveStudio} from '../../src/app/cli/studio/serve.ts'
import {findChromium} from '../../test/run-in-worker.ts'

export interface PageFigures {
  /** Seconds from the address to a page that takes files. */
  readonly ready: number
  /** Seconds from Enter to new numbers: rates as in the anchors file. */
  readonly edits: readonly number[]
  /** The longest task of the thread of the page during each act, in milliseconds of processor time. */
  readonly tasks: Readonly<Record<string, number>>
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
    const words = document.querySelector('.status-bar')?.textContent.replace(/\\s+/g, ' ')
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
    const context = await browser.newContext({viewport: {width: 1440, height: 900}, reducedMotion: 'reduce'})
    context.setDefaultTimeout(WAIT)
    await context.addInitScript(WATCH)
    const page = await context.newPage()
    const loads: number[] = []
    for (let k = 0; k < LOADS; k++) {
      await page.goto(address)
      await page.locator('.status-bar').waitFor()
      loads.push(Number(await page.evaluate('watch.ready')))
    }
    const edits: number[] = []
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      reading: () => read(page, files),
      edits: async () => edits.push(...(await edit(page, words))),
      typing: () => type(page),
      lists: () => walk(page),
      documents: () => press(page, 'j', 20, 150),
      labelling: () => label(page)
    }
    const tasks: Record<string, number> = {}
    for (const [name, act] of Object.entries(acts)) {
      await browser.startTracing(page, {categories: TRACED})
      await act()
      tasks[name] = longestTask(await browser.stopTracing())
    }
    return {ready: loads.sort((a, b) => a - b)[LOADS >> 1] / 1000, edits, tasks}
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
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
  await page.locator('.status-bar', {hasText: /Scores\s+ready/}).waitFor()
}

const probe = (page: Page) => page.locator('.probe .field')
const answered = (page: Page) => page.locator('.answer[aria-busy=false]').waitFor()

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
    await answered(page)
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
    await answered(page)
    await probe(page).fill('')
  }
  for (const row of [3, 9, 5]) {
    await page.locator('.concepts a').nth(row).click()
    await page.waitForTimeout(500)
  }
}

const goTo = (page: Page, title: string) =>
  page.getByRole('navigation', {name: 'Pages'}).getByRole('link', {name: title}).click()

async function press(page: Page, key: string, times: number, pause: number): Promise<void> {
  for (let k = 0; k < times; k++) {
    await page.keyboard.press(key)
    await page.waitForTimeout(pause)
  }
}

async function walk(page: Page): Promise<void> {
  await goTo(page, 'Documents')
  await page.locator('.hits').first().focus()
  await press(page, 'PageDown', 30, 60)
  for (const key of ['End', 'Home']) await press(page, key, 1, 500)
}

async function label(page: Page): Promise<void> {
  await goTo(page, 'Label')
  await page.locator('.ticks input').first().waitFor()
  await press(page, 'Enter', 5, 600)
}
