import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {workbook} from '../../../test/workbook.ts'
import {AdfaError} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {failureOf, testSource} from '../files/test-folder.ts'
import {readDocuments} from './formats.ts'
import type {ReadOptions, SourceFile} from './source-file.ts'
import {parquetOf} from './test-parquet.ts'

/** All rows with the notes, or the message of the error. */
async function outcomeOf(files: readonly SourceFile[], options: Partial<ReadOptions> = {}) {
  const rows: Row[] = []
  const notes: string[] = []
  try {
    const onNote = (note: string) => notes.push(note)
    for await (const batch of readDocuments(files, {text: ['text'], ...options, onNote})) rows.push(...batch)
    return {rows, notes}
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    return {error: [error.code, error.message]}
  }
}

type Text = {id: string; text: string; tags: string[]}

const characters = fc.constantFrom(...'abc é€😀ß,;|\t"\'\\\r\n{}[]:=-\ufeff\ufffd0189')
const words = fc.array(characters, {maxLength: 12}).map(parts => parts.join(''))
const documents: fc.Arbitrary<Text[]> = fc.array(
  fc.record({id: fc.stringMatching(/^\w{1,5}$/), text: words, tags: fc.array(fc.constantFrom('a', 'b c'))}),
  {maxLength: 5}
)

const csv = (docs: Text[], separator: string, end: string) =>
  [['id', 'text', 'tags'], ...docs.map(({id, text, tags}) => [id, `"${text.replaceAll('"', '""')}"`, tags.join('|')])]
    .map(cells => cells.join(separator) + end)
    .join('')

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

function isWithin(text: string, last: number): boolean {
  return Array.from(text).every(character => (character.codePointAt(0) ?? 0) <= last)
}

/** The documents as `name` can hold them. */
function asRead(docs: readonly Text[], name: string) {
  if (name === 'x.txt') return [{id: 'x', text: docs.map(({text}) => text).join(' '), tags: undefined}]
  return docs
}

describe('readDocuments(...) gives the documents that were written', () => {
  const files = fc.record({
    docs: documents,
    name: fc.constantFrom(...Object.keys(writers)),
    encoding: fc.constantFrom(...Object.keys(encodings)),
    end: fc.constantFrom('\n', '\r\n'),
    isPacked: fc.boolean()
  })

  test('in any format and encoding', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(files, async ({docs, name, encoding, end, isPacked}) => {
        const written = writers[name](docs, end)
        // What Latin-1 does not have, or what would be taken for another encoding, cannot come back.
        fc.pre(docs.length > 0 && (encoding !== 'latin1' || isWithin(written, 0x7f)))
        // A single character shows no encoding.
        fc.pre(encoding !== 'utf16 without a mark' || (written.length > 1 && isWithin(written, 0xff)))
        fc.pre(!(name === 'x.txt' && encoding.startsWith('utf') && written.startsWith('\ufeff')))
        // Text that begins like another format, or like a table with tabs, is read as that.
        fc.pre(name !== 'x.txt' || !/^\s*[[{]|\t/.test(written))
        fc.pre(name !== 'unnamed' || docs.every(({text}) => !text.includes('\n')))
        const bytes = encodings[encoding](written)
        const options = name === 'unnamed' ? {format: 'csv' as const} : {}
        const outcome = await outcomeOf([testSource(name, isPacked ? gzipSync(bytes) : bytes)], options)
        const read = 'rows' in outcome && outcome.rows.map(({id, text, tags}) => ({id, text: text.get('text'), tags}))
        expect(outcome.error ?? read).toEqual(asRead(docs, name))
        seen.add(name)
      }),
      {numRuns: 300}
    )
    expect([...seen].sort()).toEqual(Object.keys(writers).sort())
  })

  test('or ends in an error for people, whichever byte is wrong and wherever it is cut short', async () => {
    const faults = fc.record({file: files, at: fc.nat(), byte: fc.integer({min: 0, max: 255}), isCut: fc.boolean()})
    let errors = 0
    await fc.assert(
      fc.asyncProperty(faults, async ({file: {docs, name, encoding, end}, at, byte, isCut}) => {
        const bytes = Uint8Array.from(encodings[encoding](writers[name](docs, end)))
        if (bytes.length > 0) bytes[at % bytes.length] = byte
        const content = isCut ? bytes.subarray(0, at % (bytes.length + 1)) : bytes
        const {error} = await outcomeOf([testSource(name, content)])
        if (error === undefined) return
        expect(error[1]).toContain(name)
        errors++
      }),
      {numRuns: 200}
    )
    expect(errors).toBeGreaterThan(100)
  })

  test('of several files, in order, with exact ids', async () => {
    const contents = ['{"nr":12345678901234567890,"note":"a"}\n', '{"nr":2,"note":"b"}\n']
    const several = contents.map((content, at) => testSource(`${at}.jsonl`, content))
    const outcome = await outcomeOf(several, {text: ['note'], id: 'nr'})
    expect('rows' in outcome && outcome.rows.map(({id}) => id)).toEqual(['12345678901234567890', 2])
    const options = {text: ['note'], required: ['key'], format: 'csv' as const, encoding: 'windows-1252'}
    expect(await outcomeOf([testSource('a.dat', 'nr,note\n1,a\n')], options)).toHaveProperty('error')
  })

  test('of a workbook and of Parquet, with progress that ends with the size of the file', async () => {
    const sheet = workbook({
      Notes: [
        ['id', 'text'],
        [7, 'pt'],
        ['b', 12]
      ]
    })
    const columns = {id: {kind: 'whole', data: [7n, 2n ** 60n]}, text: {kind: 'text', data: ['pt', null]}} as const
    const fromSheet = ['7 pt', 'b 12']
    const fromParquet = ['7 pt', `${2n ** 60n} undefined`]
    for (const [name, bytes, rows] of [
      ['a.xlsx', sheet, fromSheet],
      ['named.csv', sheet, fromSheet],
      ['a.parquet', parquetOf(columns, {codec: 'GZIP'}), fromParquet],
      ['unnamed', parquetOf(columns, {codec: 'SNAPPY'}), fromParquet]
    ] as const) {
      let done = 0
      const read: unknown[] = []
      const onProgress = (count: number) => (done = count)
      for await (const batch of readDocuments([testSource(name, bytes)], {text: ['text']}, {onProgress}))
        read.push(...batch.map(({id, text}) => `${id} ${text.get('text')}`))
      expect([name, read, done]).toEqual([name, rows, bytes.length])
    }
  })
})

test('readDocuments(...) refuses no files, an unknown encoding and a file that cannot be read', async () => {
  expect((await failureOf(() => readDocuments([], {text: []}))).code).toBe('bad-option')
  const slice = () => ({arrayBuffer: () => Promise.reject(new Error('gone'))})
  expect(await outcomeOf([testSource('a.csv', 'x')], {encoding: 'x'})).toMatchObject({
    error: ['bad-option', expect.any(String)]
  })
  expect(await outcomeOf([{name: 'a.csv', size: 1, slice}])).toEqual({
    error: ['bad-file', 'a.csv: cannot be read: gone']
  })
})

test('readDocuments(...) tells how far it is, and stops when it is cancelled', async () => {
  const content = '{"id":1,"text":"a"}\n'.repeat(40_000)
  const progress: number[] = []
  const control = new AbortController()
  const files = [testSource('a.jsonl', content), testSource('b.jsonl', content)]
  const pass = (signal?: AbortSignal) =>
    readDocuments(files, {text: ['text']}, {signal, onProgress: (bytes, of) => progress.push(bytes / of)})
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
