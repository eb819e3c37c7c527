import {fileURLToPath} from 'node:url'
import {describe, expect, it} from 'vitest'
import {fitGenerated} from '../lint/browser-fit.ts'
import {bundleForBrowser} from '../lint/bundle-for-browser.ts'
import {findChromium, runInWorker} from '../lint/run-in-worker.ts'

const library = fileURLToPath(new URL('index.ts', import.meta.url))
const program = fileURLToPath(new URL('../lint/browser-fit.ts', import.meta.url))
const chromium = findChromium()
// Where engines round differently they do so in few places: one seed alone may not show it.
const seeds = [1, 2, 3, 4, 5, 6]

describe('the library in a browser', () => {
  it('bundleForBrowser(index.ts) leaves nothing to import, least of all from Node', async () => {
    const code = await bundleForBrowser(library)
    expect(/export \{[^}]*\bfit\b/.test(code), 'the bundle exports fit').toBe(true)
    expect(code.match(/^.*(['"]node:|\bimport\b\s*[({'"*\w]|\brequire\().*$/gm)).toBeNull()
  })

  it.skipIf(!chromium && !process.env.CI)(
    'fit(...) in a Web Worker gives the bytes that it gives in Node',
    async () => {
      if (!chromium) throw new Error('no Chromium found; install it (apt-get install chromium) or name it in CHROMIUM')
      const code = await bundleForBrowser(program)
      const models = await runInWorker(chromium, code, `[${seeds}].map(seed => module.fitGenerated(seed))`)
      expect(models).toHaveLength(seeds.length)
      expect(seeds.map((seed, at) => difference(String((models as unknown[])[at]), fitGenerated(seed)))).toEqual(
        seeds.map(() => 'none')
      )
    }
  )
})

/** The first place where two texts differ, with a little of both: whole models would fill the screen. */
function difference(there: string, here: string): string {
  if (there === here) return 'none'
  let at = 0
  while (there[at] === here[at]) at++
  return `at ${at}: ${there.slice(at - 30, at + 20)} in the browser, ${here.slice(at - 30, at + 20)} here`
}
