import {expect, test} from 'vitest'
import {failureOf} from '../files/test-folder.ts'
import {formatOfName, parseFormat, unknownFormat} from './formats.ts'

test.each([
  ['a.jsonl', 'jsonl'],
  ['a.NDJSON', 'jsonl'],
  ['a.b/c.json.gz', 'jsonl'],
  ['a.csv.zst', 'csv'],
  ['a.tsv', 'tsv'],
  ['a.svm', 'svmlight'],
  ['a.svmlight.gz', 'svmlight'],
  ['a.libsvm', 'svmlight'],
  ['a.Parquet', 'parquet'],
  ['a.pq', 'parquet'],
  ['notes.XLSX', 'xlsx'],
  ['notes.txt.gz', 'txt']
])('formatOfName("%s") is %s', (path, format) => {
  expect(formatOfName(path)).toBe(format)
})

test.each(['-', 'notes', 'notes.data', 'jsonl', 'notes.gz'])('formatOfName("%s") is not known', path => {
  expect(formatOfName(path)).toBe(undefined)
  for (const word of [`${path}: `, 'jsonl (.jsonl, .ndjson, .json)', 'svmlight', '`format`'])
    expect(unknownFormat(path).message).toContain(word)
})

test.each(['a.arff', 'a.mtx', 'Posts.xml', 'android.stackexchange.com.7z'])(
  'unknownFormat("%s") names the programs that convert it',
  path => expect(unknownFormat(path).message).toContain('examples/convert')
)

test('parseFormat(name) refuses unknown formats and names the known ones', async () => {
  expect(parseFormat('tsv')).toBe('tsv')
  const error = await failureOf(() => parseFormat('constructor'))
  expect(error.code).toBe('bad-option')
  expect(error.message).toMatch(/^documents: `format` must be one of jsonl, svmlight, csv, tsv, .*; got "constructor"$/)
})
