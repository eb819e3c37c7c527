import {readFileSync, truncateSync} from 'node:fs'
import {expect, test} from 'vitest'
import {openDocuments} from './open-documents.ts'
import {readBytes} from './read-bytes.ts'
import {documentFixture, failureOf, readAll, testFolder} from './test-folder.ts'
import {sevenZip} from './test-seven-zip.ts'

const folder = testFolder()
const posts = '<posts><row Id="1" PostTypeId="1" Title="A title" Body="b" Tags="|c#|" /></posts>'

async function read(path: string, onRead?: (count: number) => void): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of readBytes(path, {onRead})) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function errorOf(content: Uint8Array): Promise<string> {
  const path = folder.file('x.7z', content)
  const error = await failureOf(() => read(path))
  expect(error.code).toBe('bad-file')
  expect(error.message.startsWith(`${path}: `)).toBe(true)
  return error.message.slice(path.length + 2)
}

test.each(['android.stackexchange.com.7z', 'lzma2.xml.7z'])('readBytes(%s) gives the Posts.xml inside', async name => {
  expect(await read(documentFixture(name))).toBe(readFileSync(documentFixture('Posts.xml'), 'utf8'))
})

test('openDocuments(...) reads a dump as it is downloaded, as often as one likes, and tells how far it is', async () => {
  const path = documentFixture('android.stackexchange.com.7z')
  const source = openDocuments([path], {fields: ['title', 'text']})
  for (let pass = 0; pass < 2; pass++) {
    const rows = []
    for await (const batch of source.batches()) rows.push(...batch)
    expect(rows).toEqual(await readAll(documentFixture('Posts.xml')))
    expect(source.bytesRead()).toBe(source.byteCount)
  }
})

test('readBytes(...) of an archive takes Posts.xml wherever it is, else the only file', async () => {
  expect(
    await read(folder.file('a.7z', sevenZip({'Badges.xml': '<a/>', 'x/Posts.xml': posts, 'Votes.xml': '<b/>'})))
  ).toBe(posts)
  expect(await read(folder.file('b.7z', sevenZip({'a.jsonl': 'one'}, ['folder', 'other'])))).toBe('one')
  expect(await readAll(folder.file('notes.jsonl.7z', sevenZip({'n.jsonl': '{"text": "a"}'})))).toHaveLength(1)
})

test('readBytes(...) of an archive hands the content out in pieces and progress with them', async () => {
  const content = Buffer.alloc(5_000_000, 'abc')
  const path = folder.file('long.7z', sevenZip({'a.txt': content}))
  const told: number[] = []
  let longest = 0
  let length = 0
  for await (const piece of readBytes(path, {onRead: count => told.push(count)})) {
    longest = Math.max(longest, piece.length)
    length += piece.length
  }
  expect(length).toBe(content.length)
  expect(longest).toBeLessThanOrEqual(1024 * 1024)
  expect(told.length).toBeGreaterThan(4)
  expect(Math.min(...told)).toBeGreaterThanOrEqual(0)
  expect(told.reduce((sum, count) => sum + count)).toBe(readFileSync(path).length)
})

test('readBytes(...) of an archive with an empty file gives nothing, and is done', async () => {
  const path = folder.file('none.7z', sevenZip({'a.txt': ''}))
  let told = 0
  const content = await read(path, count => {
    told += count
  })
  expect([content, told]).toEqual(['', readFileSync(path).length])
})

test('readBytes(...) of an archive lets timers run between pieces', async () => {
  const path = folder.file('timers.7z', sevenZip({'a.txt': Buffer.alloc(8_000_000)}))
  let ticks = 0
  let timer: NodeJS.Immediate | undefined
  const tick = () => {
    ticks++
    timer = setImmediate(tick)
  }
  let pieces = 0
  for await (const _ of readBytes(path)) if (pieces++ === 0) tick()
  clearImmediate(timer)
  expect(pieces).toBe(8)
  expect(ticks).toBeGreaterThan(5)
})

test('readBytes(...) of an archive lists the files when it cannot choose', async () => {
  expect(await errorOf(sevenZip({'a.xml': 'a', 'b.xml': 'b'}))).toMatch(
    /^the archive holds 2 files to choose from: a\.xml, b\.xml; one file is read, Posts\.xml or the only one; /
  )
  expect(await errorOf(sevenZip({'a/Posts.xml': 'a', 'b/Posts.xml': 'b', c: ''}))).toContain(
    '2 files to choose from: a/Posts.xml, b/Posts.xml;'
  )
  const many = Object.fromEntries(Array.from({length: 12}, (_, index) => [`f${index}`, 'x']))
  expect(await errorOf(sevenZip(many))).toContain(
    '12 files to choose from: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 2 more;'
  )
})

test('readBytes(...) refuses an archive without files', async () => {
  expect(await errorOf(sevenZip({}, ['folder']))).toMatch(/^the archive holds no files; /)
  const nothing = sevenZip({})
  expect(await errorOf(nothing)).toMatch(/^the archive holds no files; /)
})

test('readBytes(...) refuses an archive cut short anywhere', async () => {
  const bytes = readFileSync(documentFixture('android.stackexchange.com.7z'))
  for (const length of [6, 11, 31, 32, 33, 500, bytes.length - 33, bytes.length - 1])
    expect(await errorOf(bytes.subarray(0, length))).toBe(
      'the 7z data ends too early; the file is cut short; copy or download it again'
    )
})

test('readBytes(...) refuses an archive in which any one byte was changed', async () => {
  const bytes = sevenZip({'Posts.xml': posts})
  const end = readFileSync(documentFixture('lzma2.xml.7z'))
  for (const [whole, places] of [
    [bytes, [8, 12, 20, 28, 40, 100, bytes.length - 3, bytes.length - 30]],
    [end, [9, 200, 600, end.length - 10]]
  ] as const)
    for (const at of places) {
      const damaged = Buffer.from(whole)
      damaged[at] ^= 1
      expect(await errorOf(damaged)).toMatch(/^the 7z data is damaged.*; copy or download the file again$/)
    }
})

test.each(['locked.7z', 'locked-names.7z'])('readBytes(%s) says that a password protects it', async name => {
  expect(await errorOf(readFileSync(documentFixture(name)))).toBe(
    'the archive is protected by a password; unpack it first and name the file inside'
  )
})

test('readBytes(...) refuses an archive over 1 GB at once, with the command that reads it', async () => {
  // The file has a hole: it takes no room on disk.
  const path = folder.file('large.7z', sevenZip({'Posts.xml': posts}))
  truncateSync(path, 1024 ** 3 + 1)
  const error = await failureOf(() => read(path))
  expect(error.message).toMatch(
    /the archive has 1\.0 GB; up to 1 GB is read .* 7z x -so ARCHIVE\.7z Posts\.xml, .*`format` stackexchange/
  )
})

test('readBytes(path, {signal}) stops between the pieces of an archive', async () => {
  const path = folder.file('stop.7z', sevenZip({'a.txt': Buffer.alloc(5_000_000)}))
  const abort = new AbortController()
  const error = await failureOf(async () => {
    for await (const _ of readBytes(path, {signal: abort.signal})) abort.abort()
  })
  expect(error.code).toBe('cancelled')
})
