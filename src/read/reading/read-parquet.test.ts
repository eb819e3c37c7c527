import {appendFileSync, readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {afterEach, expect, test, vi} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {type DocumentSource, openDocuments} from '../files/index.ts'
import {documentFixture, failureOf, readAll, testFolder} from '../files/test-folder.ts'
import {parquetOf, type TestColumn, type TestParquetOptions} from './test-parquet.ts'

const folder = testFolder()
const fields = {text: ['title', 'text']}

afterEach(() => {
  vi.restoreAllMocks()
})

async function rowsOf(columns: Record<string, TestColumn>, options?: TestParquetOptions): Promise<Row[]> {
  return readAll(folder.file('x.parquet', parquetOf(columns, options)))
}

async function pass(source: DocumentSource, signal?: AbortSignal): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of source.batches(signal)) rows.push(...batch)
  return rows
}

async function errorOf(work: () => unknown): Promise<string> {
  return (await failureOf(work)).message.replace(folder.path, '')
}

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

test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI'] as const)(
  'readParquet(...) reads pages compressed with %s, in several row groups and pages',
  async codec => {
    const texts = Array.from({length: 3000}, (_, at) => (at % 7 === 0 ? null : `note ${at} of ${at % 13} words`))
    const tags = texts.map((_, at) =>
      at % 5 === 0 ? null : Array.from({length: at % 4}, (_, k) => `t${(at + k) % 9}`)
    )
    const ids = texts.map((_, at) => BigInt(at))
    const rows = await rowsOf(
      {
        id: {kind: 'whole', data: ids},
        text: {kind: 'text', data: texts},
        tags: {kind: 'list', data: tags},
        unused: {kind: 'text', data: texts}
      },
      {codec, rowGroupSize: 1700, pageSize: 4000}
    )
    expect(rows.map(row => row.id)).toEqual(ids.map(Number))
    expect(rows.map(row => row.text.get('text') ?? null)).toEqual(texts)
    expect(rows.map(row => row.tags ?? null)).toEqual(tags)
  }
)

const text = fc.option(fc.string({unit: 'grapheme', maxLength: 12}))
const document = fc.record({
  id: fc.option(fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n})),
  text,
  features: fc.option(fc.array(fc.string({unit: 'grapheme', maxLength: 5}), {maxLength: 4})),
  tags: fc.option(fc.array(fc.string({unit: 'grapheme', maxLength: 5}), {maxLength: 4})),
  labels: fc.option(fc.record({a: fc.option(fc.boolean()), b: fc.option(fc.boolean())}))
})

test('readParquet(...) gives back the rows that were written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, {minLength: 1, maxLength: 20}),
      fc.integer({min: 1, max: 8}),
      async (documents, rowGroupSize) => {
        const columns: Record<string, TestColumn> = {
          id: {kind: 'whole', data: documents.map(({id}) => id)},
          text: {kind: 'text', data: documents.map(row => row.text)},
          features: {kind: 'list', data: documents.map(({features}) => features)},
          tags: {kind: 'list', data: documents.map(({tags}) => tags)},
          labels: {kind: 'record', keys: ['a', 'b'], data: documents.map(({labels}) => labels)}
        }
        expect(await rowsOf(columns, {rowGroupSize})).toEqual(
          documents.map(({id, text, features, tags, labels}) => ({
            id: id === null ? undefined : Number.isSafeInteger(Number(id)) ? Number(id) : String(id),
            text: new Map(text === null ? [] : [['text', text]]),
            features: features ?? [],
            tags: tags ?? undefined,
            labels: labels === null ? undefined : new Map(Object.entries(labels).filter(([, truth]) => truth !== null))
          }))
        )
      }
    ),
    {numRuns: 30}
  )
})

test('readParquet(...) reads lists and labels written as text, as in a table', async () => {
  const path = folder.file(
    'cells.pq',
    parquetOf({
      features: {kind: 'text', data: ['a; b', '["c;d"]', '', null]},
      tags: {kind: 'text', data: ['x', null, '', '[]']},
      labels: {kind: 'text', data: ['{"y": true}', null, ' ', null]},
      id: {kind: 'text', data: ['n1', '', null, 'n4']}
    })
  )
  expect(
    (await readAll(path, {separator: ';'})).map(({id, features, tags, labels}) => [id, features, tags, labels])
  ).toEqual([
    ['n1', ['a', 'b'], ['x'], new Map([['y', true]])],
    [undefined, ['c;d'], undefined, undefined],
    [undefined, [], [], undefined],
    ['n4', [], [], undefined]
  ])
})

test('readParquet(...) parses JSON, cuts lists in text, and keeps text to the letter', async () => {
  const path = folder.file(
    'json.parquet',
    parquetOf({
      text: {kind: 'text', data: ['\ufeffa ', '']},
      title: {kind: 'json', data: [null, 'f']},
      tags: {kind: 'json', data: [['x', 'y'], null]},
      labels: {kind: 'json', data: [null, {z: false}]},
      meds: {kind: 'text', data: ['b|c', '["d|e"]']}
    })
  )
  const rows = await readAll(path, {text: ['title', 'text'], list: ['meds']})
  expect(rows.map(({text, features, tags, labels}) => [[...text.values()], features, tags, labels])).toEqual([
    [['\ufeffa '], ['meds:b', 'meds:c'], ['x', 'y'], undefined],
    [['f', ''], ['meds:d|e'], undefined, new Map([['z', false]])]
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
  expect(await errorOf(() => pass(source))).toMatch(/^\/progress\.parquet: the file changed while it was in use/)
})

test('readParquet(...) refuses what is not Parquet, is cut short, compressed as a whole or encrypted', async () => {
  const good = readFileSync(documentFixture('notes.parquet'))
  const cases: readonly [string | Uint8Array, RegExp][] = [
    ['{"text": "x"}\n', /not a Parquet file .*`format`/],
    ['', /not a Parquet file/],
    ['PAR1', /its directory cannot be decoded/],
    ['PAR1PAR1', /its directory cannot be decoded \(/],
    [good.subarray(0, 900), /its directory cannot be decoded .* copy it again/],
    [gzipSync(good), /compressed with gzip; .*decompress it first, with gunzip/],
    [Buffer.from('28b52ffd00', 'hex'), /compressed with zstd; .*with unzstd/],
    ['PARE....PARE', /not a Parquet file .* not encrypted/]
  ]
  for (const [bytes, message] of cases) {
    const error = await errorOf(() => readAll(folder.file('a.parquet', bytes)))
    expect(error).toMatch(/^\/a\.parquet: /)
    expect(error).toMatch(message)
  }
})

test('readParquet(...) comes to an end and names the file when it fails, whichever bit of it is damaged', async () => {
  const good = readFileSync(documentFixture('notes.parquet'))
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.constantFrom(1, 2, 4, 8, 16, 32, 64, 128), async (at, flip) => {
      const bytes = Buffer.from(good)
      bytes[at] ^= flip
      const result = await readAll(folder.file('damaged.parquet', bytes)).catch(error => error)
      if (Array.isArray(result)) return
      expect(result).toBeInstanceOf(AdfaError)
      expect(result.message).toContain('damaged.parquet')
    }),
    {numRuns: 150}
  )
})

test('readParquet(...) refuses a file without columns that can be used, and names those it has', async () => {
  const columns: Record<string, TestColumn> = {
    id: {kind: 'text', data: ['a']},
    truth: {kind: 'record', keys: ['x', 'y'], data: [{x: true}]}
  }
  expect(await errorOf(() => rowsOf(columns))).toMatch(
    /^\/x\.parquet: none of the columns .*the columns are id, truth; /
  )
})

test('readParquet(...) names column and row of a value of the wrong type', async () => {
  const filler = Array.from({length: 5}, () => 'a')
  const whole: TestColumn = {kind: 'whole', data: [null, null, null, null, null, 7n]}
  const text: TestColumn = {kind: 'text', data: [...filler, 'b']}
  const features: TestColumn = {kind: 'list', data: [...filler.map(word => [word]), ['b', null]]}
  const labels: TestColumn = {kind: 'text', data: [null, null, null, null, null, '{"a": 1']}
  const cases: readonly [Record<string, TestColumn>, RegExp][] = [
    [{text: whole}, /field "text" is not a string.*got 7/],
    [{text, tags: whole}, /field "tags" is not a list/],
    [{features}, /"features" has an entry .* string/],
    [{text, labels}, /"labels" is not valid JSON/]
  ]
  for (const [columns, message] of cases) {
    const error = await errorOf(() => rowsOf(columns, {rowGroupSize: 2}))
    expect(error).toMatch(/^\/x\.parquet, row 6: /)
    expect(error).toMatch(message)
  }
})

test('readParquet(...) refuses text that is not UTF-8, and a compression it does not know', async () => {
  const latin: TestColumn = {kind: 'bytes', data: [Buffer.from('caf\u00e9', 'latin1')]}
  expect(await errorOf(() => rowsOf({text: latin}))).toMatch(
    /^\/x\.parquet: column "text" of the rows 1 to 1 cannot be decoded \(.*utf-8.*\); the file is damaged, or/
  )
  const texts: TestColumn = {kind: 'text', data: ['a', 'b']}
  expect(await errorOf(() => rowsOf({text: texts}, {codec: 'LZO'}))).toMatch(
    /^\/x\.parquet: the column "text" is compressed with LZO, which cannot be read; known are UNCOMPRESSED, SNAPPY, .*ZSTD/
  )
})
