import {type Browser, chromium, type Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {findChromium} from '../../../test/run-in-worker.ts'
import {testScreen} from './test-shots.ts'

const executablePath = findChromium()
let browser: Browser
let html = ''

describe.skipIf(!executablePath && !process.env.CI)('Evaluate in a browser', () => {
  beforeAll(async () => {
    if (!executablePath) throw new Error('no Chromium found; install it or name it in CHROMIUM')
    browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-background-networking']})
    html = await testScreen()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
  })

  test('every method stands beside the model, the best marked, and training adds rows', async () => {
    const {page, close} = await open('evaluate')
    await page.locator('.figures').waitFor()
    expect(await page.locator('.figures tbody th').allInnerTexts()).toHaveLength(4)
    expect(await page.locator('.figures tr', {hasText: 'noisy-or'}).locator('.best').count()).toBe(10)
    expect(await page.locator('.finding-lead').innerText()).toContain('noisy-or does better than this model in AUC')
    await page.getByRole('button', {name: 'Train classifiers to compare'}).click()
    await page.locator('.figures tr', {hasText: 'oracle'}).waitFor()
    expect(await page.getByRole('button', {name: 'Train classifiers to compare'}).count()).toBe(0)
    await close()
  })

  test('numbers lead to false alarms and misses, which keys walk, and back', async () => {
    const {page, close} = await open('evaluate')
    await page.getByRole('link', {name: '21 missed of alcohol'}).click()
    const lists = page.getByRole('listbox')
    expect(await lists.count()).toBe(2)
    await lists.last().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const open1 = page.locator('.mistakes .hit[aria-selected=true]')
    await expect.poll(() => open1.count()).toBe(1)
    const name = await open1.locator('b').first().innerText()
    await page.locator('#text-title', {hasText: name}).waitFor()
    await page.locator('.mistakes p', {hasText: 'alcohol is tagged and not reported here.'}).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('text-title')
    expect(await page.locator('.reason h2').innerText()).toBe('Why alcohol')
    await page.getByLabel('Concept').selectOption({label: 'fall'})
    await page.locator('.mistakes p', {hasText: 'fall is tagged and not reported here.'}).waitFor()
    await page.getByRole('button', {name: 'All figures'}).click()
    await page.locator('.figures').waitFor()
    await page.getByRole('link', {name: '21 missed of fall'}).click()
    await page.getByRole('link', {name: 'Its anchor'}).click()
    await page.locator('#bench-title', {hasText: 'fall'}).waitFor()
    await close()
  })

  test('what is missing, at work or refused is said, with the way out', async () => {
    for (const [state, words, way] of [
      ['evaluate,empty', 'Needs documents.', 'Add documents'],
      ['evaluate,judging', 'Judging documents.', 'Cancel'],
      ['evaluate,refused', 'The evaluation was stopped.', 'Evaluate again']
    ]) {
      const {page, close} = await open(state)
      await page.locator('main', {hasText: words}).waitFor()
      expect(await page.locator('main').getByRole('button', {name: way}).count()).toBe(1)
      await close()
    }
    const {page, close} = await open('evaluate,computing')
    await page.locator('main', {hasText: 'The model is not ready.'}).waitFor()
    await close()
  })
})

async function open(state: string): Promise<{page: Page; close(): Promise<void>}> {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}, reducedMotion: 'reduce'})
  await context.route('**/*', route => route.fulfill({contentType: 'text/html', body: html}))
  const page = await context.newPage()
  await page.goto(`http://studio.test/#${state}`)
  return {page, close: () => context.close()}
}
