import {describe, expect, test} from 'vitest'
import {countText, estimateText, listText, oddsText, rangeText, shareText, wholeText} from './report-words.ts'

describe('shareText', () => {
  test.each([
    [0, '0%'],
    [0.00004, '<0.01%'],
    [0.0006, '0.06%'],
    [0.042, '4.2%'],
    [0.0996, '10%'],
    [0.33, '33%'],
    [0.9966, '99.7%'],
    [0.9999, '>99.9%'],
    [1, '100%']
  ])('shareText(%d) is %s', (share, text) => {
    expect(shareText(share)).toBe(text)
  })
})

describe('estimateText and rangeText', () => {
  test('estimateText(...) has its range in brackets, if there is one', () => {
    expect(estimateText({value: 0.33, range: [0.28, 0.38]})).toBe('33% (28% to 38%)')
    expect(estimateText({value: 0.33})).toBe('33%')
    expect(rangeText([0.001, 0.02])).toBe('0.10% to 2.0%')
  })
})

describe('countText, wholeText and listText', () => {
  test('countText(...) counts one and many, and wholeText(...) groups digits as no machine’s language would change it', () => {
    expect(countText(1, 'document')).toBe('1 document')
    expect(countText(1234567, 'document')).toBe('1,234,567 documents')
    expect(wholeText(-20355.4)).toBe('-20,355')
    expect(wholeText(999)).toBe('999')
  })

  test('listText(...) ends in "and"', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listText)).toEqual(['', 'a', 'a and b', 'a, b and c'])
  })
})

describe('oddsText', () => {
  test('oddsText(...) says by what the odds grow or fall', () => {
    expect([0, 1, -1, 3, 6].map(oddsText)).toEqual([
      '×\u00a01.0',
      '×\u00a02.7',
      '÷\u00a02.7',
      '×\u00a020',
      '×\u00a0>100'
    ])
  })
})
