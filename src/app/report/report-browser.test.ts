import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {findChromium} from '../../../test/run-in-worker.ts'
import {drawnModel, emergencyReport, hostileModel, reportOf, votedCertificate} from './test-report.ts'

const executablePath = findChromium()
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const desktop = {viewport: {width: 1280, height: 900}}
const phone = {viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true}

const reports = new Map<string, string>()
let browser: Browser

describe.skipIf(!executablePath && !process.env.CI)('renderReport(...) in a browser', () => {
  beforeAll(async () => {
    if (!executablePath)
      throw new Error('no Chromium found; install it (apt-get install chromium) or name it in CHROMIUM')
    browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-background-networking']})
    reports.set('5', await reportOf({model: drawnModel(5, 40)}))
    reports.set('23', await reportOf(await emergencyReport()))
    reports.set('200', await reportOf({model: drawnModel(200, 500)}))
    const sources = Array.from({length: 40}, (_, at) => `labelling function ${at}`)
    reports.set('votes', await reportOf({model: {...drawnModel(20, 40), certificate: votedCertificate(sources)}}))
    reports.set('hostile', await reportOf({model: hostileModel()}))
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
  })

  test.each(['5', '23', '200', 'hostile'])(
    'the report of %s concepts opens without an error or a request',
    async name => {
      const {page, faults, close} = await open(name)
      const boxes = await page
        .locator(':is(.picture, .network) > svg:visible')
        .evaluateAll(list => list.map(svg => svg.getBoundingClientRect()))
      expect(boxes.length).toBe(name === '23' ? 4 : 3)
      for (const {width, height} of boxes) expect(Math.min(width, height)).toBeGreaterThan(100)
      expect(await page.locator('.node a').count()).toBe(name === 'hostile' ? 3 : Number(name))
      expect(await page.locator('script').count()).toBe(1)
      expect(await page.locator('img').count()).toBe(0)
      expect(faults).toEqual([])
      await close()
    }
  )

  test.each([
    ['5', 'light', desktop],
    ['23', 'light', desktop],
    ['23', 'dark', desktop],
    ['23', 'light', phone],
    ['200', 'dark', phone],
    ['votes', 'light', desktop],
    ['votes', 'dark', phone]
  ] as const)(
    'axe finds no serious fault in the report of %s (concepts), %s, %j',
    async (name, colorScheme, size) => {
      const {page, close} = await open(name, {...size, colorScheme})
      await page.evaluate(SHORTENED)
      // The policy of the page stops scripts from elsewhere; this one comes through the browser's own door.
      await page.evaluate(axe)
      const {violations} = (await page.evaluate('axe.run({resultTypes: ["violations"]})')) as AxeResult
      const serious = violations.filter(({impact}) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({id, nodes}) => `${id}: ${nodes[0].html}`)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.viewport.width)
      await close()
    },
    60_000
  )

  test('on a phone every chart fits the page and shows all its points and names', async () => {
    for (const name of ['23', '200', 'votes']) {
      const {page, close} = await open(name, {...phone, colorScheme: 'light'})
      const cropped = await page.locator('.picture.narrow').evaluateAll(frames =>
        frames.flatMap(frame => {
          const outer = frame.getBoundingClientRect()
          const parts = [...frame.querySelectorAll('svg path, svg text, svg circle')].map(part =>
            part.getBoundingClientRect()
          )
          return frame.scrollWidth > frame.clientWidth ||
            parts.length < 20 ||
            parts.some(box => box.right > outer.right + 0.5 || box.left < outer.left - 0.5)
            ? [frame.outerHTML.slice(0, 200)]
            : []
        })
      )
      expect(cropped).toEqual([])
      expect(await page.locator('.picture.wide:visible').count()).toBe(0)
      expect(await page.locator('.picture.narrow:visible').count()).toBe(name === '23' ? 3 : 2)
      await close()
    }
  })

  test('data-theme outranks the choice of the reader, and paper outranks both', async () => {
    const {page, close} = await open('23', {...desktop, colorScheme: 'light'})
    const script =
      '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector(".picture > svg")).filter]'
    const [light, dark] = [
      ['rgb(255, 255, 255)', 'none'],
      ['rgb(21, 24, 27)', 'invert(0.92) hue-rotate(180deg)']
    ]
    expect(await page.evaluate(script)).toEqual(light)
    await page.evaluate('document.documentElement.dataset.theme = "dark"')
    expect(await page.evaluate(script)).toEqual(dark)
    await page.emulateMedia({media: 'print'})
    expect(await page.evaluate(script)).toEqual(light)
    await page.emulateMedia({media: 'screen', colorScheme: 'dark'})
    await page.evaluate('document.documentElement.dataset.theme = "light"')
    expect(await page.evaluate(script)).toEqual(light)
    await close()
  })

  test('every edge of the network is in the list, strongest first, with links to both cards', async () => {
    const {page, close} = await open('200', {...phone})
    const odds = await page.locator('.edges li b').allTextContents()
    expect(odds.length).toBe(await page.locator('#network-picture .edge').count())
    const size = (text: string) => (text.includes('>') ? 100 : Number(text.slice(2)))
    const sizes = odds.map(size)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(await page.locator('.edges li').first().locator('a').count()).toBe(2)
    expect(await page.locator('.edges li:visible').count()).toBe(12)
    await close()
  })

  test('the search box finds concepts by name and by word, says how many, and marks them in the network', async () => {
    const {page, close} = await open('23')
    const visible = () => page.locator('details.card:visible h3').allTextContents()
    await page.getByLabel('Search concepts').fill('alcoh')
    expect(await visible()).toContain('alcohol')
    expect((await visible()).length).toBeLessThan(23)
    expect(await page.getByRole('status').textContent()).toMatch(
      /^\d+ concepts?: [1-9]\d* by name, \d+ by an anchor or word$/
    )
    expect(await page.locator('.searching .node.hit').count()).toBe((await visible()).length)
    await page.getByLabel('Search concepts').fill('etoh')
    expect(await visible()).toContain('alcohol')
    expect(await page.locator('details.card:visible .hit').count()).toBeGreaterThan(0)
    await page.getByLabel('Search concepts').fill('no such word')
    expect(await visible()).toEqual([])
    expect(await page.getByRole('status').textContent()).toMatch(/^Nothing found/)
    await page.getByLabel('Search concepts').fill('')
    expect((await visible()).length).toBe(23)
    await close()
  })

  test.each(['5', '23', '200', 'hostile'])(
    'names of the network of %s concepts stay inside their boxes, in the middle, in the font that the browser has',
    async name => {
      const {page, close} = await open(name)
      const faults = await page.locator('.node').evaluateAll(nodes =>
        nodes.flatMap(node => {
          const box = node.querySelector('path')?.getBoundingClientRect()
          return [...node.querySelectorAll('text')].flatMap(text => {
            const {left, right, top, bottom} = text.getBoundingClientRect()
            if (box === undefined) return ['no box']
            const isInside = left >= box.left + 3 && right <= box.right - 3 && top >= box.top && bottom <= box.bottom
            const isCentred = Math.abs(left + right - box.left - box.right) < 3
            return isInside && isCentred ? [] : [text.textContent]
          })
        })
      )
      expect(faults).toEqual([])
      await close()
    }
  )

  test('on a phone the network scrolls inside its frame, with names of at least 9 pixels', async () => {
    const {page, close} = await open('23', phone)
    const {size, frame, inside} = await page.locator('#network-picture .network').evaluate(picture => ({
      size: 13 * (picture.querySelector('svg')?.getScreenCTM()?.a ?? 0),
      frame: picture.clientWidth,
      inside: picture.scrollWidth
    }))
    expect(size).toBeGreaterThanOrEqual(9)
    expect(inside).toBeGreaterThan(frame)
    await close()
  })

  test('a click and Enter on a concept of the network open its card and light its neighbours', async () => {
    const {page, close} = await open('23')
    const card = page.locator('#concept-2')
    expect(await card.getAttribute('open')).toBeNull()
    await page.locator('.node[data-concept="1"] a').click()
    await expect.poll(() => card.getAttribute('open')).toBe('')
    expect(await page.evaluate('document.activeElement.closest("details").id')).toBe('concept-2')
    const ends = await page
      .locator('.edge[data-parent="1"], .edge[data-child="1"]')
      .evaluateAll(edges => edges.flatMap(edge => ['parent', 'child'].map(end => edge.getAttribute(`data-${end}`))))
    const lit = await page
      .locator('.node.near')
      .evaluateAll(nodes => nodes.map(node => node.getAttribute('data-concept')))
    expect(lit.toSorted()).toEqual([...new Set(ends)].toSorted())
    expect(lit.length).toBeGreaterThan(1)
    await page.locator('.node[data-concept="4"] a').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#concept-5').getAttribute('open')).toBe('')
    // A neighbour's link opens its card even where the search hides it.
    await page.getByLabel('Search concepts').fill('no such word')
    await page.evaluate('location.hash = "#concept-7"')
    await expect.poll(() => page.locator('#concept-7').isVisible()).toBe(true)
    await page.locator('#concept-7 [data-show]').click()
    expect(await page.locator('.node.chosen').getAttribute('data-concept')).toBe('6')
    await close()
  })

  test('buttons, keys and the wheel with the control key zoom the network, arrows move it, and 0 shows all of it', async () => {
    const {page, close} = await open('200')
    const view = (): Promise<{width: number; left: number; top: number}> =>
      page.locator('#network-picture .network').evaluate(picture => ({
        width: picture.querySelector('svg')?.getBoundingClientRect().width ?? 0,
        left: picture.scrollLeft,
        top: picture.scrollTop
      }))
    const whole = await view()
    await page.getByRole('button', {name: 'Zoom in'}).click()
    expect(Math.abs((await view()).width - whole.width * 1.4)).toBeLessThan(2)
    await page.getByRole('button', {name: 'Fit to view'}).click()
    expect(await view()).toEqual(whole)
    await page.locator('#network-picture .network').focus()
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    const closer = await view()
    expect(closer.width).toBeGreaterThan(whole.width * 1.9)
    expect(Math.abs(closer.left - (closer.width - whole.width) / 2)).toBeLessThan(30)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await view()).left).toBeGreaterThan(closer.left)
    await page.keyboard.press('0')
    expect(await view()).toEqual(whole)
    await page.locator('#network-picture .network').hover()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -200)
    await page.keyboard.up('Control')
    await expect.poll(async () => (await view()).width).toBeGreaterThan(whole.width)
    await close()
  })

  test('a click on the head of a column sorts the table, and again the other way round', async () => {
    const {page, close} = await open('23')
    const shares = () =>
      page
        .locator('#all-concepts tbody tr td:nth-child(3) data')
        .evaluateAll(cells => cells.map(cell => Number(cell.getAttribute('value'))))
    const head = page.locator('#all-concepts thead th').nth(2)
    await head.getByRole('button').click()
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    expect(await shares()).toEqual((await shares()).toSorted((a, b) => b - a))
    await head.getByRole('button').click()
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    expect(await shares()).toEqual((await shares()).toSorted((a, b) => a - b))
    await close()
  })

  test('print shows every card, opened, and no control', async () => {
    const {page, close} = await open('200')
    const shown = () =>
      page
        .locator('details.card .body')
        .evaluateAll(bodies => bodies.filter(body => body.checkVisibility({contentVisibilityAuto: true})).length)
    expect(await shown()).toBe(0)
    // A busy browser may lose the change of medium, or draw the frame that opens the cards late.
    const printed = () => page.emulateMedia({media: 'print'}).then(shown)
    await expect.poll(printed, {timeout: 20_000}).toBe(200)
    expect(
      await page
        .locator('nav, .controls, button:not(.link)')
        .evaluateAll(all => all.filter(part => part.getBoundingClientRect().height > 0).length)
    ).toBe(0)
    await close()
  })

  test('without scripts all is there to read, and concepts of the network are links', async () => {
    const {page, close} = await open('23', {...desktop, javaScriptEnabled: false})
    expect(await page.locator('details.card').count()).toBe(23)
    expect(await page.locator('.controls:visible').count()).toBe(0)
    await page.locator('.node[data-concept="1"] a').click()
    expect(page.url()).toMatch(/#concept-2$/)
    await close()
  })
})

/** A few cards, rows and nodes are like all of them, and examined in a second and not in half a minute. */
const SHORTENED = `
for (const selector of ['details.card', '#all-concepts tbody tr', '.node', '.edge'])
  for (const part of [...document.querySelectorAll(selector)].slice(12)) part.remove()
for (const details of [...document.querySelectorAll('details')].slice(0, 4)) details.open = true`

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly {readonly html: string}[]
  }[]
}

/** A fresh page with a report, and all that went wrong on it so far: errors, messages, dialogs, requests. */
async function open(
  name: string,
  options: BrowserContextOptions = desktop
): Promise<{page: Page; faults: string[]; close(): Promise<void>}> {
  const context = await browser.newContext({reducedMotion: 'reduce', ...options})
  const page = await context.newPage()
  const faults: string[] = []
  const address = 'https://report.invalid/'
  page.on('console', message => faults.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => faults.push(String(error)))
  page.on('dialog', dialog => {
    faults.push('a dialog')
    void dialog.dismiss()
  })
  await context.route('**', route => {
    if (route.request().url() === address)
      return route.fulfill({contentType: 'text/html', body: reports.get(name) ?? ''})
    // A browser asks for this by itself, unless a page says otherwise.
    if (!route.request().url().endsWith('/favicon.ico')) faults.push(`request: ${route.request().url()}`)
    return route.abort()
  })
  await page.goto(address)
  return {page, faults, close: () => context.close()}
}
