import {fileURLToPath} from 'node:url'
import {chromium} from 'playwright-core'
import {expect, test} from 'vitest'
import {bundleForBrowser} from '../../../test/bundle-for-browser.ts'
import {findChromium} from '../../../test/run-in-worker.ts'
import {drawChart} from './draw-chart.ts'
import {charts} from './test-charts.ts'
import {testDocument} from './test-svg.ts'

const executablePath = findChromium()

test.skipIf(!executablePath && !process.env.CI)(
  'drawChart(...) in a browser gives the bytes that it gives in Node',
  async () => {
    if (!executablePath) throw new Error('no Chromium found; install it or name it in CHROMIUM')
    const bundle = await bundleForBrowser(fileURLToPath(new URL('draw-chart.ts', import.meta.url)))
    const browser = await chromium.launch({executablePath, args: ['--no-sandbox']})
    try {
      const page = await browser.newPage({deviceScaleFactor: 2})
      const content = `${bundle.get('bundle.js')}\nglobalThis.drawChart = drawChart`
      await page.addScriptTag({type: 'module', content})
      await page.waitForFunction('globalThis.drawChart !== undefined')
      const drawn = await page.evaluate<string[]>(
        `${JSON.stringify(charts)}.map(chart => globalThis.drawChart(chart, document))`
      )
      expect(drawn).toHaveLength(charts.length)
      charts.forEach((chart, at) => {
        expect(drawn[at] === drawChart(chart, testDocument()), chart.kind).toBe(true)
      })
    } finally {
      await browser.close()
    }
  }
)
