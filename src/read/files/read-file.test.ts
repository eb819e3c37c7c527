import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {readBinaryFile, readTextFile} from './read-bytes.ts'
import {documentFixture, failureOf, testFolder} from './test-folder.ts'

const folder = testFolder()

test('readTextFile(path) gives the text, decompressed and without a byte order mark', async () => {
  const notes = readFileSync(documentFixture('notes.jsonl'), 'utf8')
  for (const name of ['notes.jsonl', 'notes.jsonl.gz', 'notes.jsonl.zst'])
    expect(await readTextFile(documentFixture(name))).toBe(notes)
  expect(await readTextFile(folder.file('mark.json', '\ufeff{}'))).toBe('{}')
  expect(await readTextFile(folder.file('empty', ''))).toBe('')
})

test('readBinaryFile(path) gives the bytes, decompressed', async () => {
  const bytes = Uint8Array.from({length: 3_000_000}, (_, index) => index % 251)
  expect(Buffer.compare(await readBinaryFile(folder.file('x.counts', bytes)), bytes)).toBe(0)
  expect(Buffer.compare(await readBinaryFile(folder.file('x.counts.gz', gzipSync(bytes))), bytes)).toBe(0)
})

test('readTextFile(path) refuses what is not UTF-8, missing, a folder or cut short', async () => {
  const error = await failureOf(() => readTextFile(folder.file('x.json', Buffer.from([0x7b, 0xff]))))
  expect(error.code).toBe('bad-file')
  expect(error.message).toContain('x.json: not text in UTF-8')
  expect((await failureOf(() => readTextFile(join(folder.path, 'none')))).message).toContain(
    'none: there is no such file'
  )
  expect((await failureOf(() => readBinaryFile(folder.path))).message).toContain('this is a folder')
  const cut = folder.file('cut.gz', gzipSync('hello').subarray(0, 12))
  expect((await failureOf(() => readBinaryFile(cut))).message).toContain('cut.gz: the gzip data ends too early')
})
