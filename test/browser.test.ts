import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {describe, expect, it} from 'vitest'
import {fitGenerated, learnCase, learnCases, recoverByPrograms, recoverGenerated} from './browser-fit.ts'
import {bundleForBrowser} from './bundle-for-browser.ts'
import {findChromium, runInWorker} from './run-in-worker.ts'

const library = fileURLToPath(new URL('../src/index.ts', import.meta.url))
const program = fileURLToPath(new URL('browser-fit.ts', import.meta.url))
const chromium = findChromium()
// Engines differ in rounding only in few places: one seed may not show it.
const seeds = [1, 2, 3, 4, 5, 6]

describe('the library in a browser', () => {
  it('bundleForBrowser(index.ts) leaves nothing to import but its own parts, least of all from Node', async () => {
    const bundle = await bundleForBrowser(library)
    const code = bundle.get('bundle.js') ?? ''
    expect(/export \{[^}]*\bfit\b/.test(code), 'the bundle exports fit').toBe(true)
    const names = [...bundle.keys()].filter(name => name !== 'bundle.js')
    expect(names.filter(name => name.startsWith('highs-'))).toHaveLength(1)
    const ownParts = new RegExp(`\\bimport\\b[^;]*?"\\./(?:bundle\\.js|${names.join('|')})"`, 'g')
    expect(code).toMatch(ownParts)
    // HiGHS finds out by itself whether it runs under Node.
    for (const [name, part] of bundle)
      if (!name.startsWith('highs-'))
        expect(part.replaceAll(ownParts, '').match(/^.*(['"]node:|\bimport\b\s*[({'"*\w]|\brequire\().*$/gm)).toBeNull()
  })

  it.skipIf(!chromium && !process.env.CI)(
    'learn(...), fit(...) and recoverMoments(...) in a Web Worker give the bytes that they give in Node, and linear programs run there too',
    async () => {
      if (!chromium) throw new Error('no Chromium found; install it (apt-get install chromium) or name it in CHROMIUM')
      const wasm = readFileSync(fileURLToPath(import.meta.resolve('highs/runtime')))
      const files = new Map<string, string | Uint8Array>([...(await bundleForBrowser(program)), ['highs.wasm', wasm]])
      const expression = `Promise.all([
        Promise.all([${seeds}].map(seed => module.fitGenerated(seed))),
        Promise.all([1, 2].map(seed => module.recoverGenerated(seed))),
        module.recoverByPrograms(1, {wasmUrl: '/highs.wasm'}),
        Promise.all([${[...learnCases.keys()]}].map(at => module.learnCase(at)))
      ])`
      const [models, moments, objective, learned] = (await runInWorker(chromium, files, expression)) as [
        string[],
        string[],
        number,
        string[]
      ]
      const fitted = await Promise.all(seeds.map(async (seed, at) => difference(models[at], await fitGenerated(seed))))
      expect(fitted).toEqual(seeds.map(() => 'none'))
      const recovered = await Promise.all(
        [1, 2].map(async (seed, at) => difference(moments[at], await recoverGenerated(seed)))
      )
      expect(recovered).toEqual(['none', 'none'])
      for (const at of learnCases.keys()) expect(difference(learned[at], await learnCase(at))).toBe('none')
      // Both are within 1e-4 of the optimum, whatever the engine's floating point does to HiGHS.
      expect(Math.abs(objective - (await recoverByPrograms(1)))).toBeLessThan(1e-4)
    },
    120_000
  )
})

/** The first difference of two texts, with some context: whole models would fill the screen. */
function difference(there: string, here: string): string {
  if (there === here) return 'none'
  let at = 0
  while (there[at] === here[at]) at++
  return `at ${at}: ${there.slice(at - 30, at + 20)} in the browser, ${here.slice(at - 30, at + 20)} here`
}
