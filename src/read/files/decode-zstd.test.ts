import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {startsZstd} from '../reading/index.ts'
import {decodeZstd} from './decode-zstd.ts'
import {documentFixture, failureOf, inPieces} from './test-folder.ts'

const notes = readFileSync(documentFixture('notes.jsonl'), 'utf8')

async function decode(bytes: Uint8Array, pieceSize = 1000): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of decodeZstd(inPieces(bytes, pieceSize), 'x.zst')) parts.push(part)
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

test.each([1, 2, 7, 100_000])('decodeZstd(...) does not depend on the pieces it gets (of %i bytes)', async size => {
  expect(await decode(fixture('notes.jsonl.zst'), size)).toBe(notes)
  expect(await decode(fixture('blocks.jsonl.zst'), size)).toBe(blocksContent())
})

test('decodeZstd(...) reads frames one after the other, skippable ones and ones without checksum among them', async () => {
  expect(await decode(fixture('frames.jsonl.zst'))).toBe(notes)
  const twice = Buffer.concat([fixture('notes.jsonl.zst'), fixture('frames.jsonl.zst')])
  expect(await decode(twice)).toBe(notes + notes)
})

test('decodeZstd(...) reads blocks of one byte repeated and blocks stored as they are', async () => {
  const blockHeader = (isLast: number, kind: number, size: number) => [
    isLast | (kind << 1) | ((size << 3) & 255),
    size >> 5,
    0
  ]
  const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 203, ...blockHeader(0, 1, 200), 0x61, ...blockHeader(1, 0, 3), 1, 2, 3]
  expect(await decode(Uint8Array.from(frame))).toBe(`${'a'.repeat(200)}\u0001\u0002\u0003`)
})

test('decodeZstd(...) refuses a file cut short anywhere', async () => {
  const bytes = fixture('notes.jsonl.zst')
  for (let length = 1; length < bytes.length; length++) {
    const error = await failureOf(() => decode(bytes.subarray(0, length)))
    expect(error.code).toBe('bad-file')
    expect(error.message).toBe('x.zst: the zstd data ends too early; the file is cut short; copy or download it again')
  }
})

test('decodeZstd(...) never gives other content when any one bit is flipped', async () => {
  const bytes = fixture('notes.jsonl.zst')
  let refused = 0
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] ^= 1 << (bit & 7)
    const outcome = await decode(flipped).catch(error => error)
    if (outcome === notes) continue
    expect(outcome).toMatchObject({code: 'bad-file', message: expect.stringMatching(/^x\.zst: (the|something)/)})
    refused++
  }
  // Few bits are without meaning, such as the one the format leaves unused.
  expect(refused).toBeGreaterThan(8 * bytes.length - 10)
})

test.each([-100, -1, 1, 100])('decodeZstd(...) refuses a frame that claims %i bytes more than it has', async more => {
  const bytes = fixture('frames.jsonl.zst') // the first frame has no checksum
  expect(bytes[4]).toBe(0x20) // single segment, content size in one byte
  bytes[5] += more
  expect((await failureOf(() => decode(bytes))).message).toContain('x.zst: the zstd data is damaged')
})

test('decodeZstd(...) refuses a window of more than 32 MB and says how to compress', async () => {
  const error = await failureOf(() => decode(fixture('long-window.jsonl.zst')))
  expect(error.message).toMatch(/x\.zst: .*window of 128 MB; at most 32 MB.*without --long/)
})

test('decodeZstd(...) refuses data that needs a dictionary', async () => {
  const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 0, 1, 0, 0])
  expect((await failureOf(() => decode(bytes))).message).toContain('needs a dictionary')
})

test('decodeZstd(...) refuses other data after the last frame', async () => {
  const bytes = Buffer.concat([fixture('notes.jsonl.zst'), Buffer.from('more text')])
  expect((await failureOf(() => decode(bytes))).message).toContain('x.zst: something that is not zstd follows')
})

test('startsZstd(bytes) tells Zstandard by its first four bytes', () => {
  expect(startsZstd(fixture('notes.jsonl.zst'))).toBe(true)
  expect(startsZstd(Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 0]))).toBe(true)
  expect(startsZstd(Buffer.from('{"id"'))).toBe(false)
  expect(startsZstd(Buffer.from([0x28, 0xb5, 0x2f]))).toBe(false)
})
