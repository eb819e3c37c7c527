import {gzipSync} from 'node:zlib'
import {parquetWriteBuffer} from 'hyparquet-writer'
import {expect, test} from 'vitest'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {readGroups} from './read-groups.ts'

const folder = testFolder()
const awkward = ['a', 'with "quotes", commas', '__proto__', 'new\nline', '患者']
const expected = {
  words: ['x', ''],
  groups: [
    {mask: [], documents: 3, wordIds: [0, 1], wordCounts: [2, 1]},
    {mask: awkward, documents: 7, wordIds: [0], wordCounts: [7]}
  ]
}
const jsonLines = (rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('')
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

async function plain(paths: readonly string[]) {
  const {groups, words} = await readGroups(paths)
  const parts = groups.map(({mask, documents, wordIds, wordCounts}) => ({mask, documents, wordIds, wordCounts}))
  return {words, groups: parts}
}

test('readGroups(...) reads CSV with masks as JSON arrays, columns in any order and in capitals', async () => {
  const groups = folder.file('groups.csv', `DOCUMENTS,MASK\r\n3,[]\r\n7,${cell(JSON.stringify(awkward))}\r\n`)
  const words = `MASK,WORD,DOCUMENTS\n[],x,2\n[],,1\n${cell(JSON.stringify(awkward))},x,7\n`
  expect(await plain([groups, folder.file('words.csv', words)])).toEqual(expected)
})

test('readGroups(...) reads the results of a query in several files, compressed', async () => {
  const first = folder.file('part-1.tsv.gz', gzipSync('mask\tdocuments\n[]\t3\n'))
  const second = folder.file('part-2.tsv', `mask\tdocuments\n${cell(JSON.stringify(awkward))}\t7\n`)
  const words = folder.file('words-1.tsv', 'mask\tword\tdocuments\n[]\tx\t2\n[]\t\t1\n')
  const more = folder.file('words-2.tsv', `word\tmask\tdocuments\nx\t${cell(JSON.stringify(awkward))}\t7\n`)
  expect(await plain([first, words, second, more])).toEqual(expected)
})

test('readGroups(...) reads JSON Lines with lists, or text as BigQuery writes it, and numbers as text', async () => {
  const groups = [
    {mask: [], documents: 3},
    {mask: JSON.stringify(awkward), documents: '7'}
  ]
  const words = [
    {mask: '[]', word: 'x', documents: '2'},
    {mask: [], word: '', documents: 1},
    {mask: awkward, word: 'x', documents: 7}
  ]
  const paths = [folder.file('groups.jsonl', jsonLines(groups)), folder.file('words.jsonl', jsonLines(words))]
  expect(await plain(paths)).toEqual(expected)
})

test('readGroups(...) reads Parquet, with 64-bit numbers', async () => {
  const table = (columns: Parameters<typeof parquetWriteBuffer>[0]['columnData']) =>
    new Uint8Array(parquetWriteBuffer({columnData: columns}))
  const groups = table([
    {name: 'mask', data: ['[]', JSON.stringify(awkward)], type: 'STRING'},
    {name: 'documents', data: [3n, 7n], type: 'INT64'}
  ])
  const words = table([
    {name: 'mask', data: ['[]', '[]', JSON.stringify(awkward)], type: 'STRING'},
    {name: 'word', data: ['x', '', 'x'], type: 'STRING'},
    {name: 'documents', data: [2n, 1n, 7n], type: 'INT64'}
  ])
  expect(await plain([folder.file('g.parquet', groups), folder.file('w.parquet', words)])).toEqual(expected)
})

const refused: readonly [string, string, string, RegExp][] = [
  ['a column that is missing', 'g.csv', 'mask,count\n[],3\n', /g\.csv:2: there is no column "documents".*mask, count/],
  ['a mask that is no list', 'g.csv', 'mask,documents\na|b,3\n', /g\.csv:2: "mask" is the list.*got "a\|b"/],
  ['a mask that is NULL', 'g.jsonl', '{"mask": null, "documents": 3}\n', /g\.jsonl:1: "mask".*got null.*COALESCE/],
  ['a mask of numbers', 'g.jsonl', '{"mask": [1], "documents": 3}\n', /"mask" is the list.*got \[1\]/],
  ['a negative number', 'g.csv', 'mask,documents\n[],-3\n', /g\.csv:2: "documents" is a whole number above 0/],
  ['a number with a point', 'g.csv', 'mask,documents\n[],3.5\n', /whole number above 0/],
  ['a number in another notation', 'g.csv', 'mask,documents\n[],1e3\n', /whole number above 0/],
  ['an empty cell', 'g.csv', 'mask,documents\n[],\n', /whole number above 0/],
  [
    'a word that is NULL',
    'w.jsonl',
    '{"mask": [], "word": null, "documents": 3}\n',
    /w\.jsonl:1: "word" is text; got null/
  ],
  ['a record that is cut short', 'g.csv', 'mask,documents\n[]\n', /g\.csv:2: the record that begins here has 1 cell; /],
  ['broken JSON', 'g.jsonl', '{"mask": [\n', /g\.jsonl:1: not valid JSON/],
  ['JSON that is not an object', 'g.jsonl', '1\n', /g\.jsonl:1: the row is not an object/],
  ['another kind of file', 'g.svm', '1 2:1\n', /g\.svm: a table has columns/],
  ['an empty file', 'g.csv', '', /no group of documents at all/],
  [
    'a group that comes twice',
    'g.csv',
    'mask,documents\n"[""a""]",2\n[],1\n"[""a""]",3\n',
    /g\.csv:4: the documents with the anchor features \["a"\] are here and at .*g\.csv:2;/
  ],
  ['zero', 'g.csv', 'mask,documents\n[],0\n', /above 0; got "0"/],
  [
    'too many documents',
    'g.csv',
    `mask,documents\n[],${2 ** 53 - 1}\n"[""a""]",1\n`,
    /g\.csv:3: more than 2\^53 documents/
  ],
  [
    'a group without documents',
    'w.csv',
    'mask,word,documents\n[],x,1\n',
    /their number is missing; give the results of both/
  ]
]
test.each(refused)('readGroups(...) refuses %s and names the place', async (_, name, content, message) => {
  const failure = await failureOf(() => readGroups([folder.file(name, content)]))
  expect(failure.message).toMatch(message)
})

test('readGroups(...) refuses words that come twice, or in more documents than there are', async () => {
  const groups = folder.file('groups.csv', 'mask,documents\n[],3\n"[""a""]",2\n')
  const withWords = (rows: string) =>
    failureOf(() => readGroups([folder.file('words.csv', `mask,word,documents\n${rows}`), groups]))
  expect((await withWords('[],x,1\n[],x,1\n')).message).toMatch(
    /^documents with no anchor feature: the word "x" is counted twice;/
  )
  expect((await withWords('"[""a""]",x,3\n')).message).toMatch(/the word "x" occurs in 3 of 2 documents; .* DISTINCT/)
})

test('readGroups(...) refuses a file given twice, one that is not there, and stops when it is told to', async () => {
  const path = folder.file('groups.csv', 'mask,documents\n[],3\n')
  expect((await failureOf(() => readGroups([path, path]))).message).toMatch(/the file is given twice/)
  expect((await failureOf(() => readGroups([`${path}.csv`]))).message).toMatch(/no such file/)
  expect((await failureOf(() => readGroups([path], AbortSignal.abort()))).code).toBe('cancelled')
})
