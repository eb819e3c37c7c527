// Screenshots of pages with the fake session: npx tsx src/app/studio/test-shots.ts OUT anchors label anchors,empty
import {mkdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {chromium} from 'playwright-core'
import {findChromium} from '../../../test/run-in-worker.ts'
import {commonStyle} from '../present/index.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The page of tests as one HTML text without a policy. */
export async function testScreen(): Promise<string> {
  const {outputFiles} = await build({
    entryPoints: [join(here, 'test-screen.tsx')],
    bundle: true,
    write: false,
    format: 'iife',
    external: ['highs'],
    jsx: 'automatic',
    jsxImportSource: 'preact'
  })
  const style = `${commonStyle}${await readFile(join(here, 'studio.css'), 'utf8')}`
  const script = outputFiles[0].text.replaceAll('</script', '<\\/script')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>test</title><style>${style}</style><body><script>${script}</script>`
}

const [out, ...pages] = process.argv.slice(2)
if (process.argv[1]?.endsWith('test-shots.ts') && out) {
  await mkdir(out, {recursive: true})
  const html = await testScreen()
  const browser = await chromium.launch({
    executablePath: findChromium() ?? 'chromium',
    args: ['--no-sandbox', '--disable-background-networking']
  })
  for (const page of pages)
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [1024, 'light'],
      [768, 'light'],
      [360, 'light']
    ] as const) {
      const context = await browser.newContext({viewport: {width, height: 900}, colorScheme})
      await context.route('**/*', route => route.fulfill({contentType: 'text/html', body: html}))
      const tab = await context.newPage()
      tab.on('console', message => console.log(page, width, message.text()))
      tab.on('pageerror', error => console.log(page, width, error.message))
      await tab.goto(`http://studio.test/#${page}`)
      await tab.waitForTimeout(300)
      await tab.screenshot({path: join(out, `${page}-${width}-${colorScheme}.png`), fullPage: width < 1200})
      await context.close()
    }
  await browser.close()
}
