import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {openDocuments} from '../files/index.ts'
import {documentFixture, failureOf, testFolder} from '../files/test-folder.ts'
import {type ReadOptions, readDocuments} from './read-documents.ts'
import type {SourceFile} from './source-bytes.ts'
import {testSource} from './test-source.ts'

const folder = testFolder()

/** All rows with the notes, or the message of the error. */
async function outcomeOf(read: (onNote: (note: string) => void) => AsyncIterable<readonly Row[]>) {
  const rows: Row[] = []
  const notes: string[] = []
  try {
    for await (const batch of read(note => notes.push(note))) rows.push(...batch)
    return {rows, notes}
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    return {error: [error.code, error.message]}
  }
}

async function compare(files: readonly SourceFile[], paths: readonly string[], options: Partial<ReadOptions> = {}) {
  const reading = {fields: ['text'], ...options}
  const here = await outcomeOf(onNote => readDocuments(files, {...reading, onNote}))
  expect(here).toEqual(await outcomeOf(onNote => openDocuments(paths, {...reading, onNote}).batches()))
  return here
}

type Text = {id: string; text: string; tags: string[]}

const characters = fc.constantFrom(...'abc é€😀ß,;|\t"\'\\\r\n{}[]:=-\ufeff\ufffd0189')
const words = fc.array(characters, {maxLength: 12}).map(parts => parts.join(''))
const documents: fc.Arbitrary<Text[]> = fc.array(
  fc.record({id: fc.stringMatching(/^\w{1,5}$/), text: words, tags: fc.array(fc.constantFrom('a', 'b c'))}),
  {maxLength: 5}
)

const csv = (docs: Text[], separator: string, end: string) =>
  ['id,text,tags', ...docs.map(({id, text, tags}) => [id, `"${text.replaceAll('"', '""')}"`, tags.join('|')].join(','))]
    .map((line, at) =>
      at === 0
        ? line.replaceAll(',', separator)
        : line.replace(/^(\w+),(.*),([^,]*)$/s, `$1${separator}$2${separator}$3`)
    )
    .join(end) + end

const writers: Readonly<Record<string, (docs: Text[], end: string) => string>> = {
  'x.jsonl': (docs, end) => docs.map(doc => JSON.stringify(doc)).join(end),
  'x.ndjson': (docs, end) => docs.map(doc => `${JSON.stringify(doc)}${end}${end}`).join(''),
  'array.json': (docs, end) => JSON.stringify(docs, null, 1).replaceAll('\n', end),
  'x.csv': (docs, end) => csv(docs, ',', end),
  'semicolon.csv': (docs, end) => csv(docs, ';', end),
  'stated.csv': (docs, end) => `sep=;${end}${csv(docs, ';', end)}`,
  'x.tsv': (docs, end) => csv(docs, '\t', end),
  'x.txt': docs => docs.map(({text}) => text).join(' '),
  unnamed: (docs, end) => csv(docs, ',', end)
}

const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  utf8: text => Buffer.from(text),
  mark: text => Buffer.from(`\ufeff${text}`),
  utf16: text => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf16 without a mark': text => Buffer.from(text, 'utf16le'),
  latin1: text => Buffer.from(text, 'latin1')
}

describe('readDocuments(...) gives what openDocuments(...) gives', () => {
  const files = fc.record({
    docs: documents,
    name: fc.constantFrom(...Object.keys(writers)),
    encoding: fc.constantFrom(...Object.keys(encodings)),
    end: fc.constantFrom('\n', '\r\n'),
    isPacked: fc.boolean(),
    keepsRecords: fc.constantFrom(false, true, 'only' as const),
    sizes: fc.array(fc.integer({min: 1, max: 40}), {minLength: 1, maxLength: 4})
  })

  test('for documents in any format, encoding and pieces', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(files, async ({docs, name, encoding, end, isPacked, keepsRecords, sizes}) => {
        const bytes = encodings[encoding](writers[name](docs, end))
        const content = isPacked ? gzipSync(bytes) : bytes
        const path = folder.file(name, content)
        const outcome = await compare([testSource(path, content, sizes)], [path], {keepsRecords})
        seen.add(`${name} ${'rows' in outcome}`)
      }),
      {numRuns: 200}
    )
    for (const name of Object.keys(writers)) expect(seen).toContain(`${name} true`)
  })

  test('for files with a wrong byte or cut short', async () => {
    const faults = fc.record({file: files, at: fc.nat(), byte: fc.integer({min: 0, max: 255}), isCut: fc.boolean()})
    let errors = 0
    await fc.assert(
      fc.asyncProperty(faults, async ({file: {docs, name, encoding, end, sizes}, at, byte, isCut}) => {
        const bytes = Uint8Array.from(encodings[encoding](writers[name](docs, end)))
        if (bytes.length > 0) bytes[at % bytes.length] = byte
        const content = isCut ? bytes.subarray(0, at % (bytes.length + 1)) : bytes
        fc.pre(![0x1f, 0x28, 0x37, 0x50].includes(content[0]))
        const path = folder.file(name, content)
        if ('error' in (await compare([testSource(path, content, sizes)], [path]))) errors++
      }),
      {numRuns: 200}
    )
    expect(errors).toBeGreaterThan(100)
  })

  test('for several files, in order, and options', async () => {
    const contents = ['{"nr":12345678901234567890,"note":"a"}\n', '{"nr":2,"note":"b"}\n']
    const paths = contents.map((content, at) => folder.file(`${at}.jsonl`, content))
    const files = contents.map((content, at) => testSource(paths[at], content))
    const outcome = await compare(files, paths, {fields: ['note'], idField: 'nr'})
    expect('rows' in outcome && outcome.rows.map(({id}) => id)).toEqual(['12345678901234567890', 2])
    const options = {fields: ['note'], required: ['key'], format: 'csv' as const, encoding: 'windows-1252'}
    const path = folder.file('a.dat', 'nr,note\n1,\x80\n')
    expect(await compare([testSource(path, 'nr,note\n1,a\n')], [path], options)).toHaveProperty('error')
  })

  test('for files of a few pieces of 1 MB', async () => {
    const lines = Array.from({length: 30_000}, (_, id) => JSON.stringify({id, text: `é ${'word '.repeat(id % 30)}`}))
    for (const content of [lines, [...lines, '{"id":'], [...lines, '\xe9']].map(all => Buffer.from(all.join('\n')))) {
      const path = folder.file('large.jsonl', content)
      await compare([testSource(path, content, [70_000, 2_500_000])], [path])
      const packed = gzipSync(content)
      const packedPath = folder.file('large.jsonl.gz', packed)
      await compare([testSource(packedPath, packed)], [packedPath])
    }
  })
})

test('a Blob is a source', async () => {
  const file = Object.assign(new Blob(['{"id":1,"text":"a"}\n']), {name: 'a.jsonl'})
  const outcome = await outcomeOf(() => readDocuments([file], {fields: ['text']}))
  expect('rows' in outcome && outcome.rows.map(({id}) => id)).toEqual([1])
})

describe('readDocuments(...) refuses', () => {
  const read = async (file: SourceFile, options: Partial<ReadOptions> = {}) => {
    for await (const batch of readDocuments([file], {fields: ['text'], ...options})) expect(batch).toBeDefined()
  }

  test('gzip that is cut short or damaged', async () => {
    const packed = gzipSync('{"id":1,"text":"a"}\n'.repeat(1000))
    const short = packed.subarray(0, packed.length - 20)
    expect((await failureOf(() => read(testSource('a.jsonl.gz', short)))).message).toBe(
      'a.jsonl.gz: the gzip data ends too early; the file is cut short; copy or download it again'
    )
    const wrong = Uint8Array.from(packed).fill(0xff, 12, 40)
    expect((await failureOf(() => read(testSource('a.jsonl.gz', wrong)))).message).toMatch(
      /^a.jsonl.gz: the gzip data is damaged( \(.+\))?; copy or download it again$/
    )
  })

  test.each([
    ['notes.parquet', 'a.csv', 'a Parquet file'],
    ['notes.jsonl.zst', 'a b', 'a file compressed with Zstandard']
  ])('%s, by its content, and names the command', async (fixture, name, words) => {
    const {readFileSync} = await import('node:fs')
    const file = testSource(name, readFileSync(documentFixture(fixture)))
    const {code, message} = await failureOf(() => read(file))
    expect(code).toBe('bad-file')
    expect(message).toContain(`${name}: this is ${words}, which a browser does not read`)
    expect(message).toContain(name === 'a b' ? 'adfa init "a b"' : `adfa init ${name}`)
  })

  test('a spreadsheet', async () => {
    const zip = Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0)
    expect((await failureOf(() => read(testSource('a.csv', zip)))).message).toContain('a spreadsheet (.xlsx)')
    expect((await failureOf(() => read(testSource('a.parquet', 'x')))).message).toContain('a Parquet file')
  })

  test('no files, an unknown encoding and a file that cannot be read', async () => {
    expect((await failureOf(() => readDocuments([], {fields: []}))).code).toBe('bad-option')
    expect((await failureOf(() => read(testSource('a.csv', 'x'), {encoding: 'x'}))).code).toBe('bad-option')
    const broken = () => new ReadableStream<Uint8Array>({pull: controller => controller.error(new Error('gone'))})
    expect((await failureOf(() => read({name: 'a.csv', size: 9, stream: broken}))).message).toBe(
      'a.csv: cannot be read: gone'
    )
  })
})

test('readDocuments(...) tells how far it is, and stops when it is cancelled', async () => {
  const content = '{"id":1,"text":"a"}\n'.repeat(40_000)
  const progress: number[] = []
  const control = new AbortController()
  const files = [testSource('a.jsonl', content), testSource('b.jsonl', content)]
  const pass = (signal?: AbortSignal) =>
    readDocuments(files, {fields: ['text']}, {signal, onProgress: (bytes, of) => progress.push(bytes / of)})
  let rows = 0
  for await (const batch of pass()) rows += batch.length
  expect(rows).toBe(80_000)
  expect(progress.at(-1)).toBe(1)
  expect(progress.every((share, at) => at === 0 || share > progress[at - 1])).toBe(true)
  const stopped = await failureOf(async () => {
    for await (const batch of pass(control.signal)) if (batch.length > 0) control.abort()
  })
  expect(stopped.code).toBe('cancelled')
})
