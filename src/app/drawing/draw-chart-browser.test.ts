import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {bundleForBrowser} from '../../../test/bundle-for-browser.ts'
import {findChromium, runInWorker} from '../../../test/run-in-worker.ts'
import {drawChart} from './draw-chart.ts'
import {charts} from './test-charts.ts'

const executablePath = findChromium()

test.skipIf(!executablePath && !process.env.CI)(
  'drawChart(...) in a worker of a browser gives the bytes that it gives in Node',
  async () => {
    if (!executablePath) throw new Error('no Chromium found; install it or name it in CHROMIUM')
    const bundle = await bundleForBrowser(fileURLToPath(new URL('draw-chart.ts', import.meta.url)))
    const drawn = await runInWorker(
      executablePath,
      bundle,
      `${JSON.stringify(charts)}.map(chart => module.drawChart(chart))`
    )
    expect(drawn).toEqual(charts.map(chart => drawChart(chart)))
  }
)
