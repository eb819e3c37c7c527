import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {conceptColumn, csvLine, escapeCell, parseMark, sheetName, unescapeCell} from './sheet-cells.ts'

describe('escapeCell', () => {
  it.each(['=1+1', '+1', '-2', '@SUM(A1)', '\t=1', ' =HYPERLINK("http://x")', "'a", '\r=1'])(
    'escapeCell(%j) puts an apostrophe before what could run as a formula',
    text => expect(escapeCell(text)).toBe(`'${text}`)
  )

  it.each(['007', '12345678901234567', '1e5', '1-2', '3/4', '12:30', '1.10', '1,000', 'MAR1', 'Sep 5', 'TRUE', 'no'])(
    'escapeCell(%j) protects what a program would read as a number, a date or a truth value',
    text => expect(escapeCell(text)).toBe(`'${text}`)
  )

  it.each(['', '17', '123456789012345', 'cooking-17', 'fever', '.net', 'c#', '10 ways to cook', 'a=1'])(
    'escapeCell(%j) leaves what nobody would change',
    text => expect(escapeCell(text)).toBe(text)
  )

  it('unescapeCell(escapeCell(text)) is the text again', () => {
    fc.assert(
      fc.property(fc.string({unit: fc.constantFrom("'", '=', '-', '1', 'a', ' ', '.')}), text => {
        expect(unescapeCell(escapeCell(text))).toBe(text)
      })
    )
  })

  it('escapeCell(text) never begins with a sign that starts a formula', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(escapeCell(text)).not.toMatch(/^\s*[=+\-@\t\r]/)
      })
    )
  })
})

describe('csvLine', () => {
  it('csvLine(...) quotes cells with separators, quotes and line ends', () => {
    expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', 'h;i', ''])).toBe('a,"b,c","d""e","f\ng","h;i",\r\n')
  })
})

describe('conceptColumn', () => {
  it('conceptColumn(...) gives every concept a column that is nothing else', () => {
    const names = ['fever', 'id', 'Done', 'drawn', '[text]', 'concept:id', 'concept:concept:id']
    const columns = names.map(conceptColumn)
    expect(new Set([...columns, 'id', 'drawn', 'done']).size).toBe(names.length + 3)
    expect(columns[0]).toBe('fever')
    expect(columns[1]).toBe('concept:id')
  })
})

describe('sheetName', () => {
  it('sheetName(...) is the id, or a short name of the content', () => {
    expect(sheetName(17, '17')).toBe('17')
    expect(sheetName(undefined, '[[["text","a"]],[]]')).toMatch(/^content [0-9a-f]{16}$/)
    expect(sheetName(undefined, 'a')).not.toBe(sheetName(undefined, 'b'))
  })
})

describe('parseMark', () => {
  it('parseMark(...) reads yes, no and nothing', () => {
    for (const mark of ['x', 'X', ' 1 ', 'yes', 'Y', 'TRUE', "'yes", '✓']) expect(parseMark(mark, 'w')).toBe(true)
    for (const mark of ['0', 'No', 'n', 'false', "'no"]) expect(parseMark(mark, 'w')).toBe(false)
    for (const mark of ['', '  ']) expect(parseMark(mark, 'w')).toBeUndefined()
  })

  it('parseMark(...) refuses everything else', () => {
    expect(() => parseMark('maybe', 'sheet.csv:3, column "fever"')).toThrow(
      /^sheet\.csv:3, column "fever": "maybe" is no mark; .* x 1 yes .* 0 no .*mend the cell$/
    )
  })
})
