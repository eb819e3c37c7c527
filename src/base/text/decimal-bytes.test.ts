import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {writeDecimal} from './decimal-bytes.ts'

const bytes = Buffer.alloc(40)

/** What is written, or undefined. */
function written(value: number): string | undefined {
  const end = writeDecimal(value, bytes, 3)
  return end < 0 ? undefined : bytes.toString('latin1', 3, end)
}

function expectDigits(value: number): void {
  const text = written(value)
  if (text !== undefined) expect(text).toBe(String(value))
}

test('writeDecimal(value) writes what String does, or nothing', () => {
  fc.assert(fc.property(fc.double({min: 1e-7, max: 1.1}), expectDigits), {numRuns: 5000})
  fc.assert(fc.property(fc.double(), expectDigits), {numRuns: 1000})
  const random = rng(1)
  for (let run = 0; run < 100_000; run++) expectDigits(10 ** (-6.1 * random.next()))
})

test('writeDecimal(value) writes short decimals and their neighbours', () => {
  const random = rng(2)
  const view = new DataView(new ArrayBuffer(8))
  for (let run = 0; run < 20_000; run++) {
    const value = Number((random.next() * 10 ** -Math.floor(6 * random.next())).toPrecision(1 + (run % 17)))
    view.setFloat64(0, value)
    const bits = view.getBigInt64(0)
    for (const step of [-1n, 0n, 1n]) {
      view.setBigInt64(0, bits + step)
      expectDigits(view.getFloat64(0))
    }
  }
})

test('writeDecimal(value) writes nearly all numbers from 1e-6 up to 1, and no others', () => {
  const random = rng(3)
  let missing = 0
  for (let run = 0; run < 10_000; run++) if (written(10 ** (-6 * random.next())) === undefined) missing++
  expect(missing).toBeLessThan(10)
  for (const value of [0, -0.5, 1, 2, 1e-7, 1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE])
    expect(written(value)).toBeUndefined()
})
