import {chmodSync, readFileSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {afterEach, expect, test, vi} from 'vitest'
import {readBinaryFile, readBytes, readLineRange, readTextFile} from './read-bytes.ts'
import {documentFixture, failureOf, testFolder} from './test-folder.ts'

const folder = testFolder()
const notes = readFileSync(documentFixture('notes.jsonl'), 'utf8')

async function read(path: string): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of readBytes(path)) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('readBytes(path) decompresses by the first bytes, whatever the name', async () => {
  for (const name of ['notes.jsonl', 'notes.jsonl.gz', 'notes.jsonl.zst']) {
    expect(await read(documentFixture(name))).toBe(notes)
    expect(await read(folder.file('renamed.gz', readFileSync(documentFixture(name))))).toBe(notes)
  }
})

test('readBytes(path) reads gzip members one after the other', async () => {
  const path = folder.file('two.gz', Buffer.concat([gzipSync('one\n'), gzipSync(''), gzipSync('two\n')]))
  expect(await read(path)).toBe('one\ntwo\n')
})

test('readBytes(path) refuses gzip data cut short anywhere but between members', async () => {
  const first = gzipSync('one\n')
  const bytes = Buffer.concat([first, gzipSync('two\n')])
  for (let length = 2; length < bytes.length; length++) {
    const path = folder.file('cut.gz', bytes.subarray(0, length))
    if (length === first.length) expect(await read(path)).toBe('one\n')
    else
      expect((await failureOf(() => read(path))).message).toBe(
        `${path}: the gzip data ends too early; the file is cut short; copy or download it again`
      )
  }
})

test('readBytes(path) refuses gzip data whose content was changed', async () => {
  const bytes = gzipSync(notes, {level: 0})
  bytes[100] ^= 4
  const path = folder.file('damaged.gz', bytes)
  const error = await failureOf(() => read(path))
  expect(error.code).toBe('bad-file')
  expect(error.message).toContain(`${path}: the gzip data is damaged (incorrect data check)`)
})

test('readBytes(path) refuses what cannot be read, with the reason and a way out', async () => {
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

test.skipIf(process.getuid?.() === 0)('readBytes(path) says when there is no permission', async () => {
  const path = folder.file('locked', 'x')
  chmodSync(path, 0)
  expect((await failureOf(() => read(path))).message).toContain(`${path}: no permission to read it`)
})

test('readBytes(path, {signal}) stops when it is told to', async () => {
  const abort = new AbortController()
  const path = folder.file('long', Buffer.alloc(3_000_000))
  const error = await failureOf(async () => {
    for await (const _ of readBytes(path, {signal: abort.signal})) abort.abort()
  })
  expect(error.code).toBe('cancelled')
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** The places that are read from now on, from and to. */
async function spyOnReads(path: string): Promise<() => [number, number][]> {
  const handle = await open(path)
  const read = vi.spyOn(Object.getPrototypeOf(handle), 'read')
  await handle.close()
  return () => read.mock.calls.map(([, , length, at]) => [Number(at), Number(at) + Number(length)])
}

async function linesIn(path: string, from: number, to: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of readLineRange(path, {from, to})) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('readLineRange(path, range) gives the lines that begin in it, as a loop over all lines finds them', async () => {
  const anyBytes = fc.array(fc.constantFrom(10, 13, 97, 0xc3, 0xa9), {minLength: 1, maxLength: 40})
  await fc.assert(
    fc.asyncProperty(anyBytes, fc.nat(40), fc.nat(40), async (bytes, a, b) => {
      const path = folder.file('any.txt', Uint8Array.from(bytes))
      const [from, to] = [Math.min(a, b), Math.max(a, b) + 1].map(at => Math.min(at, bytes.length))
      const expected: number[] = []
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(10, start) < 0 ? bytes.length : bytes.indexOf(10, start) + 1
        if (start >= from && start < to) expected.push(...bytes.slice(start, end))
        start = end
      }
      if (from < to) expect([...(await linesIn(path, from, to))]).toEqual(expected)
    }),
    {seed: 1, numRuns: 300}
  )
})

test('readLineRange(path, range) reads no more than the range, a byte before it and the rest of a line', async () => {
  const line = `${'x'.repeat(99)}\n`
  const path = folder.file('large.txt', line.repeat(50_000))
  const read = await spyOnReads(path)
  const text = await linesIn(path, 3_000_050, 3_400_050)
  expect(text.length).toBe(400_000)
  expect(read()).toEqual([
    [3_000_049, 3_400_050],
    [3_400_050, 3_400_050 + 65_536]
  ])
})

test('readLineRange(path, range) goes through a line that began before, and stops at the end of the range', async () => {
  const path = folder.file('one-line.txt', 'x'.repeat(3_000_000))
  const read = await spyOnReads(path)
  const told: number[] = []
  const pieces = []
  const onRead = (count: number) => told.push(count)
  for await (const piece of readLineRange(path, {from: 500, to: 2_500_000}, {onRead})) pieces.push(piece)
  expect(pieces).toEqual([])
  expect(told.reduce((sum, count) => sum + count)).toBe(2_499_500)
  expect(read().at(-1)).toEqual([499 + 2 * 1024 * 1024, 2_500_000])
})

test('readLineRange(path, range) names the file in errors and can be cancelled', async () => {
  expect((await failureOf(() => linesIn(`${folder.path}/none`, 0, 5))).message).toMatch(/none: no such file/)
  const path = folder.file('cancelled.txt', 'a\nb\n')
  const signal = AbortSignal.abort()
  const work = async () => {
    for await (const _ of readLineRange(path, {from: 0, to: 2}, {signal})) throw new Error('it was read')
  }
  expect((await failureOf(work)).code).toBe('cancelled')
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
  expect((await failureOf(() => readBinaryFile(cut))).message).toContain('cut.gz: the gzip data ends too early')
})
