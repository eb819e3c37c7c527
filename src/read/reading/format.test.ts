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
  ['a.mtx', 'mtx'],
  ['a.arff.gz', 'arff'],
  ['a.Parquet', 'parquet'],
  ['a.pq', 'parquet'],
  ['Posts.xml', 'stackexchange'],
  ['Posts.xml.gz', 'stackexchange'],
  ['android.stackexchange.com.7z', 'stackexchange'],
  ['stackoverflow.com-Posts.7Z', 'stackexchange'],
  ['notes.csv.7z', 'csv'],
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
    for (const word of [`${path}: `, 'jsonl (.jsonl, .ndjson, .json)', 'svmlight', 'mtx', '`format`'])
      expect(error.message).toContain(word)
  }
)

test('parseFormat(name) refuses unknown formats and names the known ones', async () => {
  expect(parseFormat('mtx')).toBe('mtx')
  const error = await failureOf(() => parseFormat('constructor'))
  expect(error.code).toBe('bad-option')
  expect(error.message).toMatch(
    /^documents: `format` must be one of jsonl, csv, tsv, svmlight, mtx, .*; got "constructor"$/
  )
})
