import {chmodSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {sourceBytes} from '../reading/index.ts'
import {diskFile, readBinaryFile, readTextFile} from './disk-file.ts'
import {documentFixture, failureOf, testFolder} from './test-folder.ts'

const folder = testFolder()

async function read(path: string): Promise<void> {
  for await (const _ of sourceBytes(diskFile(path)));
}

test('diskFile(path) gives the bytes between two places, up to the end of the file', async () => {
  const file = diskFile(folder.file('digits', '0123456789'))
  const text = async (from: number, to: number) => Buffer.from(await file.slice(from, to).arrayBuffer()).toString()
  expect([await text(0, 3), await text(7, 10), await text(8, 20)]).toEqual(['012', '789', '89'])
})

test('diskFile(path) refuses what cannot be read, with the reason and a way out', async () => {
  const missing = join(folder.path, 'missing.jsonl')
  expect((await failureOf(() => read(missing))).message).toBe(`${missing}: no such file; check the path`)
  const reports = folder.file('reports.csv', 'x')
  folder.file('report.html', 'x')
  const near = join(folder.path, 'report.csv')
  expect((await failureOf(() => read(near))).message).toBe(`${near}: no such file; did you mean ${reports}?`)
  expect((await failureOf(() => read(folder.path))).message).toContain(`${folder.path}: this is a folder, not a file`)
  const inside = join(folder.file('plain', 'x'), 'y')
  expect((await failureOf(() => read(inside))).message).toContain('a file where a folder should be')
})

test.skipIf(process.getuid?.() === 0)('diskFile(path) says when there is no permission', async () => {
  const path = folder.file('locked', 'x')
  chmodSync(path, 0)
  expect((await failureOf(() => read(path))).message).toContain(`${path}: no permission to read it`)
})

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
  expect((await failureOf(() => readTextFile(join(folder.path, 'none')))).message).toContain('none: no such file')
  expect((await failureOf(() => readBinaryFile(folder.path))).message).toContain('this is a folder')
  const cut = folder.file('cut.gz', gzipSync('hello').subarray(0, 12))
  expect((await failureOf(() => readBinaryFile(cut))).message).toContain(
    'cut.gz: the gzip data is damaged or cut short'
  )
})
