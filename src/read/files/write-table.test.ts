import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {DuckDBInstance} from '@duckdb/node-api'
import fc from 'fast-check'
import {readSheet} from 'read-excel-file/node'
import {describe, expect, test} from 'vitest'
import {
  type Cell,
  ColumnSurvey,
  cellReader,
  csvRecords,
  listCell,
  sourceBytes,
  type TableColumn,
  type TableLayout
} from '../reading/index.ts'
import {diskFile, readRecords} from './disk-file.ts'
import {refusalOf, testFolder} from './test-folder.ts'
import {tableFormatOf, withTable} from './write-table.ts'

const folder = testFolder()

async function write(name: string, layout: TableLayout, rows: Iterable<readonly Cell[]>): Promise<string> {
  const path = join(folder.path, name)
  const format = tableFormatOf(path)
  if (format === undefined) throw new Error(`${name} is not a table`)
  await withTable(path, format, layout, async table => {
    for (const cells of rows) await table.row(cells)
  })
  return path
}

const text = (name: string): TableColumn => ({name, kind: 'text'})

async function csvCells(path: string, delimiter: string): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = []
  for await (const records of csvRecords(sourceBytes(diskFile(path)), delimiter.charCodeAt(0), path))
    rows.push(...records.map(({cells}) => cells))
  return rows
}

async function duckdb(query: string): Promise<unknown[]> {
  const connection = await (await DuckDBInstance.create()).connect()
  return (await connection.runAndReadAll(query)).getRowObjectsJson()
}

/** Any text that UTF-8 has; Excel and XML have no characters of their own for lone surrogates either. */
const anyText = fc.string({unit: 'binary', maxLength: 12})
const anyRows = fc.array(fc.tuple(anyText, anyText), {minLength: 1, maxLength: 5})

describe('withTable', () => {
  test.each([
    ['T.CSV.GZ', 'csv'],
    ['a.b.tsv', 'tsv'],
    ['t.xlsx', 'xlsx'],
    ['t.parquet', 'parquet'],
    ['t.pq', 'parquet'],
    ...['t.jsonl', 't.json', 'csv', '-'].map(name => [name, undefined])
  ])('tableFormatOf(%j) is %j', (path = '', format) => expect(tableFormatOf(path)).toBe(format))

  test.each(['t.xls', 't.ods', 't.xlsx.gz', 't.parquet.gz'])(
    'tableFormatOf(%j) is refused, with the way out',
    async path => expect(await refusalOf(() => tableFormatOf(path), 'bad-option')).toMatch(/: \.\w+ .*; give a name /)
  )

  test('a CSV or TSV holds the same text, whatever it is; only formulas are escaped', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.constantFrom(',', ';', '\t'), async (rows, delimiter) => {
        const dialect = {delimiter, lineEnd: '\r\n', hasMark: delimiter === ';'} as const
        const name = delimiter === '\t' ? 't.tsv' : 't.csv'
        const path = await write(name, {columns: [text('a'), text('b')], dialect}, rows)
        const [, ...read] = await csvCells(path, delimiter)
        const plain = (cell: string, at: number, row: number) => (cell === `'${rows[row][at]}` ? cell.slice(1) : cell)
        expect(read.map((cells, row) => cells.map((cell, at) => plain(cell, at, row)))).toEqual(rows)
      }),
      {numRuns: 200}
    )
  })

  test('a CSV escapes formulas once; numbers have the decimals of their column, and commas beside semicolons', async () => {
    const columns: TableColumn[] = [text('=a'), {name: 'p', kind: 'number', decimals: 6}, {name: 'n', kind: 'number'}]
    const dialect = {delimiter: ';', lineEnd: '\r\n', hasMark: false} as const
    const rows: Cell[][] = [
      ['=1+1', 1 / 3, 1 / 3],
      ["'=1+1", 1e-9, -5],
      ['1,5', undefined, 0.25]
    ]
    for (const [name, layout, content] of [
      ['f.csv', {columns}, `'=a,p,n\n'=1+1,0.333333,${1 / 3}\n'=1+1,0,-5\n"1,5",,0.25\n`],
      ['f.tsv', {columns}, `'=a\tp\tn\n'=1+1\t0.333333\t${1 / 3}\n'=1+1\t0\t-5\n"1,5"\t\t0.25\n`],
      [
        's.csv',
        {columns, dialect},
        `\ufeff'=a;p;n\r\n'=1+1;0,333333;${String(1 / 3).replace('.', ',')}\r\n'=1+1;0;-5\r\n"1,5";;0,25\r\n`
      ]
    ] as const)
      expect(readFileSync(await write(name, layout, rows), 'utf8')).toBe(content)
  })

  test('DuckDB reads the same values from CSV and Parquet', async () => {
    const columns: TableColumn[] = [
      text('a "quoted", name'),
      {name: 'n', kind: 'whole'},
      {name: 'p', kind: 'number', decimals: 6},
      {name: 'b', kind: 'boolean'}
    ]
    const rows: Cell[][] = Array.from({length: 300}, (_, at) => [`"x",\n${at} ü`, at - 5, at / 7, at % 2 === 0])
    rows.push([undefined, undefined, undefined, undefined])
    const [csv, parquet] = [await write('d.csv', {columns}, rows), await write('d.parquet', {columns}, rows)]
    const expected = rows.map(([a = null, n, p = null, b = null]) => {
      const short = p === null ? null : Number(Number(p).toFixed(6))
      return {full: {'a "quoted", name': a, n: n === undefined ? null : String(n), p, b}, short}
    })
    expect(await duckdb(`from '${parquet}'`)).toEqual(expected.map(({full}) => full))
    expect(await duckdb(`from '${csv}'`)).toEqual(expected.map(({full, short}) => ({...full, p: short})))
  })

  test('a Parquet table of several row groups has all rows, in order', async () => {
    const rows = Array.from({length: 70_000}, (_, at) => [String(at)])
    const path = await write('g.parquet', {columns: [text('a')]}, rows)
    const [row] = await duckdb(`select count(*) n, max(row_group_id) highest from parquet_metadata('${path}')`)
    expect(row).toEqual({n: '2', highest: '1'})
    let at = 0
    for await (const batch of readRecords(path))
      for (const {values} of batch) expect(values.get('a')).toBe(String(at++))
    expect(at).toBe(rows.length)
  })
})

describe('withTable, .xlsx', () => {
  test('a spreadsheet has text as it is, and numbers and truth values as such', async () => {
    const columns: TableColumn[] = [
      text('a'),
      {name: 'n', kind: 'whole'},
      {name: 'p', kind: 'number', decimals: 6},
      {name: 'b', kind: 'boolean'}
    ]
    const rows: Cell[][] = [
      ['=1+1 <&> "ü"', '12', 1 / 3, true],
      [' line\nline\ttab ', -3, 0, false],
      ['007', '', 1, undefined]
    ]
    const path = await write('t.xlsx', {columns}, rows)
    expect(await readSheet(path, 1, {trim: false})).toEqual([
      ['a', 'n', 'p', 'b'],
      ['=1+1 <&> "ü"', 12, 0.333333, true],
      [' line\nline\ttab ', -3, 0, false],
      ['007', null, 1, null]
    ])
  })

  test('the same rows give the same bytes, with more than 26 columns and several pieces', async () => {
    const columns = Array.from({length: 800}, (_, at) => text(`c${at}`))
    const rows = Array.from({length: 20}, (_, row) => columns.map((_, at) => `${row} ${at}`))
    const first = readFileSync(await write('m.xlsx', {columns}, rows))
    const path = await write('m.xlsx', {columns}, rows)
    expect(readFileSync(path).equals(first)).toBe(true)
    expect(await readSheet(path, 1, {trim: false})).toEqual([columns.map(({name}) => name), ...rows])
  })

  test('characters that XML does not have are written as Excel writes them', async () => {
    const path = await write('c.xlsx', {columns: [text('a')]}, [['\u0000_x000B_\r\uffff']])
    expect(await readSheet(path, 1, {trim: false})).toEqual([['a'], ['_x0000__x005F_x000B__x000D__xFFFF_']])
  })

  test('too long a text and too many rows are refused, and nothing is written', async () => {
    const long = write('l.xlsx', {columns: [text('note')]}, [['x'.repeat(32_767)], ['x'.repeat(32_768)]])
    expect(await refusalOf(() => long)).toBe(
      'row 3: "note" has 32,768 characters; a cell of a spreadsheet holds at most 32,767; write .csv or .parquet instead, or the tags alone'
    )
    const many = write(
      'l.xlsx',
      {columns: [text('a')]},
      Array.from({length: 1_048_576}, () => [''])
    )
    expect(await refusalOf(() => many, 'cannot-write')).toMatch(/at most 1,048,576 rows; write \.csv or \.parquet/)
    expect(() => readFileSync(join(folder.path, 'l.xlsx'))).toThrow(/ENOENT/)
  })
})

describe('ColumnSurvey', () => {
  const dialect = {delimiter: ',', lineEnd: '\n', hasMark: false} as const

  test('columns are in the order in which they appear, with the kind of all their values', () => {
    const survey = new ColumnSurvey()
    survey.add({columns: ['b', 'a', 'n'], values: [1, null, 2]})
    survey.add({columns: ['a', 'c', 'n', '__proto__'], values: [true, 'x', 2.5, 'y']})
    survey.add({columns: ['b', 'd'], values: ['1', undefined]})
    const kinds = survey.columns().map(({name, kind}) => `${name} ${kind}`)
    expect(kinds).toEqual(['b text', 'a boolean', 'n number', 'c text', '__proto__ text', 'd text'])
  })

  test.each([
    ...['1', '-12'].map(cell => [cell, 'whole']),
    ['0.5', 'number'],
    ...['007', '-0', '1e3', '1.', '4915112345678', '', 'a'].map(cell => [cell, 'text'])
  ])('the text %j in a table is of kind %s', (cell, kind) => {
    const survey = new ColumnSurvey()
    survey.add({columns: ['a', 'b'], values: [cell, ''], dialect})
    survey.add({columns: ['a', 'b'], values: ['', ''], dialect})
    expect(survey.columns()[0]).toEqual({name: 'a', kind})
  })

  test('more columns than a spreadsheet has are refused', async () => {
    const survey = new ColumnSurvey()
    const columns = Array.from({length: 16_385}, (_, at) => `c${at}`)
    const add = () => survey.add({columns, values: columns})
    expect(await refusalOf(add, 'bad-file')).toMatch(/more than 16,384 different columns/)
  })

  test('cellReader(...) puts values in their columns: lists joined, other structure as JSON', () => {
    const read = cellReader(['a', 'b', 'c', 'd'].map(text), '|')
    const row = {columns: ['d', 'b', 'a', 'z'], values: [{x: [1]}, ['u', 'v'], Uint8Array.of(1, 2), 1]}
    expect(read(row)).toEqual(['AQI=', 'u|v', undefined, '{"x":[1]}'])
    expect(read({columns: ['c'], values: [[['u']]]})[2]).toBe('[["u"]]')
  })

  test('listCell(...) is read as the same items', () => {
    fc.assert(
      fc.property(fc.array(fc.string({unit: fc.constantFrom('a', 'b', '|', ' ', '[', '"')})), items => {
        const cell = listCell(items, '|')
        const read: unknown = cell.startsWith('[') ? JSON.parse(cell) : cell.split('|').filter(item => item !== '')
        expect(read).toEqual(items)
      })
    )
  })
})
