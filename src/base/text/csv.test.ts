import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {csvLine, csvText, escapeFormula, printable} from './index.ts'

describe('csvText', () => {
  test('csvText(...) writes a line per row and puts what would be misread in quotes', () => {
    const rows = [
      ['name', 'value'],
      ['a, b', 0.5],
      ['say "no"', -1],
      ['two\nlines', 3],
      [' c', 1e-9],
      ['h;i', ''],
      ['a\tb', Number.NEGATIVE_INFINITY]
    ]
    expect(csvText(rows)).toBe(
      'name,value\n"a, b",0.5\n"say ""no""",-1\n"two\nlines",3\n" c",1e-9\n"h;i",\n"a\tb",-Infinity\n'
    )
    expect(csvText([['a'], ['b']], '\r\n')).toBe('a\r\nb\r\n')
    expect(csvLine(['a,b', 0.5], '\n', text => text, ';')).toBe('"a,b";0,5\n')
    expect(csvLine(['a', 0.5], '\n', text => text, '\t')).toBe('a\t0.5\n')
  })

  test.each(['=1+1', '+1+1', '-2+3', '@SUM(A1)', '\t=1', ' =HYPERLINK("http://x")', "'a", '=', '+', '-x', '-1 (2)'])(
    'escapeFormula(%j) puts an apostrophe before what a program could run',
    text => expect(escapeFormula(text)).toBe(`'${text}`)
  )

  test.each(['', '-0.5', '+.5e-10', '-', '17', '1.', 'a=1', 'fever'])('escapeFormula(%j) leaves it', text =>
    expect(escapeFormula(text)).toBe(text)
  )

  test('csvLine(...) has no cell that runs, controls a terminal or splits the record, whatever the text', () => {
    const character = fc.constantFrom(...'=+-@\t\r\n\'", ;|a1.\x1b\x07\x9b\u202e')
    fc.assert(
      fc.property(fc.array(fc.string({unit: character, maxLength: 6}), {minLength: 1}), cells => {
        const line = csvLine(cells)
        const read = parse(line)
        expect(read).toHaveLength(cells.length)
        read.forEach((cell, at) => {
          expect(cell).not.toMatch(/^\s*[=@]|^\s*[+-](?![\d.]|$)/)
          expect(printable(cell)).toBe(cell)
          expect(cell.replace(/^'/, '')).toBe(printable(cells[at]))
        })
      })
    )
  })
})

/** The cells of one record. */
function parse(line: string): string[] {
  const cells = `,${line.slice(0, -1)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)
  return Array.from(cells, ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain)
}
