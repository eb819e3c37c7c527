import {expect, test} from 'vitest'
import {failureOf} from '../files/test-folder.ts'
import {formatOfPath, parseFormat} from './format.ts'

test.each([
  ['-', 'jsonl'],
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
])('formatOfPath("%s") is %s', (path, format) => {
  expect(formatOfPath(path)).toBe(format)
})

test.each(['notes', 'notes.data', 'jsonl', 'notes.gz'])(
  'formatOfPath("%s") refuses and names formats and the option',
  async path => {
    const error = await failureOf(() => formatOfPath(path))
    expect(error.code).toBe('bad-file')
    for (const word of [`${path}: `, 'jsonl (.jsonl, .ndjson, .json)', 'svmlight', '`format`'])
      expect(error.message).toContain(word)
  }
)

test.each(['a.arff', 'a.mtx', 'Posts.xml', 'android.stackexchange.com.7z'])(
  'formatOfPath("%s") names the programs that convert it',
  async path => expect((await failureOf(() => formatOfPath(path))).message).toContain('examples/convert')
)

test('parseFormat(name) refuses unknown formats and names the known ones', async () => {
  expect(parseFormat('tsv')).toBe('tsv')
  const error = await failureOf(() => parseFormat('constructor'))
  expect(error.code).toBe('bad-option')
  expect(error.message).toMatch(/^documents: `format` must be one of jsonl, csv, tsv, svmlight, .*; got "constructor"$/)
})
