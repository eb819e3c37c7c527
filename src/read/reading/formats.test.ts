import {expect, test} from 'vitest'
import {refusalOf, testSource} from '../files/test-folder.ts'
import {formatOfName, headOf, parseFormat} from './formats.ts'

test.each([
  ['a.jsonl', 'jsonl'],
  ['a.NDJSON', 'jsonl'],
  ['a.b/c.json.gz', 'jsonl'],
  ['a.csv.zst', 'csv'],
  ['a.tsv', 'tsv'],
  ['a.svmlight.gz', 'svmlight'],
  ['a.Parquet', 'parquet'],
  ['notes.XLSX', 'xlsx'],
  ['notes.txt.gz', 'txt'],
  ...['-', 'notes', 'notes.data', 'jsonl', 'notes.gz'].map(name => [name, undefined])
])('formatOfName("%s") is %s', (path = '', format) => expect(formatOfName(path)).toBe(format))

test.each([
  ['notes.data', 'jsonl (.jsonl, .ndjson, .json)'],
  ['notes.data', '`format`'],
  ...['a.arff', 'a.mtx', 'Posts.xml', 'a.7z'].map(name => [name, 'examples/convert'])
])('headOf("%s") refuses a file that shows no format and says %s', async (name, said) =>
  expect(await refusalOf(() => headOf(testSource(name, 'word\n')).then(({format}) => format()), 'bad-file')).toContain(
    said
  )
)

test('parseFormat(name) refuses unknown formats and names the known ones', async () => {
  expect(parseFormat('tsv')).toBe('tsv')
  expect(await refusalOf(() => parseFormat('constructor'), 'bad-option')).toContain('one of jsonl, svmlight, csv, tsv')
})
