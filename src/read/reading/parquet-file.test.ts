import fc from 'fast-check'
import {expect, test} from 'vitest'
import {checkThrift, isoDay} from './parquet-file.ts'

function check(...bytes: readonly number[]): void {
  checkThrift(Uint8Array.from(bytes))
}

test('checkThrift(bytes) passes fields of every type, lists and records in records', () => {
  // true, false, a byte, a whole number of two bytes, a number of eight, text, a list of two truths, a record in a record.
  check(
    0x11,
    0x12,
    0x13,
    5,
    0x15,
    0x96,
    0x01,
    0x17,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0x18,
    2,
    97,
    98,
    0x19,
    0x21,
    1,
    2,
    0x1c,
    0x1c,
    0,
    0,
    0
  )
  // The number of a field told by itself, and a list of more than fourteen.
  check(0x05, 0xc8, 0x01, 7, 0x19, 0xf5, 15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0)
})

test.each([
  ['text longer than the bytes', [0x18, 9, 97, 0], '9 bytes are announced where 2 are left'],
  [
    'text of a length that 32 bits take for negative',
    [0x18, 0xff, 0xff, 0xff, 0xff, 0x0f, 97, 0],
    '4294967295 bytes are announced where 2 are left'
  ],
  ['a list longer than the bytes', [0x19, 0xf5, 90, 1, 0], 'a list of 90 is announced where 2 bytes are left'],
  ['no end', [0x15, 2], '1 bytes are announced where 0 are left'],
  ['a whole number without end', [0x15, ...Array.from({length: 20}, () => 0xff), 0], 'a whole number has no end'],
  ['an unknown type', [0x1d, 0], 'there is no type 13']
])('checkThrift(bytes) refuses %s', (_, bytes, message) => {
  expect(() => check(...bytes)).toThrow(message)
})

test('checkThrift(bytes) comes to an end whatever the bytes are', () => {
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 60}), bytes => {
      try {
        checkThrift(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
    })
  )
})

test('isoDay(days) is the day of the calendar', () => {
  const twin = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10)
  fc.assert(fc.property(fc.integer({min: -719_528, max: 2_932_896}), days => isoDay(days) === twin(days)))
  expect(['2000-02-29', '1900-03-01', '1970-01-01', '0000-01-01', '9999-12-31']).toEqual(
    [11_016, -25_508, 0, -719_528, 2_932_896].map(isoDay)
  )
  for (const days of [-719_529, 2_932_897, Number.NaN]) expect(() => isoDay(days)).toThrow('no year of four digits')
})
