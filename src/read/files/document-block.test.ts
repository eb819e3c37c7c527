import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import type {Row} from '../data/index.ts'
import {type DocumentBlock, holdsDocuments, parseBlock} from './document-block.ts'
import {openDocuments} from './open-documents.ts'
import {documentFixture, failureOf, testFolder} from './test-folder.ts'

const folder = testFolder()
const fields = {fields: ['title', 'text']}

async function blocksOf(...paths: string[]): Promise<DocumentBlock[]> {
  const blocks: DocumentBlock[] = []
  for await (const block of openDocuments(paths, fields).blocks()) blocks.push(structuredClone(block))
  return blocks
}

async function batchesOf(...paths: string[]): Promise<(readonly Row[])[]> {
  const batches: (readonly Row[])[] = []
  for await (const batch of openDocuments(paths, fields).batches()) batches.push(batch)
  return batches
}

test('parseBlock(...) of the blocks of all formats gives the batches, also in another thread', async () => {
  const paths = ['notes.jsonl', 'notes.jsonl.zst', 'notes.csv', 'notes.mtx'].map(documentFixture)
  const svm = folder.file('x.svm', 'a,b 1:1 2:1\n# comment\n 3:1\n')
  const blocks = await blocksOf(...paths, svm)
  expect(blocks.map(({kind}) => kind)).toEqual(['lines', 'lines', 'rows', 'rows', 'lines'])
  expect(blocks.map(parseBlock)).toEqual(await batchesOf(...paths, svm))
})

test('blocks(...) cuts where batches(...) does, at line ends, each block with bytes of its own', async () => {
  const lines = Array.from({length: 40_000}, (_, at) => JSON.stringify({id: at, text: `word ${at} `.repeat(8)}))
  for (const path of [
    folder.file('long.jsonl', lines.join('\n')),
    folder.file('long.jsonl.gz', gzipSync(lines.join('\n')))
  ]) {
    const source = openDocuments([path], fields)
    const parsed: (readonly Row[])[] = []
    for await (const block of source.blocks()) {
      // Taken away, as a thread does.
      const moved = structuredClone(block, {
        transfer: block.kind === 'lines' ? [block.bytes.buffer as ArrayBuffer] : []
      })
      expect(block.kind === 'lines' && block.bytes.length).toBe(0)
      parsed.push(parseBlock(moved))
    }
    expect(parsed.length).toBeGreaterThan(3)
    expect(parsed.flat().map(({id}) => id)).toEqual(lines.map((_, at) => at))
    expect(parsed).toEqual(await batchesOf(path))
  }
})

test('parseBlock(...) names the line of the file, not of the block', async () => {
  const good = `${JSON.stringify({text: 'word '.repeat(100)})}\n`
  const blocks = await blocksOf(folder.file('bad.jsonl', `${good.repeat(5000)}oops`))
  expect(blocks.length).toBeGreaterThan(2)
  const failure = await failureOf(async () => parseBlock(blocks[blocks.length - 1]))
  expect(failure.message).toMatch(/bad\.jsonl:5001: not valid JSON/)
})

test('holdsDocuments(...) is false for blank lines and comments alone, true for what is refused', () => {
  const lines = (format: 'jsonl' | 'svmlight', text: string): DocumentBlock => ({
    kind: 'lines',
    format,
    name: 'x',
    firstLine: 1,
    fields,
    bytes: new TextEncoder().encode(text)
  })
  expect(holdsDocuments(lines('jsonl', '\n  \r\n\u00a0\n'))).toBe(false)
  expect(holdsDocuments(lines('jsonl', '\n\n# no comment in JSON\n'))).toBe(true)
  expect(holdsDocuments(lines('svmlight', '# comment\n\n # another'))).toBe(false)
  expect(holdsDocuments(lines('svmlight', '# comment\nx'))).toBe(true)
  expect(holdsDocuments({kind: 'rows', rows: []})).toBe(false)
})

test('blocks(...) refuses a file without documents when it has been read', async () => {
  const failure = await failureOf(() => blocksOf(folder.file('blank.jsonl', '\n\n \n')))
  expect([failure.code, failure.message]).toEqual(['bad-file', expect.stringMatching(/holds no documents/)])
})
