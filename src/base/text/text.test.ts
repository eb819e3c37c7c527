import {expect, test} from 'vitest'
import {counted, grouped, listed, nameList, percent} from './index.ts'

test('percent(share) shows two digits that count, and never rounds to nothing or everything', () => {
  const shares = [0, 0.00001, 0.0006, 0.0042, 0.00949, 0.0123, 0.0994, 0.0995, 0.334, 0.994, 0.996, 0.9995, 1]
  const shown = '0% <0.01% 0.06% 0.42% 0.95% 1.2% 9.9% 10% 33% 99% 99.6% >99.9% 100%'
  expect(shares.map(percent).join(' ')).toBe(shown)
})

test('counted(count, noun) has commas and the right number', () => {
  expect(counted(0, 'document')).toBe('0 documents')
  expect(counted(1, 'document')).toBe('1 document')
  expect(counted(1234567, 'document')).toBe('1,234,567 documents')
  expect(counted(2, 'entry', 'entries')).toBe('2 entries')
  expect(grouped(-1000)).toBe('-1,000')
})

test('listed(items) and nameList(names, limit) join names', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c'])
  expect(nameList(['a', 'b', 'c'], 2)).toBe("'a', 'b' and 1 more")
  expect(nameList(['a', 'b'])).toBe("'a', 'b'")
})
