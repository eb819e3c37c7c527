import {describe, expect, test} from 'vitest'
import {expectAccess, lacksBrowser, screens, testPages} from './test-pages.ts'

describe.skipIf(lacksBrowser)('Label and Documents in a browser', () => {
  const open = testPages()

  test('documents are labelled by keys alone, each once, and nothing moves', async () => {
    const {page, faults, close} = await open('label')
    const done = page.locator('.asked .done')
    const places = new Set<string>()
    for (let at = 0; at < 24; at++) {
      await page.locator('.progress b', {hasText: `${37 + at} labelled`}).waitFor()
      const isShort = at % 12 > 9
      if (!isShort) places.add(JSON.stringify(await done.boundingBox()))
      // As long as it takes to see a question; then a key that is pressed twice at once.
      await page.waitForTimeout(300)
      if (!isShort) await page.keyboard.press('3')
      await page.evaluate(pressTwice, isShort ? 'y' : 'Enter')
    }
    await page.locator('.progress b', {hasText: '61 labelled'}).waitFor()
    const heard = await page.evaluate('heard.filter(Array.isArray)')
    expect(heard).toHaveLength(24)
    expect((heard as string[][])[0]).toEqual(['abdominal pain', 'alcohol', 'allergic reaction'])
    expect((heard as string[][])[10]).toEqual(['fall'])
    expect(places.size).toBe(1)
    await page.keyboard.press('u')
    await page.locator('.progress b', {hasText: '60 labelled'}).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('ticks are one tab stop with arrows inside; keys do nothing while typing', async () => {
    const {page, close} = await open('label')
    await page.locator('.ticks input').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    expect(await page.locator('.ticks label:nth-of-type(3):has(:focus)').count()).toBe(1)
    expect(await page.locator('.ticks label:has(:checked)').count()).toBe(3)
    expect(await page.locator('.ticks input[tabindex="0"]').count()).toBe(1)
    await page.locator('.topbar input').first().focus()
    await page.keyboard.type('5s')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('heard.filter(Array.isArray)')).toEqual([])
    expect(await page.locator('.ticks label:has(:checked)').count()).toBe(3)
    await close()
  })

  test('a list of 100,000 documents is walked by keys, with few rows on the page', async () => {
    const {page, faults, close} = await open('documents')
    await page.locator('#text-title', {hasText: 'emergency-000000'}).waitFor()
    const list = page.locator('[role=listbox]')
    await list.focus()
    const shows = (name: string) => page.locator('#text-title', {hasText: name}).waitFor()
    for (const [key, name] of [
      ['j', '000001'],
      ['ArrowDown', '000002'],
      ['k', '000001'],
      ['End', '099999'],
      ['k', '099998'],
      ['Home', '000000']
    ] as const) {
      await page.keyboard.press(key)
      await shows(`emergency-${name}`)
      expect(await page.locator('.hit[aria-selected=true]').innerText()).toContain(name)
      expect(await page.locator('[role=option]').count()).toBeLessThan(60)
    }
    for (let top = 0; top < 8_000_000; top += 400_000)
      await list.evaluate((element, to) => element.scrollTo(0, to), top)
    await page.locator('.hit', {hasText: 'emergency-0926'}).first().waitFor()
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('text-title')
    const asked = ((await page.evaluate('heard')) as object[]).filter(one => 'list' in one)
    expect(asked.length).toBeLessThan(40)
    expect(faults).toEqual([])
    await close()
  })

  test('the filter follows typing, refuses in words and recovers', async () => {
    const {page, close} = await open('documents')
    await page.locator('.hit').first().waitFor()
    await page.locator('[role=listbox]').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('/(a')
    await page.locator('.list .say.bad', {hasText: 'unterminated group'}).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('nowhere')
    await page.locator('.list .say', {hasText: 'Widen the filter'}).waitFor()
    expect(await page.locator('.result b').innerText()).toBe('0')
    await page.getByLabel('probability from').fill('7')
    expect(await page.getByLabel('probability from').getAttribute('aria-invalid')).toBe('true')
    await close()
  })

  test('what is set moves all concepts at once and is gone with the next document', async () => {
    const {page, close} = await open('documents')
    await page.locator('.verdict').waitFor()
    await page.locator('.reason').getByLabel('No', {exact: true}).check()
    await page.locator('#tags-title', {hasText: 'Probabilities if so'}).waitFor()
    expect(await page.locator('.tags li', {hasText: 'alcohol'}).innerText()).toMatch(/set to no[\s\S]*0%/)
    expect(await page.locator('.hypothesis').innerText()).toContain('not saved')
    await page.locator('.steps button').first().click()
    await page.locator('#tags-title', {hasText: /^Probabilities$/}).waitFor()
    await expect.poll(() => page.evaluate("heard.findLast(one => 'known' in one).known")).toEqual({})
    await close()
  })

  test('a list without documents has none open', async () => {
    const {page, close} = await open('documents')
    await page.locator('.verdict').waitFor()
    await page.getByLabel('Has', {exact: true}).fill('nowhere')
    await page.locator('.list .say', {hasText: 'No document matches'}).waitFor()
    await page.locator('.text', {hasText: 'No document is open.'}).waitFor()
    await close()
  })

  test('selected words are probed, then become an anchor', async () => {
    const {page, close} = await open('documents')
    const word = page.locator('.text [data-feature]', {hasText: 'Unsteady'})
    await word.waitFor()
    await page.evaluate(() => {
      const from = document.querySelector('.text dd [data-feature="unsteady"]')
      // The weight of the word stands between.
      const after = from?.nextElementSibling?.nextSibling
      if (from?.firstChild && after) getSelection()?.setBaseAndExtent(from.firstChild, 2, after, 5)
      document.dispatchEvent(new Event('pointerup'))
    })
    await page.locator('.anchor-box', {hasText: '559 documents'}).waitFor()
    expect(await page.locator('.anchor-box input').inputValue()).toBe('unsteady gait')
    await page
      .locator('.anchor-box')
      .getByRole('button', {name: /^Add to/})
      .click()
    await page.locator('.toast', {hasText: 'unsteady gait'}).waitFor()
    await close()
  })

  test.each([
    'label',
    'label,short',
    'label,end',
    'label,none',
    'label,fault',
    'documents',
    'documents,old',
    'documents,unscored',
    'documents,none'
  ])('%s has no serious violation in light and dark, wide and narrow, and no style attribute', async name => {
    for (const options of screens) {
      const opened = await open(name, options)
      await opened.page.waitForTimeout(200)
      await expectAccess(opened)
      await opened.close()
    }
  })
})

function pressTwice(key: string): void {
  for (const _ of [1, 2]) document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))
}
