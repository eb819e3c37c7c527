import {readFileSync} from 'node:fs'
import {pipeline, Readable} from 'node:stream'
import {createGunzip, gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {documentFixture, failureOf, refusalOf} from '../files/test-folder.ts'
import {lineRange, type SourceFile, sourceBytes} from './source-file.ts'

/** The places that are read from a file. */
function watched(content: string): {file: SourceFile; read: [number, number][]} {
  const file = new File([content], 'x.txt')
  const read: [number, number][] = []
  const slice = (from: number, to: number) => {
    read.push([from, to])
    return file.slice(from, to)
  }
  return {file: {name: file.name, size: file.size, slice}, read}
}

async function linesIn(file: SourceFile, from: number, to: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of lineRange(file, {from, to})) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('lineRange(file, range) gives the lines that begin in it, as a loop over all lines finds them', async () => {
  const anyBytes = fc.array(fc.constantFrom(10, 13, 97, 0xc3, 0xa9), {minLength: 1, maxLength: 40})
  await fc.assert(
    fc.asyncProperty(anyBytes, fc.nat(40), fc.nat(40), async (bytes, a, b) => {
      const file = new File([Uint8Array.from(bytes)], 'any.txt')
      const [from, to] = [Math.min(a, b), Math.max(a, b) + 1].map(at => Math.min(at, bytes.length))
      const expected: number[] = []
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(10, start) < 0 ? bytes.length : bytes.indexOf(10, start) + 1
        if (start >= from && start < to) expected.push(...bytes.slice(start, end))
        start = end
      }
      if (from < to) expect([...(await linesIn(file, from, to))]).toEqual(expected)
    }),
    {seed: 1, numRuns: 300}
  )
})

test('lineRange(file, range) reads no more than its lines, and what shows where they begin', async () => {
  const {file, read} = watched(`${'x'.repeat(99)}\n`.repeat(50_000))
  expect((await linesIn(file, 3_000_050, 3_400_050)).length).toBe(400_000)
  expect(read).toEqual([
    [3_000_049, 3_065_585],
    [3_400_049, 3_465_585],
    [3_000_100, 3_400_100]
  ])
})

test('readers of a file stop when they are told to', async () => {
  const {file} = watched('a\n'.repeat(2_000_000))
  const ranges = (signal: AbortSignal) => lineRange(file, {from: 0, to: file.size}, {signal})
  for (const read of [ranges, (signal: AbortSignal) => sourceBytes(file, {signal})]) {
    const abort = new AbortController()
    const error = await failureOf(async () => {
      for await (const _ of read(abort.signal)) abort.abort()
    })
    expect(error.code).toBe('cancelled')
  }
})

const notes = readFileSync(documentFixture('notes.jsonl'), 'utf8')

async function decode(bytes: Uint8Array): Promise<string> {
  const parts: Uint8Array[] = []
  const gunzip = (packed: AsyncIterable<Uint8Array>) => pipeline(Readable.from(packed), createGunzip(), () => {})
  const file = new File([Uint8Array.from(bytes)], 'x')
  for await (const part of sourceBytes(Object.assign(file, {gunzip}))) parts.push(part)
  return Buffer.concat(parts).toString()
}

function fixture(name: string): Buffer {
  return readFileSync(documentFixture(name))
}

/** The content of blocks.jsonl.zst, of which PROVENANCE.md has the program. */
function blocksContent(): string {
  const lines = Array.from({length: 4000}, (_, i) => ({
    id: i,
    text: `note ${(i * 7919) % 1009} of ${(i * i) % 97} words, written on day ${i % 365}`
  }))
  return lines.map(line => `${JSON.stringify(line)}\n`).join('')
}

test('sourceBytes(...) reads members of gzip and frames of zstd one after the other, also skippable ones', async () => {
  expect(await decode(Buffer.concat(['one\n', '', 'two\n'].map(text => gzipSync(text))))).toBe('one\ntwo\n')
  expect(await decode(fixture('frames.jsonl.zst'))).toBe(notes)
  const twice = Buffer.concat([fixture('notes.jsonl.zst'), fixture('frames.jsonl.zst')])
  expect(await decode(twice)).toBe(notes + notes)
  for (const name of ['notes.jsonl', 'notes.jsonl.gz']) expect(await decode(fixture(name))).toBe(notes)
  expect(await decode(fixture('blocks.jsonl.zst'))).toBe(blocksContent())
})

test.each(['notes.jsonl.gz', 'notes.jsonl.zst'])('sourceBytes(...) refuses %s cut short anywhere', async name => {
  const bytes = fixture(name)
  for (let length = 5; length < bytes.length; length++) {
    const error = await failureOf(() => decode(bytes.subarray(0, length)))
    expect([length, error.code]).toEqual([length, 'bad-file'])
    expect(error.message).toMatch(/^x: the (gzip|zstd) data is damaged or cut short/)
  }
})

test('sourceBytes(...) refuses zstd data with blocks that cannot be', async () => {
  const bytes = fixture('blocks.jsonl.zst')
  let refused = 0
  for (let at = 6; at < bytes.length; at += 97) {
    const broken = Uint8Array.from(bytes)
    broken.fill(0xff, at, at + 40)
    const outcome = await decode(broken).catch(error => error)
    if (typeof outcome === 'string') continue
    expect(outcome).toMatchObject({code: 'bad-file', message: expect.stringMatching(/^x: the zstd data/)})
    refused++
  }
  expect(refused).toBeGreaterThan(10)
})

const changed = gzipSync(notes, {level: 0})
changed[100] ^= 4

test.each<[string, Uint8Array, RegExp]>([
  ['gzip data whose content was changed', changed, /^x: the gzip data is damaged/],
  [
    'a window of more than 32 MB',
    fixture('long-window.jsonl.zst'),
    /^x: .*window of 128 MB; at most 32.*without --long/
  ],
  ['a dictionary', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 0, 1, 0, 0]), /needs a dictionary/],
  [
    'other data at the end',
    Buffer.from(`${fixture('notes.jsonl.zst').toString('latin1')}more`.padEnd(9e3), 'latin1'),
    /^x: the zstd/
  ]
])('sourceBytes(...) refuses %s', async (_, bytes, message) => {
  expect(await refusalOf(() => decode(bytes), 'bad-file')).toMatch(message)
})
