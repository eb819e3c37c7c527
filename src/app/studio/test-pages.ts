import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core'
import {afterAll, beforeAll, expect} from 'vitest'
import {findChromium} from '../../../test/run-in-worker.ts'
import {testScreen} from './test-shots.ts'

const executablePath = findChromium()
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Whether there is no browser here; where tests must run, they fail instead. */
export const lacksBrowser = !executablePath && !process.env.CI
export const wide = {viewport: {width: 1440, height: 900}}

export interface OpenPage {
  readonly page: Page
  /** Errors, in words. */
  readonly faults: string[]
  close(): Promise<void>
}

/** The studio with a fake session, bundled once for the tests of a file; `open` shows the page and state that the fragment names. */
export function testPages(): (name: string, options?: BrowserContextOptions) => Promise<OpenPage> {
  let browser: Browser | undefined
  let html = ''
  beforeAll(async () => {
    if (!executablePath) throw new Error('no Chromium found; install it or name it in CHROMIUM')
    browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-background-networking']})
    html = await testScreen()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
  })
  return async (name, options = wide) => {
    if (browser === undefined) throw new Error('the browser has not been started')
    const context = await browser.newContext(options)
    await context.route('**/*', route => route.fulfill({contentType: 'text/html', body: html}))
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', message => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', error => faults.push(error.message))
    await page.goto(`http://studio.test/#${name}`)
    await page.evaluate(axe)
    return {page, faults, close: () => context.close()}
  }
}

/** No serious violation, no style attribute, nothing wider than the screen, no control lower than 24 pixels. */
export async function expectAccess({page, faults}: OpenPage): Promise<void> {
  const found = await page.evaluate(
    `axe.run('main').then(r => r.violations.map(v => v.impact + ' ' + v.id + ' ' + v.nodes[0].html))`
  )
  expect((found as string[]).filter(violation => /^(serious|critical)/.test(violation))).toEqual([])
  expect(await page.locator('main [style]').count()).toBe(0)
  const {width, right, inner} = await page.evaluate(() => {
    const main = document.querySelector('main')
    return {width: main?.scrollWidth ?? 0, right: main?.getBoundingClientRect().right ?? 0, inner: innerWidth}
  })
  expect(right).toBeLessThanOrEqual(inner)
  expect(width).toBeLessThanOrEqual(inner)
  expect(await page.evaluate(smallTargets)).toEqual([])
  expect(faults).toEqual([])
}

/** A box in a label is as large as the label. */
function smallTargets(): string[] {
  return [...document.querySelectorAll('main :is(button, select, input, a[href], [role=option])')]
    .map(control => control.closest('label') ?? control)
    .filter(control => control.getBoundingClientRect().height > 0 && control.getBoundingClientRect().height < 24)
    .map(control => control.outerHTML.slice(0, 80))
}

/** Widths and colours to look at. */
export const screens: readonly BrowserContextOptions[] = [
  wide,
  {...wide, colorScheme: 'dark'},
  {viewport: {width: 360, height: 780}},
  {viewport: {width: 320, height: 780}, colorScheme: 'dark'}
]
