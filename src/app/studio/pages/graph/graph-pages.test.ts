import type {Page} from 'playwright-core'
import {describe, expect, test} from 'vitest'
import {expectAccess, lacksBrowser, screens, testPages} from '../../test-pages.ts'

describe.skipIf(lacksBrowser)('Graph in a browser', () => {
  const open = testPages()

  test('concepts of the picture are buttons: arrows walk to neighbours, Enter opens the card, Escape leads back', async () => {
    const {page, faults, close} = await open('graph')
    const node = (name: string) => page.locator('.network').getByRole('button', {name})
    await node('alcohol').waitFor()
    expect(await page.locator('.network [tabindex="0"]').count()).toBe(1)
    await page.locator('.network [tabindex="0"]').focus()
    expect(await focused(page)).toBe('alcohol: in 12% of documents')
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toMatch(/^allergic reaction/)
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toMatch(/^asthma-copd/)
    // Above lies nothing.
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toMatch(/^asthma-copd/)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('asthma-copd')
    expect(await page.locator('.neighbours').innerText()).toMatch(/back pain: \w+ less often .*; in 30% of documents/s)
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toMatch(/^asthma-copd: in/)
    expect(await node('asthma-copd').getAttribute('aria-pressed')).toBe('true')
    const width = () => page.locator('.network svg').getAttribute('width').then(Number)
    await page.keyboard.press('+')
    await expect.poll(width).toBeGreaterThan(1100)
    await page.keyboard.press('0')
    await expect.poll(width).toBeLessThan(921)
    await node('fall').click()
    expect(await page.locator('#card-title').innerText()).toBe('fall')
    expect(faults).toEqual([])
    await close()
  })

  test('a concept is found by a part of its name, and its neighbours can be seen alone', async () => {
    const {page, close} = await open('graph')
    await page.locator('.network .node').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ston')
    await expect.poll(() => page.locator('.network .node.hit').count()).toBe(1)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toMatch(/^kidney stone/)
    await page.getByLabel('Only neighbours of kidney stone').check()
    await expect.poll(() => pictures(page)).toContainEqual({kind: 'network', around: 'kidney stone'})
    await page.getByLabel('Find a concept').fill('nowhere')
    await page.getByText('No concept matches.').waitFor()
    await close()
  })

  test('the table has every link, strongest first, sorted and filtered as asked', async () => {
    const {page, close} = await open('graph')
    await page.getByLabel('Table').check()
    const rows = page.locator('.links tbody tr')
    expect(await rows.count()).toBe(24)
    expect(await rows.first().innerText()).toMatch(/abdominal pain\s+alcohol\s+×\s20\s+40%\s+20%/)
    await page.getByRole('button', {name: 'concept', exact: true}).click()
    expect(await page.locator('[aria-sort="ascending"]').innerText()).toContain('concept')
    await page.getByLabel('Find a concept').fill('fall')
    expect(await rows.count()).toBe(3)
    await page.getByLabel('Find a concept').fill('')
    await page.getByLabel('Only neighbours of alcohol').check()
    expect(await rows.count()).toBe(3)
    await close()
  })

  test('the matrix is one tab stop with arrows inside, and its cells tell the link in words', async () => {
    const {page, close} = await open('graph')
    await page.getByLabel('Matrix').check()
    expect(await page.locator('.matrix [tabindex="0"]').count()).toBe(1)
    await page.locator('.matrix [tabindex="0"]').focus()
    expect(await focused(page)).toBe('abdominal pain: in 12% of documents')
    for (const [key, words] of [
      ['ArrowRight', /^abdominal pain and alcohol occur together \w+ more often/],
      ['ArrowDown', /^alcohol: in 12%/],
      ['End', /^alcohol and urinary tract infection: no link$/],
      ['Home', /^alcohol and abdominal pain occur together \w+ more often .* times the odds$/]
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => focused(page)).toMatch(words)
      expect(await page.locator('.cell-words').innerText()).toMatch(words)
    }
    // Links are there from both ends, and empty cells only where the focus is.
    expect(await page.locator('.matrix button').count()).toBe(48)
    await page.getByLabel('By prevalence').check()
    expect(await page.locator('.matrix tbody th').first().innerText()).toBe('abdominal pain')
    await page.getByLabel('By name').check()
    await page.getByLabel('Find a concept').fill('stroke')
    expect(await page.locator('.matrix tbody tr').count()).toBe(1)
    await page.locator('.matrix button').first().click()
    expect(await page.locator('#card-title').innerText()).toBe('stroke')
    await close()
  })

  test('links are required, forbidden and freed, the structure is chosen, and what needs HiGHS names its line', async () => {
    const {page, close} = await open('graph')
    await page.getByLabel('Link of alcohol and fall').selectOption('forbidden')
    await expect.poll(() => heard(page)).toContainEqual({edges: {require: [], forbid: [['alcohol', 'fall']]}})
    await page.locator('.rules').getByLabel('Link of alcohol and fall').selectOption('required')
    await expect.poll(() => heard(page)).toContainEqual({edges: {require: [['alcohol', 'fall']], forbid: []}})
    await page.locator('.rules').getByLabel('Link of alcohol and fall').selectOption('free')
    await page.getByText('No link is required or forbidden.').waitFor()
    await page.getByLabel('Rule for alcohol and').selectOption('stroke')
    await page.getByLabel('Link of alcohol and stroke').selectOption('required')
    await page.locator('.rules li', {hasText: 'alcohol and stroke'}).waitFor()
    await page.getByLabel('Structure').selectOption('indegree:2')
    await page.locator('.say code', {hasText: '--structure indegree:2'}).waitFor()
    expect(await page.getByLabel('Structure').inputValue()).toBe('pairs')
    await page.getByLabel('Structure').selectOption('degree:3')
    await expect.poll(() => heard(page)).toContainEqual(expect.objectContaining({structure: 'degree:3'}))
    expect(await page.locator('.say code').count()).toBe(0)
    await close()
  })

  test('resampling shows how far it is, can be stopped, and then says how sure each link is', async () => {
    const {page, close} = await open('graph')
    const start = page.getByRole('button', {name: 'Test links with 100 resamples'})
    await start.click()
    await page.locator('.do', {hasText: 'resampling for intervals'}).waitFor()
    await page.locator('.do').getByRole('button', {name: 'Cancel'}).click()
    await page.locator('.toast', {hasText: 'resampling was stopped'}).waitFor()
    await start.click()
    await page.locator('.neighbours', {hasText: 'found again in 93% of the resamples'}).waitFor()
    await page.getByLabel('Table').check()
    expect(await page.locator('.links thead').innerText()).toContain('found again')
    expect(await heard(page)).toContainEqual({resample: 100})
    await close()
  })

  test('without a model the page says what is missing, and a network that cannot be drawn has its table', async () => {
    for (const [state, words] of [
      ['none', 'Needs documents.'],
      ['computing', 'It appears once the model is ready.'],
      ['failed', 'no concept can be used'],
      ['old', 'old'],
      ['dense', 'too dense to be drawn']
    ]) {
      const {page, faults, close} = await open(`graph,${state}`)
      await page.locator('main', {hasText: words}).waitFor()
      expect(faults).toEqual([])
      await close()
    }
  })

  test.each(['', 'old', 'none', 'computing', 'failed'])(
    'graph "%s" is for everybody, in each of its views',
    async name => {
      for (const options of screens) {
        const opened = await open(`graph,${name}`, options)
        for (const view of name === '' || name === 'old' ? ['Picture', 'Table', 'Matrix'] : []) {
          await opened.page.getByLabel(view, {exact: true}).check()
          await opened.page.waitForTimeout(100)
          await expectAccess(opened)
        }
        await expectAccess(opened)
        await opened.close()
      }
    }
  )
})

async function heard(page: Page): Promise<unknown[]> {
  return page.evaluate('heard')
}

async function pictures(page: Page): Promise<unknown[]> {
  return (await heard(page)).flatMap(one => (one as {picture?: unknown}).picture ?? [])
}

/** The name of what has the focus; concepts of the picture are named by their titles. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const active = document.activeElement
    return active.getAttribute('aria-label') || active.innerText || active.querySelector('title').textContent
  })()`)
}
