/**
 * Pictures of the studio in docs/studio.md and the README: the demo, played in Chromium on the built studio.
 * `npm run build && npx tsx research/figures/studio.ts` writes docs/figures/studio-*.png.
 */
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core'
import {serveStudio} from '../../src/app/cli/studio/serve.ts'
import {findChromium} from '../../test/run-in-worker.ts'
import {palettePng, readPng} from './palette-png.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** On a busy machine the fit of the demo takes a minute. */
const PATIENCE = 300_000
const desktop = {viewport: {width: 1280, height: 800}} as const

const {server, address} = await serveStudio({folder: join(root, 'dist/studio'), files: [], key: ''}, 0)
const browser = await chromium.launch({
  executablePath: findChromium() ?? 'chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync']
})
try {
  await bright(browser)
  await dark(browser)
  await phone(browser)
} finally {
  await browser.close()
  server.close()
}

async function bright(browser: Browser): Promise<void> {
  const page = await openDemo(browser, desktop)
  await page
    .getByRole('list', {name: /^Concepts/})
    .getByRole('link', {name: /alcohol/})
    .click()
  await page
    .getByPlaceholder(/expression/)
    .first()
    .pressSequentially('sober')
  await page.locator('button:enabled', {hasText: 'Add to alcohol'}).waitFor()
  await shoot(page, 'anchors')
  await go(page, 'Label')
  await page.getByRole('checkbox').first().check()
  await shoot(page, 'label')
  await go(page, 'Documents')
  await page.locator('.hit').nth(2).click()
  await shoot(page, 'documents')
  await go(page, 'Start')
  await shoot(page, 'start')
  await page.context().close()
}

/** The doctor names the misspelt anchor. */
async function dark(browser: Browser): Promise<void> {
  const page = await openDemo(browser, {...desktop, colorScheme: 'dark'})
  await page
    .getByRole('list', {name: /^Concepts/})
    .getByRole('link', {name: /alcohol/})
    .click()
  await shoot(page, 'doctor')
  await page.context().close()
}

async function phone(browser: Browser): Promise<void> {
  const page = await openDemo(browser, {viewport: {width: 390, height: 780}, hasTouch: true})
  await shoot(page, 'phone')
  await page.context().close()
}

/** The studio with the documents of the demo, everything ready. */
async function openDemo(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({...options, reducedMotion: 'reduce'})
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(address)
  await page.getByRole('button', {name: 'Open the emergency demo'}).click()
  await page.locator('.strip').getByText(/ready/).nth(1).waitFor({timeout: PATIENCE})
  return page
}

async function go(page: Page, title: string): Promise<void> {
  await page.getByRole('navigation', {name: 'Pages'}).getByRole('link', {name: title}).click()
  await page.getByRole('heading', {level: 1, name: title}).waitFor()
}

async function shoot(page: Page, name: string): Promise<void> {
  const close = page.locator('.spoken').getByRole('button', {name: 'Close'})
  if (await close.isVisible()) await close.click()
  await page.evaluate('scrollTo(0, 0)')
  await page.waitForTimeout(500)
  const path = join(root, `docs/figures/studio-${name}.png`)
  const png = palettePng(readPng(await page.screenshot({caret: 'hide'})))
  writeFileSync(path, png)
  console.log(`${path}: ${Math.ceil(png.length / 1000)} kB`)
}
