import fc from 'fast-check'
import {expect, test} from 'vitest'
import {failureOf} from '../files/test-folder.ts'
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

test('lineRange(file, range) reads no more than the range, a byte before it and the rest of a line', async () => {
  const {file, read} = watched(`${'x'.repeat(99)}\n`.repeat(50_000))
  expect((await linesIn(file, 3_000_050, 3_400_050)).length).toBe(400_000)
  expect(read).toEqual([
    [3_000_049, 3_400_050],
    [3_400_050, 3_400_050 + 65_536]
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
