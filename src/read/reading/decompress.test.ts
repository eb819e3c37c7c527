import {readFileSync} from 'node:fs'
import {pipeline, Readable} from 'node:stream'
import {createGunzip, gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {documentFixture, failureOf, inPieces} from '../files/test-folder.ts'
import {decompressed} from './source-file.ts'

const notes = readFileSync(documentFixture('notes.jsonl'), 'utf8')

async function decode(bytes: Uint8Array, pieceSize = 1000): Promise<string> {
  const parts: Uint8Array[] = []
  const gunzip = (packed: AsyncIterable<Uint8Array>) => pipeline(Readable.from(packed), createGunzip(), () => {})
  for await (const part of decompressed(inPieces(bytes, pieceSize), 'x', gunzip)) parts.push(part)
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

test.each([1, 2, 7, 100_000])('decompressed(...) does not depend on the pieces it gets (of %i bytes)', async size => {
  for (const name of ['notes.jsonl', 'notes.jsonl.gz', 'notes.jsonl.zst'])
    expect(await decode(fixture(name), size)).toBe(notes)
  expect(await decode(fixture('blocks.jsonl.zst'), size)).toBe(blocksContent())
})

test('decompressed(...) reads members of gzip one after the other', async () => {
  expect(await decode(Buffer.concat(['one\n', '', 'two\n'].map(text => gzipSync(text))))).toBe('one\ntwo\n')
})

test('decompressed(...) reads frames of zstd one after the other, skippable ones and ones without checksum among them', async () => {
  expect(await decode(fixture('frames.jsonl.zst'))).toBe(notes)
  const twice = Buffer.concat([fixture('notes.jsonl.zst'), fixture('frames.jsonl.zst')])
  expect(await decode(twice)).toBe(notes + notes)
})

test.each(['notes.jsonl.gz', 'notes.jsonl.zst'])('decompressed(...) refuses %s cut short anywhere', async name => {
  const bytes = fixture(name)
  for (let length = 5; length < bytes.length; length++) {
    const error = await failureOf(() => decode(bytes.subarray(0, length)))
    expect([length, error.code]).toEqual([length, 'bad-file'])
    expect(error.message).toMatch(/^x: the (gzip|zstd) data is damaged or cut short/)
  }
})

test('decompressed(...) refuses gzip data whose content was changed', async () => {
  const bytes = gzipSync(notes, {level: 0})
  bytes[100] ^= 4
  expect((await failureOf(() => decode(bytes))).message).toMatch(/^x: the gzip data is damaged/)
})

test('decompressed(...) refuses zstd data with blocks that cannot be', async () => {
  const bytes = fixture('blocks.jsonl.zst')
  let refused = 0
  for (let at = 6; at < bytes.length; at += 97) {
    const broken = Uint8Array.from(bytes)
    broken.fill(0xff, at, at + 40)
    const outcome = await decode(broken, 100_000).catch(error => error)
    if (typeof outcome === 'string') continue
    expect(outcome).toMatchObject({code: 'bad-file', message: expect.stringMatching(/^x: the zstd data/)})
    refused++
  }
  expect(refused).toBeGreaterThan(10)
})

test('decompressed(...) refuses a window of more than 32 MB and says how to compress', async () => {
  const error = await failureOf(() => decode(fixture('long-window.jsonl.zst')))
  expect(error.message).toMatch(/^x: .*window of 128 MB; at most 32 MB.*without --long/)
})

test('decompressed(...) refuses data that needs a dictionary, and other data after the last frame', async () => {
  const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 0, 1, 0, 0])
  expect((await failureOf(() => decode(bytes))).message).toContain('needs a dictionary')
  const mixed = Buffer.concat([fixture('notes.jsonl.zst'), Buffer.from('more text than a header has')])
  expect((await failureOf(() => decode(mixed))).message).toMatch(/^x: the zstd data/)
})
