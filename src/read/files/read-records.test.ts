import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {parquetOf} from '../reading/test-parquet.ts'
import {readRecords, type TableRecord} from './disk-file.ts'
import {failureOf, testFolder} from './test-folder.ts'

const folder = testFolder()

async function all(path: string): Promise<TableRecord[]> {
  const records: TableRecord[] = []
  for await (const batch of readRecords(path)) records.push(...batch)
  return records
}

test('readRecords(...) gives the cells of a table by column, with their line', async () => {
  const path = folder.file('t.csv', 'a, __proto__ \n1,"x, ""y"""\n\n,2\n')
  expect(await all(path)).toEqual([
    {
      where: `${path}:2`,
      values: new Map([
        ['a', '1'],
        ['__proto__', 'x, "y"']
      ])
    },
    {
      where: `${path}:4`,
      values: new Map([
        ['a', ''],
        ['__proto__', '2']
      ])
    }
  ])
  const tabs = folder.file('t.tsv.gz', gzipSync('a\tb\n1\t2,3\n'))
  expect((await all(tabs)).map(({values}) => [...values])).toEqual([
    [
      ['a', '1'],
      ['b', '2,3']
    ]
  ])
})

test('readRecords(...) gives the values of JSON Lines and of Parquet as they are', async () => {
  const lines = folder.file('t.jsonl', '{"a": [1], "b": null}\n\n{"a": "x"}\n')
  expect((await all(lines)).map(({where, values}) => [where, [...values]])).toEqual([
    [
      `${lines}:1`,
      [
        ['a', [1]],
        ['b', null]
      ]
    ],
    [`${lines}:3`, [['a', 'x']]]
  ])
  const columns = {a: {kind: 'whole', data: [1n, 2n, null]}, b: {kind: 'list', data: [['x'], [], ['y', 'z']]}} as const
  const parquet = folder.file('t.parquet', parquetOf(columns, {rowGroupSize: 2}))
  expect((await all(parquet)).map(({where, values}) => [where, values.get('a') ?? null, values.get('b')])).toEqual([
    [`${parquet}, row 1`, 1, ['x']],
    [`${parquet}, row 2`, 2, []],
    [`${parquet}, row 3`, null, ['y', 'z']]
  ])
})

test('readRecords(...) names the file and the rule where it cannot read', async () => {
  const cases: [string, string, RegExp][] = [
    ['t.csv', 'a,b\n1\n', /t\.csv:2: the record that begins here has 1 cell; the first line names 2 columns \(a, b\)/],
    ['t.jsonl', '{"a": 1}\nnull\n', /t\.jsonl:2: the row is not an object/],
    ['t.jsonl', '{"a": 1\n', /t\.jsonl:1: not valid JSON/],
    ['t.parquet', 'PAR', /t\.parquet: this is not a Parquet file/],
    ['t.svm', '1 1:1\n', /t\.svm: a table has columns/]
  ]
  for (const [name, content, message] of cases) {
    const failure = await failureOf(() => all(folder.file(name, content)))
    expect(failure.message).toMatch(message)
  }
})
