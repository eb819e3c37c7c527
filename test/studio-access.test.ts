// The built studio for everybody: no serious fault by axe, narrow screens, the keyboard alone, colours of the reader.
import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import type {Page} from 'playwright-core'
import {expect} from 'vitest'
import {
  addConcept,
  allReady,
  giveFiles,
  goTo,
  hasField,
  journeys,
  openConcept,
  patient,
  probeField,
  readFiles,
  readQuestion,
  saved,
  wide
} from './built-studio.ts'
import {asLines, emergencyVisits} from './emergency-visits.ts'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const PAGES = ['Start', 'Anchors', 'Label', 'Documents', 'Graph', 'Evaluate', 'Compare'] as const
const visits = asLines(emergencyVisits(600, 8))
const anchors = JSON.stringify({
  alcohol: ['etoh', 'intoxicated', 'intoxicaton'],
  stroke: ['stroke', 'cva'],
  'a name that is much longer than the column it stands in': ['mechanical fall', 'fell down']
})

journeys('access to the studio', journey => {
  journey('no page has a serious fault, empty, loaded or with a fault, light or dark, wide or narrow', async page => {
    for (const title of PAGES) {
      await goTo(page, title)
      await examine(page, `${title}, empty`)
    }

    await goTo(page, 'Start')
    await giveFiles(page, {'visits.jsonl': visits, 'anchors.json': anchors})
    await page.locator('.preview').waitFor()
    await examine(page, 'Start, loaded')
    await giveFiles(page, {'bad.jsonl': '{"id":'})
    await page.getByRole('alert').waitFor()
    await examine(page, 'Start, fault')
    await page.getByRole('button', {name: /^Read /}).click()
    await openConcept(page, 'alcohol')
    await allReady(page)
    await page.locator('.finding').first().waitFor()
    await examine(page, 'Anchors, loaded')
    await probeField(page).fill('/(a/')
    await page.locator('.probe .say.bad').waitFor()
    await examine(page, 'Anchors, fault')
    await goTo(page, 'Label')
    await page.locator('#doc-title').waitFor()
    await examine(page, 'Label, loaded')
    await goTo(page, 'Documents')
    await page.locator('.hit').first().click()
    await page.locator('.reason .verdict, .reason table, .reason li').first().waitFor()
    await examine(page, 'Documents, loaded')
    await hasField(page).fill('/(a/')
    await page.locator('.list .say.bad').waitFor()
    await examine(page, 'Documents, fault')
    await hasField(page).fill('')

    await goTo(page, 'Graph')
    await page.locator('.network .node').first().waitFor()
    await page.locator('.card .drawn h4').first().waitFor()
    for (const view of ['Picture', 'Table', 'Matrix']) {
      await page.getByLabel(view, {exact: true}).check()
      await page.locator('.network .node, .links, .matrix, .area > .soft').first().waitFor()
      await examine(page, `Graph, ${view}`)
    }
    await page.getByLabel('Structure').selectOption('degree:3')
    await page.locator('.links, .matrix, .area > .soft').first().waitFor()
    await examine(page, 'Graph, degree:3')

    await goTo(page, 'Evaluate')
    await page.locator('.chart svg').waitFor()
    await examine(page, 'Evaluate, loaded')
    await page.getByText('As a table').click()
    await page.locator('.per-concept a').first().click()
    await page.locator('.mistakes .verdict').waitFor()
    await examine(page, 'Evaluate, mistakes')
    await page.getByRole('button', {name: 'All figures'}).click()
    await page
      .locator('.browse input')
      .setInputFiles({name: 'bad.jsonl', mimeType: 'text/plain', buffer: Buffer.from('{"id":')})
    await page.getByRole('alert').waitFor()
    await examine(page, 'Evaluate, fault')

    await goTo(page, 'Compare')
    await page.getByRole('button', {name: 'Take a snapshot'}).click()
    await page.getByLabel('A, before').selectOption('snapshot 1')
    await page.getByRole('button', {name: 'Compare', exact: true}).click()
    await page.locator('#differences-title').waitFor()
    await examine(page, 'Compare, loaded')
    const file = await saved(page, () => page.getByRole('button', {name: 'Save project'}).click())
    const project = JSON.parse(file.bytes.toString())
    delete project.snapshots[0].model
    await goTo(page, 'Start')
    await readFiles(page, {[file.name]: JSON.stringify(project)})
    await allReady(page)
    await goTo(page, 'Compare')
    await page.getByRole('button', {name: 'Compare', exact: true}).click()
    await page.locator('.say.bad', {hasText: 'has no model'}).waitFor()
    await examine(page, 'Compare, fault')

    // The reader's colours: all that is said is there still.
    await page.emulateMedia({forcedColors: 'active'})
    for (const title of PAGES) {
      await goTo(page, title)
      expect((await page.screenshot()).length).toBeGreaterThan(10_000)
    }
  })

  journey('a snapshot is taken and compared by the keyboard alone', async page => {
    await readFiles(page, {'visits.jsonl': visits, 'anchors.json': anchors})
    await allReady(page)
    await tabTo(page, 'Compare')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Name of a new snapshot')
    await page.keyboard.type('first')
    await page.keyboard.press('Enter')
    await page.getByText(/with its model, \d+ KB/).waitFor()
    await tabTo(page, 'A, before')
    await page.keyboard.type('first')
    await tabTo(page, 'Compare')
    await page.keyboard.press('Enter')
    await page.getByText('The two models do not differ.').waitFor()
    await tabTo(page, 'Save JSON of the comparison')
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(download.suggestedFilename()).toBe('comparison.json')
  })

  journey('labelling that needs a word first says so, without a serious fault', async page => {
    await readFiles(page, {'visits.jsonl': visits})
    await addConcept(page, 'alcohol')
    await goTo(page, 'Label')
    await page.getByText(/anchors; add them first|Needs? a word/).waitFor()
    await examine(page, 'Label, fault')
  })

  journey('documents are read, anchored, labelled and predicted by the keyboard alone', async page => {
    // Asked for early: the browser must know of it before the key.
    const chooser = page.waitForEvent('filechooser')
    await tabTo(page, 'Browse')
    await page.keyboard.press('Enter')
    await (await chooser).setFiles({name: 'visits.jsonl', mimeType: 'text/plain', buffer: Buffer.from(visits)})
    await page.locator('.preview').waitFor()
    await tabTo(page, /^Read /)
    await page.keyboard.press('Enter')
    await page.locator('.name-concept').waitFor()
    for (const [name, word] of [
      ['alcohol', 'etoh'],
      ['stroke', 'cva']
    ]) {
      await tabTo(page, /^(Name a concept|Add concept)$/)
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page), patient).toBe('Name of the concept')
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page), patient).toContain(`/expression/, for ${name}`)
      await page.keyboard.type(word)
      await page.keyboard.press('Enter')
      await page.locator('.features code', {hasText: word}).waitFor()
    }
    await allReady(page)
    await tabTo(page, 'Graph')
    await page.keyboard.press('Enter')
    await page.locator('.network .node').first().waitFor()
    await tabTo(page, /^stroke: share unknown/)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page), patient).toBe('stroke')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page), patient).toMatch(/^stroke: share unknown/)
    await tabTo(page, 'Label')
    await page.keyboard.press('Enter')
    await page.locator('.ticks').waitFor()
    await readQuestion(page)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.progress b').first().innerText(), patient).toMatch(/^1 labelled/)
    await allReady(page)
    await tabTo(page, 'Export')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Predictions, JSON Lines')
    const {bytes} = await saved(page, () => page.keyboard.press('Enter'))
    expect(bytes.toString().split('\n')).toHaveLength(601)
  })
})

/** All rules of axe wide and narrow; in dark only colours differ. At 320 pixels nothing is wider than the screen. */
async function examine(page: Page, what: string): Promise<void> {
  await page.evaluate(axe)
  const found: string[] = []
  for (const [width, colorScheme, rules] of [
    [1440, 'light', undefined],
    [1440, 'dark', ['color-contrast']],
    [360, 'dark', ['color-contrast']],
    [360, 'light', undefined]
  ] as const) {
    await page.setViewportSize({width, height: width > 1000 ? 900 : 740})
    await page.emulateMedia({colorScheme})
    const options = {resultTypes: ['violations'], ...(rules && {runOnly: rules})}
    const {violations} = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResult
    for (const {id, impact, nodes} of violations)
      if (impact === 'serious' || impact === 'critical') found.push(`${width} ${colorScheme} ${id}: ${nodes[0].html}`)
  }
  await page.setViewportSize({width: 320, height: 740})
  for (const part of (await page.evaluate(TOO_WIDE)) as string[]) found.push(`beyond 320 pixels: ${part}`)
  expect({what, found}).toEqual({what, found: []})
  await page.setViewportSize(wide.viewport)
}

/** What makes a page scroll sideways. */
const TOO_WIDE = `[document.documentElement, document.querySelector('main')]
  .filter(({scrollWidth}) => scrollWidth > innerWidth)
  .flatMap(scrolled => [...scrolled.querySelectorAll('*')])
  .filter(part => part.getBoundingClientRect().right > innerWidth + .5)
  .map(part => part.outerHTML.slice(0, 100))`

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly {readonly html: string}[]
  }[]
}

/** The name of what has the focus. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(FOCUSED)
}

const FOCUSED = `(() => {
  const active = document.activeElement
  const words = active.labels?.[0]?.innerText || active.getAttribute('aria-label') || active.innerText ||
    active.querySelector('title')?.textContent || ''
  return words.replace(/[▾\\s]+/g, ' ').trim()
})()`

/** Whether something can be seen of what has the focus: it lies under nothing else, such as the status bar. */
const IS_SEEN = `(() => {
  const active = document.activeElement
  const shown = active.closest('label') ?? active
  const {left, right, top, bottom} = shown.getBoundingClientRect()
  const places = [.1, .5, .9].flatMap(x => [.1, .5, .9].map(y => [left + x * (right - left), top + y * (bottom - top)]))
  return places.some(([x, y]) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (shown.contains(hit) || hit.contains(shown))
  })
})()`

/** Press Tab until something of this name has the focus; nothing on the way is hidden. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 120; presses++) {
    const now = await focused(page)
    passed.push(now.slice(0, 40))
    if (typeof name === 'string' ? now === name : name.test(now)) return
    await page.keyboard.press('Tab')
    if (!(await page.evaluate(IS_SEEN))) throw new Error(`the focus is hidden on "${await focused(page)}"`)
  }
  throw new Error(`Tab does not reach ${name}; it passes ${passed.join(', ')}`)
}
