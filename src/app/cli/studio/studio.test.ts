import {existsSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {adfa, testFolder} from '../test-run.ts'

const folder = testFolder()

test.each([
  [['gone.jsonl'], 'adfa: gone.jsonl: no such file; check its name'],
  [['src'], 'adfa: src is no file; the studio takes files, so name those of the folder'],
  [['--force'], 'adfa: --force replaces a file that --save writes; add --save'],
  [['--port', '70000'], 'adfa: --port 70000: a port is a number up to 65535; name another, or leave it out']
])('adfa studio %j is refused', async (args, message) => {
  const {code, stderr} = await adfa('studio', '--no-open', ...args)
  expect(stderr.trim()).toBe(message)
  expect(code).not.toBe(0)
})

test('adfa studio --save keeps a file that is no studio', async () => {
  const other = folder.write('other.html', '<p>mine</p>')
  const {code, stderr} = await adfa('studio', '--save', other)
  expect([code, stderr.trim()]).toEqual([
    2,
    `adfa: ${other} exists and is no studio; name another file, or replace it with --force`
  ])
  expect(readFileSync(other, 'utf8')).toBe('<p>mine</p>')
  const named = await adfa('studio', other, '--save', folder.at('new.html'))
  expect([named.code, existsSync(folder.at('new.html'))]).toEqual([2, false])
})
