import {appendFileSync, readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {afterEach, expect, test, vi} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {openDocuments} from '../files/index.ts'
import {documentFixture, failureOf, readAll, testFolder} from '../files/test-folder.ts'
import {readDocuments} from './formats.ts'
import {parquetOf, type TestColumn, type TestParquetOptions} from './test-parquet.ts'

const folder = testFolder()
const fields = {text: ['title', 'text']}

afterEach(() => {
  vi.restoreAllMocks()
})

async function rowsOf(columns: Record<string, TestColumn>, options?: TestParquetOptions): Promise<Row[]> {
  return readAll(folder.file('x.parquet', parquetOf(columns, options)))
}

const errorOf = async (work: () => unknown) => (await failureOf(work)).message.replace(folder.path, '')

test('readParquet(...) reads what DuckDB wrote, the same documents as in JSON Lines', async () => {
  expect(await readAll(documentFixture('notes.parquet'))).toEqual(await readAll(documentFixture('notes.jsonl')))
})

test('readParquet(...) reads large ids, missing values, maps, days, numbers and lists', async () => {
  const asked = {
    text: ['text'],
    category: ['sex', 'seen'],
    number: ['age:10', 'temperature:38+'],
    list: ['dispensed']
  }
  expect(await readAll(documentFixture('types.parquet'), asked)).toEqual([
    {
      id: '9007199254740993',
      text: new Map([['text', 'chest pain']]),
      features: [
        'code:410',
        'code:786',
        'sex:f',
        'seen:2024-02-29',
        'age:40-50',
        'temperature:<38',
        'dispensed:aspirin'
      ],
      tags: undefined,
      labels: new Map([
        ['cardiac', true],
        ['alcohol', false]
      ])
    },
    {id: 2, text: new Map(), features: [], tags: undefined, labels: new Map()},
    {
      id: undefined,
      text: new Map([['text', 'fell']]),
      features: ['sex:m', 'seen:1969-07-20', 'age:0-10', 'temperature:38+'],
      tags: undefined,
      labels: undefined
    }
  ])
})

const text = fc.option(fc.string({unit: 'grapheme', maxLength: 12}))
const document = fc.record({
  id: fc.option(fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n})),
  text,
  features: fc.option(fc.array(fc.string({unit: 'grapheme', maxLength: 5}), {maxLength: 4})),
  tags: fc.option(fc.array(fc.string({unit: 'grapheme', maxLength: 5}), {maxLength: 4})),
  labels: fc.option(fc.record({a: fc.option(fc.boolean()), b: fc.option(fc.boolean())}))
})

const documents = fc.array(document, {minLength: 1, maxLength: 20})
const layout = fc.record({
  codec: fc.constantFrom('UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI'),
  rowGroupSize: fc.integer({min: 1, max: 8}),
  pageSize: fc.constantFrom(20, 4000)
})

test('readParquet(...) gives back the rows that were written, in any compression, row groups and pages', async () => {
  await fc.assert(
    fc.asyncProperty(documents, layout, async (rows, options) => {
      const columns: Record<string, TestColumn> = {
        id: {kind: 'whole', data: rows.map(({id}) => id)},
        unused: {kind: 'text', data: rows.map(({text}) => text)},
        text: {kind: 'text', data: rows.map(({text}) => text)},
        features: {kind: 'list', data: rows.map(({features}) => features)},
        tags: {kind: 'list', data: rows.map(({tags}) => tags)},
        labels: {kind: 'record', keys: ['a', 'b'], data: rows.map(({labels}) => labels)}
      }
      expect(await rowsOf(columns, options)).toEqual(
        rows.map(({id, text, features, tags, labels}) => ({
          id: id === null ? undefined : Number.isSafeInteger(Number(id)) ? Number(id) : String(id),
          text: new Map(text === null ? [] : [['text', text]]),
          features: features ?? [],
          tags: tags ?? undefined,
          labels: labels === null ? undefined : new Map(Object.entries(labels).filter(([, truth]) => truth !== null))
        }))
      )
    }),
    {numRuns: 60}
  )
})

test('readParquet(...) reads lists and labels written as text or as JSON, and keeps text to the letter', async () => {
  const rows = await readAll(
    folder.file(
      'cells.pq',
      parquetOf({
        id: {kind: 'text', data: ['n1', '', null]},
        text: {kind: 'text', data: ['\ufeffa ', '', null]},
        title: {kind: 'json', data: [null, 'f', null]},
        features: {kind: 'text', data: ['a; b', '["c;d"]', '']},
        tags: {kind: 'json', data: [['x', 'y'], null, []]},
        labels: {kind: 'text', data: ['{"y": true}', null, ' ']},
        meds: {kind: 'text', data: ['b;c', '["d;e"]', null]}
      })
    ),
    {text: ['title', 'text'], list: ['meds'], separator: ';'}
  )
  expect(rows.map(({id, text, features, tags, labels}) => [id, [...text.values()], features, tags, labels])).toEqual([
    ['n1', ['\ufeffa '], ['a', 'b', 'meds:b', 'meds:c'], ['x', 'y'], new Map([['y', true]])],
    [undefined, ['f', ''], ['c;d', 'meds:d;e'], undefined, undefined],
    [undefined, [], [], [], undefined]
  ])
})

test('readParquet(...) writes every time of a column with its hours, and days without', async () => {
  const data = [new Date('2024-02-29T00:00:00Z'), new Date('2024-03-01T12:30:00Z')]
  const path = folder.file('times.parquet', parquetOf({seen: {kind: 'time', data}, day: {kind: 'day', data}}))
  expect((await readAll(path, {category: ['seen', 'day']})).map(({features}) => features)).toEqual([
    ['seen:2024-02-29t00:00:00.000z', 'day:2024-02-29'],
    ['seen:2024-03-01t12:30:00.000z', 'day:2024-03-01']
  ])
})

test('readParquet(...) makes batches, tells how far it is, and notices that the file changed', async () => {
  const data = Array.from({length: 10_000}, (_, at) => `note ${at}`)
  const path = folder.file('progress.parquet', parquetOf({text: {kind: 'text', data}}, {rowGroupSize: 6000}))
  const source = openDocuments([path], fields)
  const seen: number[] = []
  const sizes: number[] = []
  for await (const batch of source.batches()) {
    seen.push(source.bytesRead())
    sizes.push(batch.length)
  }
  expect(sizes).toEqual([4096, 1904, 4000])
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  expect([seen[0] > 0, source.bytesRead()]).toEqual([true, source.byteCount])
  appendFileSync(path, 'x')
  const again = async () => {
    for await (const _ of source.batches());
  }
  expect(await errorOf(again)).toMatch(/^\/progress\.parquet: the file changed while it was in use/)
})

const notes = readFileSync(documentFixture('notes.parquet'))

test('readDocuments(...) of Parquet fails where any slice of the file does', async () => {
  const bytes = new Uint8Array(readFileSync(documentFixture('types.parquet')))
  let slices = 0
  const failingFrom = (first: number) => {
    slices = 0
    return {
      name: 'types.parquet',
      size: bytes.length,
      slice(from: number, to: number) {
        slices++
        const isLost = slices >= first
        const work = async () => {
          // Later pieces fail later, when the first failure has been reported.
          await new Promise(resolve => setTimeout(resolve, 2 * slices))
          if (isLost) throw new Error('the disk is gone')
          return bytes.slice(from, to).buffer
        }
        return {arrayBuffer: work}
      }
    }
  }
  const options = {text: ['text'], category: ['sex', 'seen'], list: ['dispensed']}
  const read = async (first: number) => {
    for await (const _ of readDocuments([failingFrom(first)], options));
  }
  await read(Number.POSITIVE_INFINITY)
  const all = slices
  expect(all).toBeGreaterThan(3)
  for (let first = 1; first <= all; first++)
    expect(await errorOf(() => read(first))).toMatch(/^types\.parquet: cannot be read: the disk is gone/)
  // A rejection that nobody handles would show by now.
  await new Promise(resolve => setTimeout(resolve, 100))
})

test.each<[string, string | Uint8Array, RegExp]>([
  ['JSON', '{"text": "x"}\n', /not a Parquet file .*`format`/],
  ['nothing', '', /not a Parquet file/],
  ['a beginning alone', 'PAR1', /its directory cannot be decoded/],
  ['a file without a directory', 'PAR1PAR1', /its directory cannot be decoded \(/],
  ['a file that is cut short', notes.subarray(0, 900), /its directory cannot be decoded .* copy it again/],
  ['gzip of all', gzipSync(notes), /not a Parquet file .* decompress it/],
  ['an encrypted file', 'PARE....PARE', /not a Parquet file .* encrypted/]
])('readParquet(...) refuses %s', async (_, bytes, message) => {
  const error = await errorOf(() => readAll(folder.file('a.parquet', bytes)))
  expect(error).toMatch(/^\/a\.parquet: /)
  expect(error).toMatch(message)
})

test('readParquet(...) comes to an end and names the file when it fails, whichever bit of it is damaged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(notes.length - 1), fc.constantFrom(1, 2, 4, 8, 16, 32, 64, 128), async (at, flip) => {
      const bytes = Buffer.from(notes)
      bytes[at] ^= flip
      const result = await readAll(folder.file('damaged.parquet', bytes)).catch(error => error)
      if (Array.isArray(result)) return
      expect(result).toBeInstanceOf(AdfaError)
      expect(result.message).toContain('damaged.parquet')
    }),
    {numRuns: 150}
  )
})

const sixth = <T>(usual: T, last: T): T[] => [usual, usual, usual, usual, usual, last]
const whole: TestColumn = {kind: 'whole', data: sixth<bigint | null>(null, 7n)}
const texts: TestColumn = {kind: 'text', data: sixth('a', 'b')}
const features: TestColumn = {kind: 'list', data: sixth<(string | null)[]>(['a'], ['b', null])}
const labels: TestColumn = {kind: 'text', data: sixth<string | null>(null, '{"a": 1')}
const latin: TestColumn = {kind: 'bytes', data: sixth<Uint8Array>(Buffer.from('a'), Buffer.from('caf\u00e9', 'latin1'))}

test.each<[string, Record<string, TestColumn>, RegExp]>([
  ['a number as text', {text: whole}, /^\/x\.parquet, row 6: field "text" is not a string.*got 7/],
  ['a number as tags', {text: texts, tags: whole}, /^\/x\.parquet, row 6: field "tags" is not a list/],
  ['null in a list', {features}, /^\/x\.parquet, row 6: .*"features" has an entry .* string/],
  ['broken JSON', {text: texts, labels}, /^\/x\.parquet, row 6: .*"labels" is not valid JSON/],
  [
    'Latin-1',
    {text: latin},
    /^\/x\.parquet: column "text" of the rows 5 to 6 cannot be decoded \(.*utf-8.*\); the file/
  ],
  ['no column to use', {id: texts, truth: whole}, /^\/x\.parquet: none of the columns .*the columns are id, truth; /]
])('readParquet(...) refuses %s with its place', async (_, columns, message) => {
  expect(await errorOf(() => rowsOf(columns, {rowGroupSize: 2}))).toMatch(message)
})

test('readParquet(...) refuses a compression it does not know', async () => {
  const message = /column "text" .* cannot be decoded \(.*LZO.*\); .*a part of Parquet that is not supported/
  expect(await errorOf(() => rowsOf({text: texts}, {codec: 'LZO'}))).toMatch(message)
})
