import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {workbook, workbookFiles, zipped} from '../../../test/workbook.ts'
import {readAll, refusalOf, testFolder} from '../files/test-folder.ts'

const folder = testFolder()
const table = [
  ['ID', 'Note', 'Temp', 'Tags', 'Day', 'Seen', null],
  [7, 'pt & "co" <x>', 36.6, 'pain|fall', new Date('2024-02-29'), true, null],
  [null, null, null, null, null, null, null],
  ['b', 12, '37.5', null, new Date('2024-03-01T13:45:00Z'), false, null]
]
const bytes = workbook({Notes: table, 'Other one': [['text'], ['hello']]})
const reading = {text: ['note'], number: ['temp:1'], category: ['day', 'seen']}

describe('readXlsx(...)', () => {
  test('reads the first sheet: numbers as numbers, days as ISO text, empty cells as in other tables', async () => {
    const rows = await readAll(folder.file('a.xlsx', bytes), reading)
    expect(rows.map(({id, text, features, tags}) => [id, text.get('note'), features, tags])).toEqual([
      ['7', 'pt & "co" <x>', ['day:2024-02-29', 'seen:true', 'temp:36-37'], ['pain', 'fall']],
      ['b', '12', ['day:2024-03-01t13:45:00', 'seen:false', 'temp:37-38'], []]
    ])
  })

  test('reads a sheet by name, and says which there are', async () => {
    const path = folder.file('b.xlsx', bytes)
    expect((await readAll(path, {worksheet: 'Other one'}))[0].text.get('text')).toBe('hello')
    const message = await refusalOf(() => readAll(path, {worksheet: 'other'}), 'bad-file')
    expect(message).toContain('b.xlsx: there is no sheet "other"; it has Notes, Other one; did you mean "Other one"?')
  })

  test.each([[[]], [[['read me']]]])('a first sheet with %j names the others', async first => {
    const path = folder.file('intro.xlsx', workbook({Intro: first, Reports: [['text'], ['x']]}))
    expect(await refusalOf(() => readAll(path), 'bad-file')).toContain(
      'intro.xlsx: the sheet "Intro" holds no documents; others are Reports: name one with `worksheet`'
    )
    expect(await readAll(path, {worksheet: 'Reports'})).toHaveLength(1)
  })

  const cells = [
    ['text', 'n'],
    ['x', 1],
    ['y', 'a'],
    ['z', 'b']
  ] as const

  test.each([
    ['row 1: there is no column "note"', cells, {text: ['note'], required: ['note']}],
    ['row 1: column 2 has no name', cells.map(([text, n], at) => [text, at === 0 ? null : n]), {}],
    ['row 3: field "n" is not', cells, {number: ['n:1']}]
  ])('names the row: %s', async (message, rows, options) => {
    expect(await refusalOf(() => readAll(folder.file('c.xlsx', workbook({A: rows})), options))).toContain(message)
  })

  test('is recognised without its ending, and inside gzip', async () => {
    expect(await readAll(folder.file('plain', bytes), reading)).toHaveLength(2)
    expect(await readAll(folder.file('f.xlsx.gz', gzipSync(bytes)), reading)).toHaveLength(2)
  })

  test.each([
    ['a workbook with a password', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /an older \.xls, or has a password/],
    ['text', Buffer.from('id,text\n'), /not an Excel workbook/],
    ['nothing', Buffer.from(''), /not an Excel workbook/],
    ['half a workbook', Buffer.from(bytes).subarray(0, bytes.length / 2), /damaged or cut short/],
    ['an archive of something else', zipped({'a.xml': '<a/>'}), /cannot be read/]
  ])('refuses %s', async (name, content, message) => {
    const path = folder.file(`${name}.xlsx`, content)
    expect(await refusalOf(() => readAll(path), 'bad-file')).toMatch(message)
  })

  test.each([
    [
      'a far row',
      '<row r="4000000000"><c r="A4000000000"><v>1</v></c></row>',
      /a cell at "4000000000", which does not exist/
    ],
    ['a far column', `<row s='>' r="2"><c s=">" r="ZZZZZZZ2"><v>1</v></c></row>`, /a cell at "ZZZZZZZ2"/],
    [
      'far cells',
      '<row r="1000000"><c r="XFD1000000"><v>1</v></c></row>',
      /1,000,000 rows and 16,384 columns, and at most 20,000,000 cells/
    ],
    ['a quote too many', '<row r="2""><c r="A2"><v>1</v></c></row>', /XML of a sheet is damaged/],
    ['a row without an end', '<row r="2"><c r="A2"><v>1</v></c>', /XML of a sheet is damaged/]
  ])('refuses %s before the cells between are filled', async (name, row, message) => {
    const parts = workbookFiles({A: [['text'], ['x']]})
    const sheet = parts['xl/worksheets/sheet1.xml'].replace('</sheetData>', `${row}</sheetData>`)
    const path = folder.file(`${name}.xlsx`, zipped({...parts, 'xl/worksheets/sheet1.xml': sheet}))
    expect(await refusalOf(() => readAll(path), 'bad-file')).toMatch(message)
  })
})
