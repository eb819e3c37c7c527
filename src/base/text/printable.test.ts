import fc from 'fast-check'
import {expect, test} from 'vitest'
import {jsonText, printable, printableLine, withoutPasswords} from './index.ts'

const CONTROLS = /(?![\t\n])[\p{Cc}\u2028-\u202e\u2066-\u2069]/u

test('printable(text) writes control characters out and leaves everything else', () => {
  expect(printable('a\x1b[2Jb\r\x7f\x9b\u202e\u2066\n\tc')).toBe('a\\u001b[2Jb\\u000d\\u007f\\u009b\\u202e\\u2066\n\tc')
  expect(printableLine('a\nb\tc')).toBe('a\\u000ab\\u0009c')
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), text => {
      expect(printable(text)).not.toMatch(CONTROLS)
      if (!CONTROLS.test(text)) expect(printable(text)).toBe(text)
    })
  )
})

test('jsonText(value) is JSON of the same value, without control characters', () => {
  fc.assert(
    fc.property(fc.jsonValue({stringUnit: 'binary'}), fc.constantFrom(0, 2), (value, space) => {
      const text = jsonText(value, space)
      expect(text).not.toMatch(CONTROLS)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    })
  )
})

test.each([
  ['clickhouse://me:hunter2@db:8123/notes/all: no such file', 'clickhouse://***@db:8123/notes/all: no such file'],
  ['"http://hunter2@db/x"', '"http://***@db/x"'],
  ['s3://me:hunter2/x+=@@bucket/a', 's3://***@bucket/a'],
  ['clickhouse://me:hunter2/notes/all', 'clickhouse://me:***/notes/all'],
  ['clickhouse://db/notes/all?user=hunter2&password=hunter2 ', 'clickhouse://db/notes/all?user=***&password=*** ']
])('withoutPasswords(%j) hides user and password', (text, expected) => {
  expect(withoutPasswords(text)).toBe(expected)
  expect(withoutPasswords(`${expected.trim()}: why`)).toBe(`${expected.trim()}: why`)
})

test.each([
  'clickhouse://db:8123/notes/all; clickhouses:// for an encrypted connection',
  'http://[::1]:8123/a and me@example.org',
  'text://a, 12:30, title:c++ @ home'
])('withoutPasswords(%j) leaves it', text => {
  expect(withoutPasswords(text)).toBe(text)
})
