import {expect, test} from 'vitest'
import {csvText} from './write-report.ts'

test('csvText(...) writes a line a row and puts what would be misread in quotes', () => {
  const rows = [
    ['name', 'value'],
    ['a, b', 0.5],
    ['say "no"', -1],
    ['two\nlines', 3]
  ]
  expect(csvText(rows)).toBe('name,value\n"a, b",0.5\n"say ""no""",-1\n"two\nlines",3\n')
})
