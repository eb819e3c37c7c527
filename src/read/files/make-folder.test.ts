import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {makeFolder} from './write-atomically.ts'

const root = mkdtempSync(join(tmpdir(), 'adfa-folder-'))
afterAll(() => rmSync(root, {recursive: true, force: true}))

test('makeFolder(...) makes a folder and those above it, and is content with one that is there', async () => {
  await makeFolder(join(root, 'a/b/c'))
  await makeFolder(join(root, 'a/b/c'))
  expect(existsSync(join(root, 'a/b/c'))).toBe(true)
})

test('makeFolder(...) says in plain words why it cannot', async () => {
  writeFileSync(join(root, 'a file'), '')
  for (const path of ['a file', 'a file/below'])
    await expect(makeFolder(join(root, path))).rejects.toMatchObject({name: 'AdfaError', code: 'cannot-write'})
})
