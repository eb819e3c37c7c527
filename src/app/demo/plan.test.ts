import {existsSync} from 'node:fs'
import {expect, test} from 'vitest'
import {corpusPath} from './plan.ts'

test('corpusPath(...) finds the embedded corpus, and nothing else', () => {
  expect(existsSync(corpusPath('npm-packages.jsonl.gz'))).toBe(true)
  expect(() => corpusPath('moon.jsonl.gz')).toThrow(/the embedded corpus moon\.jsonl\.gz is missing/)
})
