// The pages for documents, the network and the figures in the built studio, by their keys.
import type {Page} from 'playwright-core'
import {expect} from 'vitest'
import {
  allReady,
  cancelAtOnce,
  goTo,
  hasField,
  journeys,
  openConcept,
  patient,
  readFiles,
  readQuestion
} from './built-studio.ts'
import {asLines, emergencyVisits} from './emergency-visits.ts'

const COUNT = 600
const visits = asLines(emergencyVisits(COUNT, 8))
const rated = (...any: string[]) => ({any, truePositive: 0.7, falsePositive: 0.01})
const anchors = JSON.stringify({
  alcohol: rated('etoh', 'intoxicated'),
  stroke: rated('stroke', 'cva'),
  fall: rated('mechanical fall', 'fell down'),
  syncope: rated('syncope', 'near syncope'),
  headache: rated('headache', 'headaches'),
  pain: rated('abd pain', 'belly pain'),
  asthma: rated('asthma', 'copd')
})

async function open(page: Page, files: Readonly<Record<string, string>> = {}): Promise<void> {
  await readFiles(page, {'visits.jsonl': visits, 'anchors.json': anchors, ...files})
  await allReady(page)
  await openConcept(page, 'alcohol')
}

journeys('pages of the studio', journey => {
  journey('a list of documents is walked and filtered by keys, with few rows on the page', async page => {
    await open(page)
    await goTo(page, 'Documents')
    const list = page.getByRole('listbox')
    const selected = page.locator('.hit[aria-selected=true]')
    const isAt = async (place: number) => {
      await expect.poll(() => selected.getAttribute('aria-posinset'), patient).toBe(String(place))
      await page.locator('#text-title', {hasText: await selected.locator('b').innerText()}).waitFor()
      expect(await page.locator('.hit').count()).toBeLessThanOrEqual(100)
    }
    await isAt(1)
    await list.focus()
    for (const [key, place] of [
      ['j', 2],
      ['ArrowDown', 3],
      ['k', 2],
      ['End', COUNT],
      ['k', COUNT - 1],
      ['Home', 1]
    ] as const) {
      await page.keyboard.press(key)
      await isAt(place)
    }
    for (let share = 0; share <= 0.5; share += 0.05)
      await list.evaluate((element, share) => element.scrollTo(0, share * element.scrollHeight), share)
    await page.locator(`.hit[aria-posinset="${COUNT / 2 + 2}"]`).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('text-title')

    const count = page.locator('.result b')
    await page.keyboard.press('/')
    await page.keyboard.type('/(a/')
    await page.locator('.list .say.bad', {hasText: 'unterminated group'}).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('nowhere')
    await page.locator('.list .say', {hasText: 'Widen the filter'}).waitFor()
    await page.locator('.text', {hasText: 'No document is open.'}).waitFor()
    await expect.poll(() => count.innerText(), patient).toBe('0')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('abd pain')
    await expect.poll(() => count.innerText(), patient).toMatch(/^[1-9]\d$/)
    await hasField(page).fill('')
    await isAt(1)
    const from = page.getByLabel('Probability from')
    await from.fill('7')
    await from.press('Enter')
    expect(await page.locator('.filter input:invalid').count()).toBe(1)
    expect(await count.innerText()).toBe(String(COUNT))
    await from.fill('0.5')
    await from.press('Enter')
    await expect.poll(() => count.innerText(), patient).toMatch(/^\d\d$/)
    const likely = await page.locator('.hit .p').allInnerTexts()
    expect(likely.map(text => Number.parseFloat(text.replace('>', ''))).every(percent => percent >= 50)).toBe(true)
    await page.getByRole('combobox', {name: 'Anchor'}).selectOption('silent')
    await expect.poll(async () => Number(await count.innerText()), patient).toBeLessThan(likely.length)
    await page.getByRole('combobox', {name: 'Concept'}).selectOption('')
    await expect.poll(() => count.innerText(), patient).toBe(String(COUNT))
    expect(await from.isDisabled()).toBe(true)
  })

  journey('what is set moves all concepts at once; selected words become an anchor', async page => {
    await open(page)
    await goTo(page, 'Documents')
    await page.locator('.verdict').waitFor()
    await page.locator('.reason').getByLabel('No', {exact: true}).check()
    await page.locator('#tags-title', {hasText: 'Probabilities if so'}).waitFor()
    expect(await page.locator('.tags li', {hasText: 'alcohol'}).innerText()).toMatch(/set to no[\s\S]*0%/)
    expect(await page.locator('.hypothesis').innerText()).toContain('not saved')
    const second = await page.locator('.hit b').nth(1).innerText()
    await page.locator('.steps button').first().click()
    await page.locator('#text-title', {hasText: second}).waitFor()
    await page.locator('#tags-title', {hasText: /^Probabilities$/}).waitFor()
    expect(await page.locator('.tags').innerText()).not.toContain('set to')

    const word = page.locator('.text .doc [data-feature]:not(.anchor):not(.negated)').first()
    const feature = await word.innerText()
    await word.evaluate(element => {
      getSelection()?.selectAllChildren(element)
      document.dispatchEvent(new Event('pointerup'))
    })
    const box = page.locator('.anchor-box')
    await box.getByText(/\d documents?/).waitFor()
    expect(await box.locator('input').inputValue()).toContain(feature.toLowerCase())
    await box.getByRole('button', {name: 'Add'}).click()
    await page.locator('.toast', {hasText: feature.toLowerCase()}).waitFor()
  })

  journey('ticks are one tab stop with arrows inside, and keys do nothing while typing', async page => {
    await open(page)
    await goTo(page, 'Label')
    await readQuestion(page)
    const ticked = page.locator('.ticks label:has(:checked)')
    const before = await ticked.count()
    expect(await page.locator('.ticks input[tabindex="0"]').count()).toBe(1)
    await page.locator('.ticks input[tabindex="0"]').focus()
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await page.locator('.ticks label:nth-of-type(3):has(:focus)').waitFor()
    await page.keyboard.press('Space')
    expect(Math.abs((await ticked.count()) - before)).toBe(1)
    const after = await ticked.count()
    await page.getByLabel('Name of the project').focus()
    await page.keyboard.type('5s')
    await page.keyboard.press('Enter')
    expect(await ticked.count()).toBe(after)
    expect(await page.locator('.progress b').first().innerText()).toMatch(/^0 labelled/)
  })

  journey('the network is walked by keys as a picture and as a matrix, and its links have rules', async page => {
    await open(page)
    await goTo(page, 'Graph')
    const title = page.locator('#card-title')
    const node = (name: string) => page.locator('.network').getByRole('button', {name: new RegExp(`^${name}`)})
    await node('alcohol').waitFor()
    expect(await page.locator('.network [tabindex="0"]').count()).toBe(1)
    await page.locator('.network [tabindex="0"]').focus()
    expect(await focused(page)).toMatch(/^alcohol: in \d+% of documents/)
    const seen = new Set<string>()
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      await page.keyboard.press(key)
      seen.add((await focused(page)).split(':')[0])
    }
    expect(seen.size).toBeGreaterThan(1)
    const walked = (await focused(page)).split(':')[0]
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page), patient).toBe(walked)
    expect(await title.innerText()).toBe(walked)
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page), patient).toMatch(new RegExp(`^${walked}: in`))
    expect(await node(walked).getAttribute('aria-pressed')).toBe('true')
    const width = () => page.locator('.network svg').evaluate(svg => svg.getBoundingClientRect().width)
    const whole = await width()
    await page.keyboard.press('+')
    expect(await width()).toBeGreaterThan(1.3 * whole)
    await page.keyboard.press('0')
    expect(await width()).toBe(whole)

    // Found by a part of its name.
    await page.keyboard.press('/')
    await page.keyboard.type('strok')
    await expect.poll(() => page.locator('.network .node.hit').count(), patient).toBe(1)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page), patient).toMatch(/^stroke/)
    const find = page.getByLabel('Find a concept')
    await find.fill('nowhere')
    await page.getByText('No concept matches.').waitFor()
    await find.fill('')

    // A rule that is made, and lifted in the list of rules.
    await page.getByLabel('Rule for stroke and').selectOption('fall')
    await page.getByLabel('Link of stroke and fall').selectOption('forbid')
    await page.locator('.rules li', {hasText: 'stroke and fall'}).waitFor()
    await allReady(page)
    await page.locator('.network .edge.forbidden').waitFor()
    await page.locator('.rules').getByRole('combobox').selectOption('free')
    await page.getByText('No link is required or forbidden.').waitFor()
    await allReady(page)

    await page.getByLabel('Table').check()
    const rows = page.locator('.links tbody tr')
    const all = await rows.count()
    await page.getByRole('button', {name: 'concept', exact: true}).click()
    expect(await page.locator('[aria-sort="ascending"]').innerText()).toContain('concept')
    const names = await page.locator('.links tbody th').allInnerTexts()
    expect(names).toEqual(names.toSorted())
    await find.fill('fall')
    await expect.poll(async () => (await rows.allInnerTexts()).every(row => row.includes('fall')), patient).toBe(true)
    await find.fill('')

    await page.getByLabel('Matrix').check()
    const stop = page.locator('.matrix [tabindex="0"]')
    expect(await stop.count()).toBe(1)
    // Each link is there from both ends.
    expect(await page.locator('.matrix button').count()).toBe(2 * all)
    await stop.focus()
    for (const key of ['End', 'ArrowDown', 'Home', 'ArrowUp', 'ArrowRight']) {
      await page.keyboard.press(key)
      const words = await focused(page)
      expect(words).toMatch(/^\w+ and \w+ occur together .* the odds/)
      await page.locator('.cell-words', {hasText: words}).waitFor()
      expect(await stop.count()).toBe(1)
    }
    const [row] = (await focused(page)).split(' and ')
    await page.keyboard.press('Enter')
    await expect.poll(() => title.innerText(), patient).toBe(row)

    // How sure the links are; at first it is stopped.
    const start = page.getByRole('button', {name: 'Test links with 100 resamples'})
    await cancelAtOnce(page)
    await start.click()
    await page.locator('.say.bad', {hasText: 'resampling was stopped'}).waitFor()
    await start.click()
    await page.locator('.neighbours', {hasText: /found again in \d+% of the resamples/}).waitFor()
    await page.getByLabel('Structure').selectOption('independent')
    await page.getByText('No links: no two concepts are associated.').waitFor()
  })

  journey('numbers lead to false alarms beside misses, which keys walk', async page => {
    await open(page)
    await goTo(page, 'Evaluate')
    await page.getByRole('link', {name: /missed of alcohol$/}).click()
    const lists = page.getByRole('listbox')
    await expect.poll(() => lists.count(), patient).toBe(2)
    const selected = page.locator('.mistakes .hit[aria-selected=true]')
    const isOpen = async (kind: string, place: number) => {
      await expect.poll(() => selected.getAttribute('id'), patient).toBe(`${kind}-${place}`)
      await page.locator('#text-title', {hasText: await selected.locator('b').innerText()}).waitFor()
    }
    await isOpen('miss', 0)
    await page.locator('.mistakes p', {hasText: 'alcohol is tagged and not reported here.'}).waitFor()
    await lists.last().focus()
    await page.keyboard.press('ArrowDown')
    await isOpen('miss', 1)
    await page.locator('.hit[id=alarm-0]').click()
    await isOpen('alarm', 0)
    await page.locator('.mistakes p', {hasText: 'alcohol is reported without the tag here.'}).waitFor()
    await page.keyboard.press('j')
    await isOpen('alarm', 1)
    await lists.first().focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('text-title')
    await page.locator('.reason h2', {hasText: 'Why alcohol'}).waitFor()
    await page.getByLabel('Concept').selectOption('fall')
    await page.locator('.mistakes p', {hasText: /^fall is /}).waitFor()
    await page.getByRole('button', {name: 'All figures'}).click()
    await page.locator('.figures').waitFor()
  })
})

/** The name of what has the focus; concepts of the picture are named by their titles. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const active = document.activeElement
    return active.getAttribute('aria-label') || active.innerText || active.querySelector('title').textContent
  })()`)
}
