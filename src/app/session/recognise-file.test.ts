import {readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {workbook} from '../../../test/workbook.ts'
import {countCorpus, countsToBytes} from '../../read/counts/index.ts'
import {buildCorpus, parseAnchors} from '../../read/data/index.ts'
import {documentFixture, testSource} from '../../read/files/test-folder.ts'
import {recogniseFile} from './recognise-file.ts'

const line = '{"id":1,"text":"a","tags":["b"]}\n'
const label = '{"id":17,"labels":{"fever":true},"drawn":"random"}\n'
const anchors = {fever: ['fever', 'hot'], pain: {any: ['pain'], precision: 0.9}, cough: 'cough'}

test.each<[what: string, text: string, kind: string, format?: string | undefined, name?: string]>([
  ['lines', line.repeat(3), 'documents', 'jsonl'],
  ['one line', line, 'documents', 'jsonl'],
  ['one line of other fields, by its name', '{"note":"a"}', 'documents', 'jsonl', 'a.jsonl'],
  ['lines with labels and text', '{"id":1,"labels":{"a":true},"text":"b"}\n', 'documents', 'jsonl'],
  ['lines of which the first is broken', `{"id":1,"te\n${line}`, 'documents', 'jsonl'],
  ['a long line', `{"id":1,"text":"${'a'.repeat(2e6)}"}\n${line}`, 'documents', 'jsonl'],
  ['an array', `[${line}]`, 'documents', 'json'],
  ['a table', 'id,text\n1,a\n', 'documents', 'csv'],
  ['a table with semicolons', 'id;text\n1;a\n2;"x;y"\n', 'documents', 'csv'],
  ['svmlight', '1 1:1 2:1\n', 'documents', 'svmlight'],
  ['a table with tabs that is called text', 'id\ttext\n1\ta\n', 'documents', 'csv', 'a.txt'],
  ['a table by its name', 'text\na\n', 'documents', 'csv', 'a.CSV'],
  ['a table with tabs by its name', 'id\ttext\n1\ta\n', 'documents', 'tsv', 'a.tsv.gz'],
  ['text', 'Fever, cough.\nPain.\n', 'documents', 'txt', 'a.txt'],
  ['anchors', JSON.stringify(anchors, null, 2), 'anchors'],
  ['anchors on one line', JSON.stringify(anchors), 'anchors'],
  ['one document with features', '{"text":"a","features":["b"]}', 'documents', 'jsonl'],
  ['anchors with a fault', '{\n"fever": ["hot",]\n}', 'anchors'],
  ['labels', label.repeat(2), 'labels', undefined, 'a.txt'],
  ['skipped labels', '{"id":"a","labels":{},"skipped":true}\n', 'labels'],
  ['a project', '{\n  "$schema": "x",\n  "format": "adfa-project", "version": 1}', 'project'],
  ['a model', '{"format":"adfa-model","version":1}', 'model']
])(
  'recogniseFile(...) takes %s for what it is, compressed or not, in any encoding',
  async (_, text, kind, format, name = 'a.json') => {
    const expected = format === undefined ? {kind} : {kind, format}
    for (const content of [text, `\ufeff${text}`, gzipSync(text), Buffer.from(`\ufeff${text}`, 'utf16le')])
      expect(await recogniseFile(testSource(name === 'a.json' ? 'nothing' : name, content))).toEqual(expected)
  }
)

test('recogniseFile(...) knows counts, workbooks and Parquet by their content', async () => {
  const fixture = (name: string) => readFileSync(documentFixture(name))
  const given = parseAnchors('{"fever":"fever"}', 'a')
  const corpus = buildCorpus(
    ['fever', 'pain'].map((text, id) => ({id, text})),
    given,
    {text: ['text']}
  )
  for (const [name, bytes, recognised] of [
    ['a.counts', countsToBytes(countCorpus(corpus)), {kind: 'counts'}],
    ['notes', fixture('notes.parquet'), {kind: 'documents', format: 'parquet'}],
    ['notes', fixture('notes.jsonl.zst'), {kind: 'documents', format: 'jsonl'}],
    ['a.csv', workbook({A: [['text'], ['x']]}), {kind: 'documents', format: 'xlsx'}]
  ] as const)
    expect(await recogniseFile(testSource(name, bytes))).toEqual(recognised)
})
