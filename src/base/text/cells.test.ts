import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {cellWidth, clipCells, withoutControls, wrapCells} from './cells.ts'

const text = fc.string({unit: fc.constantFrom('a', 'b', ' ', '\n', '\u4e2d', '\u{1f600}', '\u00e9', 'e\u0301')})

describe('withoutControls', () => {
  it('withoutControls(...) leaves nothing that could control the terminal', () => {
    expect(withoutControls('a\x1b[31mred\x07\x9b2J\u202eb\r\nc\td')).toBe('a[31mred2Jb\nc    d')
    fc.assert(
      fc.property(fc.array(fc.integer({min: 0, max: 0x2100})), codes => {
        expect(withoutControls(String.fromCodePoint(...codes)).replaceAll('\n', '')).not.toMatch(
          /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
        )
      })
    )
  })
})

describe('cellWidth', () => {
  it('cellWidth(...) counts two cells for wide characters and none for combining ones', () => {
    expect(['abc', '\u4e2d\u6587', 'e\u0301', '\u{1f600}', ''].map(cellWidth)).toEqual([3, 4, 1, 2, 0])
  })
})

describe('wrapCells', () => {
  it('wrapCells(...) breaks at blanks, and words that are too long where it must', () => {
    expect(wrapCells('the quick brown fox', 10)).toEqual(['the quick', 'brown fox'])
    expect(wrapCells('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
    expect(wrapCells('a\n\nb', 10)).toEqual(['a', '', 'b'])
  })

  it('wrapCells(...) loses no character and keeps within the width', () => {
    fc.assert(
      fc.property(text, fc.integer({min: 2, max: 12}), (any, width) => {
        const lines = wrapCells(any, width)
        expect(lines.join('').replace(/\s/g, '')).toBe(any.replace(/\s/g, ''))
        for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(width)
      })
    )
  })
})

describe('clipCells', () => {
  it('clipCells(...) takes at most so many cells', () => {
    expect(clipCells('abcdef', 4)).toBe('abc\u2026')
    fc.assert(
      fc.property(text, fc.nat({max: 10}), (any, width) => {
        expect(cellWidth(clipCells(any, width))).toBeLessThanOrEqual(width)
      })
    )
  })
})
