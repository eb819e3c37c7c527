import {chmodSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {readBytes} from './read-bytes.ts'
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
  expect((await failureOf(() => read(missing))).message).toBe(
    `${missing}: there is no such file; check its name and folder`
  )
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
