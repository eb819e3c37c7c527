import {describe, expect, test} from 'vitest'
import {lacksBrowser, testPages} from '../../test-pages.ts'

describe.skipIf(lacksBrowser)('Evaluate in a browser', () => {
  const open = testPages()

  test('every method stands beside the model, the best marked, and training adds rows', async () => {
    const {page, close} = await open('evaluate')
    await page.locator('.figures').waitFor()
    expect(await page.locator('.figures tbody th').allInnerTexts()).toHaveLength(4)
    expect(await page.locator('.figures tr', {hasText: 'noisy-or'}).locator('.best').count()).toBe(10)
    expect(await page.locator('.finding-lead').innerText()).toContain(
      'noisy-or does better than this model in last tag, '
    )
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
      ['evaluate,none', 'Needs documents.', 'Add documents'],
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
