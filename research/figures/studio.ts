/**
 * Pictures of the studio in docs/studio.md and the README: the demo, played in Chromium on the built studio.
 * `npm run build && npx tsx research/figures/studio.ts` writes docs/figures/studio-*.webp.
 */
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core'
import {serveStudio} from '../../src/app/cli/studio/serve.ts'
import {findChromium} from '../../test/run-in-worker.ts'

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
  await chooseAlcohol(page)
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
  await chooseAlcohol(page)
  await shoot(page, 'doctor')
  await page.context().close()
}

async function phone(browser: Browser): Promise<void> {
  const page = await openDemo(browser, {viewport: {width: 390, height: 780}, hasTouch: true})
  await shoot(page, 'phone')
  await page.context().close()
}

async function chooseAlcohol(page: Page): Promise<void> {
  const concepts = page.getByRole('list', {name: /^Concepts/})
  await concepts.getByRole('link', {name: /alcohol/}).click()
}

/** The studio with the documents of the demo, everything ready. */
async function openDemo(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({...options, reducedMotion: 'reduce'})
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(address)
  await page.getByRole('button', {name: 'Open the emergency demo'}).click()
  await page.locator('.status-bar').getByText(/ready/).nth(1).waitFor({timeout: PATIENCE})
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
  const path = join(root, `docs/figures/studio-${name}.webp`)
  const webp = await webpOf(page, await page.screenshot({caret: 'hide'}))
  writeFileSync(path, webp)
  console.log(`${path}: ${Math.ceil(webp.length / 1000)} kB`)
}

/** Returns the same picture in a third of the bytes, by another page of the browser, which the policy of the studio does not bind. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage()
  const address = await blank.evaluate(`(async () => {
    const image = Object.assign(new Image(), {src: 'data:image/png;base64,${png.toString('base64')}'})
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height})
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.7)
  })()`)
  await blank.close()
  return Buffer.from(String(address).split(',')[1], 'base64')
}
