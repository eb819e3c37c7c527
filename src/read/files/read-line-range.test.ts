import {open} from 'node:fs/promises'
import fc from 'fast-check'
import {afterEach, expect, test, vi} from 'vitest'
import {readLineRange} from './read-bytes.ts'
import {failureOf, testFolder} from './test-folder.ts'

const folder = testFolder()

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
  expect((await failureOf(() => linesIn(`${folder.path}/none`, 0, 5))).message).toMatch(/none: there is no such file/)
  const path = folder.file('cancelled.txt', 'a\nb\n')
  const signal = AbortSignal.abort()
  const work = async () => {
    for await (const _ of readLineRange(path, {from: 0, to: 2}, {signal})) throw new Error('it was read')
  }
  expect((await failureOf(work)).code).toBe('cancelled')
})
