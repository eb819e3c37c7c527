import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {isHeldOut, type Row} from '../data/index.ts'
import {openDocuments} from '../files/index.ts'
import {documentFixture, inPieces, readAll, refusalOf, testFolder} from '../files/test-folder.ts'
import {lineBlocks, parseBlock} from './document-block.ts'

const folder = testFolder()
const fields = {text: ['title', 'text']}

async function batchesOf(...paths: string[]): Promise<(readonly Row[])[]> {
  const batches: (readonly Row[])[] = []
  for await (const batch of openDocuments(paths, fields).batches()) batches.push(batch)
  return batches
}

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
      if (!('bytes' in block)) throw new Error('no lines')
      const moved = structuredClone(block, {transfer: [block.bytes.buffer as ArrayBuffer]})
      expect(block.bytes.length).toBe(0)
      parsed.push(parseBlock(moved))
    }
    expect(parsed.length).toBeGreaterThan(3)
    expect(parsed.flat().map(({id}) => id)).toEqual(lines.map((_, at) => at))
    expect(parsed).toEqual(await batchesOf(path))
  }
})

const jsonLines = {name: 'x.jsonl', fields: {text: ['text']}}

async function* readPieces(chunks: AsyncIterable<Uint8Array>) {
  for await (const block of lineBlocks(chunks, jsonLines)) yield parseBlock(block)
}

async function texts(content: string | Uint8Array, pieceSize = 1_000_000): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  for await (const rows of readPieces(inPieces(Buffer.from(content), pieceSize)))
    found.push(...rows.map(row => row.text.get('text')))
  return found
}

const jsonError = (content: string | Uint8Array) => refusalOf(() => texts(content))

test.each<[string | Uint8Array, RegExp]>([
  [
    '{"text": "a"}\r\n\r\n{"text": }\r\n',
    /^x\.jsonl:3: not valid JSON: .+; every line must hold one whole JSON object/
  ],
  [`${'{"text": "a word or two"}\n'.repeat(100_000)}oops`, /^x\.jsonl:100001: not valid JSON/],
  ['{"text": "a"}\n{"text": 3}', /^x\.jsonl:2: .*field "text" is not a string/],
  ['{"text": "a"}\n\n[1]', /^x\.jsonl:3: .*not an object/],
  [
    Buffer.from('{"text": "a"}\n\n{"text": "\xff\xfe\0"}\n', 'latin1'),
    /^x\.jsonl:3: not text in UTF-8; .*save it as UTF-8/
  ],
  [Buffer.from('{"text": "a"}\n', 'utf16le').subarray(0, -1), /^x\.jsonl:1: /]
])('parseBlock(...) refuses %.50s with its line', async (content, message) => {
  expect(await jsonError(content)).toMatch(message)
})

test('lines over 16 MB are refused without reading on', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"text": "a"}\n')
    for (;;) yield piece
  }
  const piece = Buffer.alloc(8_000_000, 'x')
  const work = async () => {
    for await (const rows of readPieces(endless())) expect(rows.length).toBe(1)
  }
  expect(await refusalOf(work)).toMatch(/^x\.jsonl:2: the line that begins here is over 16 MB; a line may have at most/)
})

test('parseBlock(...) takes any word as an ordinary one', async () => {
  const row = {id: '', text: 'toString', features: ['__proto__', 'constructor', '', '🍺', '\u0000']}
  const path = folder.file('hostile.jsonl', `${JSON.stringify(row)}\n{"text": "b", "__proto__": {"text": "x"}}`)
  const [first, second] = await readAll(path)
  expect(first).toEqual({...row, text: new Map([['text', 'toString']]), tags: undefined, labels: undefined})
  expect(second.text).toEqual(new Map([['text', 'b']]))
})

async function rowsOf(content: string) {
  return (await readAll(folder.file('x.svm', content))).map(({features, tags}) => ({features, tags}))
}

const row = {id: undefined, text: new Map(), labels: undefined}

test('svmlight: labels are tags as written, indices are features; qid and comments are left out, and zeros', async () => {
  expect(await readAll(documentFixture('notes.svm'))).toEqual([
    {...row, features: ['1', '2'], tags: ['cardiac', 'pain']},
    {...row, features: ['3'], tags: ['alcohol']},
    {...row, features: ['4'], tags: []}
  ])
  expect(
    await rowsOf('+1 qid:3 7:1 9:1e0\t10:0.0  11:1.  # a:b 3:7\r\n-1\n\n# only a comment\nc#,🍺 0:1\n3:1\n')
  ).toEqual([
    {features: ['7', '9', '11'], tags: ['+1']},
    {features: [], tags: ['-1']},
    {features: ['0'], tags: ['c#', '🍺']},
    {features: ['3'], tags: undefined}
  ])
})

test.each([
  ...'7:2 7:0.5 7:-1 7: 7:yes 7:0x1 7:NaN 7:1#comment x:1 -3:1 007:1 1.5:1 3 :1'
    .split(' ')
    .map(part => [`1 2:1\n\n1 ${part} 8:1\n`, `/x.svm:3: "${part}" is not a feature`]),
  ['1 7:2', '0 (absent) or 1 (present) as value; binarise the data first'],
  ['a,,b 1:1', '/x.svm:1: the labels "a,,b" have an empty one among them']
])('svmlight %j is refused', async (content, message) => {
  expect(await refusalOf(() => rowsOf(content))).toContain(message)
})

test('the parts of all formats, also in another thread, are those held out and the others', async () => {
  const rows = Array.from({length: 200}, (_, id) => ({id, text: `word ${id}`, ...(id % 4 > 0 && {tags: ['a']})}))
  const table = rows.map(({id, text, tags}) => `${id},${text},${tags ?? ''}`)
  const paths = [
    folder.file('a.jsonl', rows.map(row => JSON.stringify(row)).join('\n')),
    folder.file('a.json', JSON.stringify(rows)),
    folder.file('a.csv', `id,text,tags\n${table.join('\n')}`)
  ]
  for (const path of paths) {
    const all = (await batchesOf(path)).flat()
    for (const part of ['held-out', 'learning'] as const) {
      const found: Row[] = []
      for await (const block of openDocuments([path], {...fields, part}).blocks())
        found.push(...parseBlock(structuredClone(block)))
      expect(found).toEqual(all.filter(row => isHeldOut(row) === (part === 'held-out')))
      expect(found.length).toBeGreaterThan(20)
    }
  }
})
