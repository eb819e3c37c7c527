import {createHash} from 'node:crypto'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {expect, test} from 'vitest'
import {pageScript} from './page-script.ts'

test('pageScript is the script of a report as one text; npx vitest run src/app/report/page-script.test.ts -u writes it anew', async () => {
  const {outputFiles} = await build({
    entryPoints: [fileURLToPath(new URL('../studio/report-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    charset: 'ascii',
    target: 'es2022',
    supported: {'template-literal': false}
  })
  const text = outputFiles[0].text.trim()
  const hash = createHash('sha256').update(text).digest('base64')
  expect(text).not.toMatch(/`|<\/script|<!--|\$\{/i)
  await expect(
    `/** The script of a report, made from app/studio/report-page.ts by page-script.test.ts. */
export const pageScript = {
  hash: 'sha256-${hash}',
  text: String.raw\`${text}\`
}
`
  ).toMatchFileSnapshot('page-script.ts')
})

test('pageScript fetches and keeps nothing', () => {
  expect(pageScript.text).not.toMatch(/fetch|XMLHttpRequest|localStorage|sessionStorage|cookie|innerHTML|eval|import\(/)
})
