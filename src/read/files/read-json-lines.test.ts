import {expect, test} from 'vitest'
import {readJsonLines} from './document-block.ts'
import {lineBlocks} from './line-blocks.ts'
import {failureOf, inPieces, readAll, testFolder} from './test-folder.ts'

const folder = testFolder()

async function* readPieces(chunks: AsyncIterable<Uint8Array>) {
  for await (const block of lineBlocks(chunks, 'x.jsonl')) yield readJsonLines(block, 'x.jsonl', {fields: ['text']})
}

async function texts(content: string | Uint8Array, pieceSize = 1_000_000): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  for await (const rows of readPieces(inPieces(Buffer.from(content), pieceSize)))
    found.push(...rows.map(row => row.text.get('text')))
  return found
}

async function errorOf(content: string | Uint8Array): Promise<string> {
  const error = await failureOf(() => texts(content))
  expect(error.code).toBe('bad-document')
  return error.message
}

test.each([1, 2, 3, 50])('readJsonLines(...) gives the same documents for pieces of %i bytes', async size => {
  const lines = ['{"text": "a"}', '', '   ', '{"text": "\\u00e9 é 🍺"}', '', '{"text": ""}']
  for (const end of ['\n', '\r\n'])
    for (const start of ['', '\ufeff'])
      for (const last of ['', end])
        expect(await texts(start + lines.join(end) + last, size)).toEqual(['a', 'é é 🍺', ''])
})

test('readJsonLines(...) names the line that is not JSON', async () => {
  const message = await errorOf('{"text": "a"}\r\n\r\n{"text": }\r\n')
  expect(message).toMatch(/^x\.jsonl:3: not valid JSON: .+; every line must hold one whole JSON object/)
})

test('readJsonLines(...) names the line far into a file of many pieces', async () => {
  const lines = `${'{"text": "a word or two"}\n'.repeat(100_000)}oops`
  expect(await errorOf(lines)).toMatch(/^x\.jsonl:100001: not valid JSON/)
})

test('readJsonLines(...) names the line of a row that is refused', async () => {
  expect(await errorOf('{"text": "a"}\n{"text": 3}')).toMatch(/^x\.jsonl:2: .*"text" that is not text/)
  expect(await errorOf('{"text": "a"}\n\n[1]')).toMatch(/^x\.jsonl:3: .*not an object/)
})

test('readJsonLines(...) names the line that is not UTF-8', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"text": "a"}\n\n{"text": "'),
    Buffer.from([0xff, 0xfe, 0]),
    Buffer.from('"}\n')
  ])
  expect(await errorOf(bytes)).toMatch(/^x\.jsonl:3: not text in UTF-8; documents must be .*save it as UTF-8/)
  expect(await errorOf(Buffer.from('{"text": "a"}\n', 'utf16le').subarray(0, -1))).toMatch(/^x\.jsonl:1: /)
})

test('readJsonLines(...) reads lines of several megabytes', async () => {
  const long = 'word '.repeat(600_000)
  const path = folder.file('long.jsonl', [long, 'short', long].map(text => JSON.stringify({text})).join('\n'))
  expect((await readAll(path)).map(row => row.text.get('text')?.length)).toEqual([3_000_000, 5, 3_000_000])
})

test('readJsonLines(...) refuses a line over 64 MB without reading on', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"text": "a"}\n')
    for (;;) yield piece
  }
  const piece = Buffer.alloc(8_000_000, 'x')
  const error = await failureOf(async () => {
    for await (const rows of readPieces(endless())) expect(rows.length).toBe(1)
  })
  expect(error.message).toMatch(/^x\.jsonl:2: the line that begins here is over 64 MB; a line may have at most 64 MB; /)
})

test('readJsonLines(...) takes any word as an ordinary one', async () => {
  const row = {id: '', text: 'toString', features: ['__proto__', 'constructor', '', '🍺', '\u0000']}
  const path = folder.file('hostile.jsonl', `${JSON.stringify(row)}\n{"text": "b", "__proto__": {"text": "x"}}`)
  const [first, second] = await readAll(path)
  expect(first).toEqual({...row, text: new Map([['text', 'toString']]), tags: undefined, labels: undefined})
  expect(second.text).toEqual(new Map([['text', 'b']]))
})
