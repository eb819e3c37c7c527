import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {parquetOf} from '../reading/test-parquet.ts'
import {readGroups} from './groups.ts'

const folder = testFolder()
const awkward = ['a', 'with "quotes", commas', '__proto__', 'new\nline', '患者']
const text = JSON.stringify(awkward)
const cell = `"${text.replaceAll('"', '""')}"`
const jsonLines = (rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('')

test.each<[string, Readonly<Record<string, string | Uint8Array>>]>([
  [
    'CSV with masks as JSON arrays, columns in any order and in capitals',
    {
      'groups.csv': `DOCUMENTS,MASK\r\n3,[]\r\n7,${cell}\r\n`,
      'words.csv': `MASK,WORD,DOCUMENTS\n[],x,2\n[],,1\n${cell},x,7\n`
    }
  ],
  [
    'several files, compressed',
    {
      'part-1.tsv.gz': gzipSync('mask\tdocuments\n[]\t3\n'),
      'words-1.tsv': 'mask\tword\tdocuments\n[]\tx\t2\n[]\t\t1\n',
      'part-2.tsv': `mask\tdocuments\n${cell}\t7\n`,
      'words-2.tsv': `word\tmask\tdocuments\nx\t${cell}\t7\n`
    }
  ],
  [
    'JSON Lines with lists, or text as BigQuery writes it, and numbers as text',
    {
      'groups.jsonl': jsonLines([
        {mask: [], documents: 3},
        {mask: text, documents: '7'}
      ]),
      'words.jsonl': jsonLines([
        {mask: '[]', word: 'x', documents: '2'},
        {mask: [], word: '', documents: 1},
        {mask: awkward, word: 'x', documents: 7}
      ])
    }
  ],
  [
    'Parquet, with 64-bit numbers',
    {
      'g.parquet': parquetOf({mask: {kind: 'text', data: ['[]', text]}, documents: {kind: 'whole', data: [3n, 7n]}}),
      'w.parquet': parquetOf({
        mask: {kind: 'text', data: ['[]', '[]', text]},
        word: {kind: 'text', data: ['x', '', 'x']},
        documents: {kind: 'whole', data: [2n, 1n, 7n]}
      })
    }
  ]
])('readGroups(...) reads %s', async (_, files) => {
  const paths = Object.entries(files).map(([name, content]) => folder.file(name, content))
  const words = [{x: 2, '': 1}, {x: 7}].map(counts => new Map(Object.entries(counts)))
  expect(await readGroups(paths)).toEqual([
    {mask: [], documents: 3, words: words[0]},
    {mask: awkward, documents: 7, words: words[1]}
  ])
})

const two = 'mask,documents\n[],3\n"[""a""]",2\n'
test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['no documents', {'g.csv': 'mask,count\n[],3\n'}, /g\.csv:2: there is no column "documents".*mask, count/],
  ['a mask that is not a list', {'g.csv': 'mask,documents\na|b,3\n'}, /g\.csv:2: "mask" is the list.*got "a\|b"/],
  ['a mask that is NULL', {'g.jsonl': '{"mask": null, "documents": 3}\n'}, /g\.jsonl:1: "mask".*got null.*COALESCE/],
  ['a mask of numbers', {'g.jsonl': '{"mask": [1], "documents": 3}\n'}, /"mask" is the list.*got \[1\]/],
  ...['-3', '3.5', '1e3', '', '0'].map((number): [string, Readonly<Record<string, string>>, RegExp] => [
    `"${number}" documents`,
    {'g.csv': `mask,documents\n[],${number}\n`},
    /g\.csv:2: "documents" is a whole number above 0/
  ]),
  ['too many documents', {'g.csv': `mask,documents\n[],${2 ** 53 - 1}\n"[""a""]",1\n`}, /g\.csv:3: more than 2\^53/],
  ['a word that is NULL', {'w.jsonl': '{"mask": [], "word": null, "documents": 3}\n'}, /w\.jsonl:1: "word" is text/],
  ['a record cut short', {'g.csv': 'mask,documents\n[]\n'}, /g\.csv:2: the record that begins here has 1 cell; /],
  ['broken JSON', {'g.jsonl': '{"mask": [\n'}, /g\.jsonl:1: not valid JSON/],
  ['another kind of file', {'g.svm': '1 2:1\n'}, /g\.svm: a table has columns/],
  ['an empty file', {'g.csv': ''}, /no group of documents at all/],
  [
    'a group that comes twice',
    {'g.csv': `${two}[],1\n`},
    /g\.csv:4: the documents with no anchor feature are here a sec/
  ],
  [
    'a group without documents',
    {'w.csv': 'mask,word,documents\n[],x,1\n'},
    /number is missing; give the results of both/
  ],
  [
    'a word that comes twice',
    {'w.csv': 'mask,word,documents\n[],x,1\n[],x,1\n', 'g.csv': two},
    /w\.csv:3: the word "x" is counted twice in the documents with no anchor feature;/
  ],
  [
    'a word in more documents than there are',
    {'w.csv': 'mask,word,documents\n"[""a""]",x,3\n', 'g.csv': two},
    /the word "x" occurs in 3 of 2 documents; .* DISTINCT/
  ]
])('readGroups(...) refuses %s and names the place', async (_, files, message) => {
  const paths = Object.entries(files).map(([name, content]) => folder.file(name, content))
  expect((await failureOf(() => readGroups(paths))).message).toMatch(message)
})

test('readGroups(...) refuses a file given twice, one that is not there, and stops when it is told to', async () => {
  const path = folder.file('groups.csv', two)
  expect((await failureOf(() => readGroups([path, path]))).message).toMatch(
    /here a second time; .*is a file given twice/
  )
  expect((await failureOf(() => readGroups([`${path}.csv`]))).message).toMatch(/no such file/)
  expect((await failureOf(() => readGroups([path], AbortSignal.abort()))).code).toBe('cancelled')
})

test('readGroups(...) refuses groups without the result of words, which may have no rows', async () => {
  const groups = folder.file('groups.csv', two)
  expect((await failureOf(() => readGroups([groups]))).message).toMatch(/no words; give the result of the second/)
  for (const content of ['', 'mask,word,documents\n'])
    expect(await readGroups([groups, folder.file('words.csv', content)])).toHaveLength(2)
})
