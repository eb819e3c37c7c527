import {mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, describe, expect, test, vi} from 'vitest'
import {randomIndex, rng} from '../../base/numeric/index.ts'
import {countsToBytes} from '../counts/index.ts'
import {anchorsOf} from '../data/test-rows.ts'
import {openDocuments} from '../files/index.ts'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {parquetOf, type TestColumn} from '../reading/test-parquet.ts'
import {type AnchorSource, type CountingOptions, countDocuments, countWith} from './count-with.ts'
import type {EngineControl} from './counting-engine.ts'
import {type DuckDbOptions, openDuckDb} from './duckdb-engine.ts'
import {describeEngine} from './engine.contract.ts'
import {drawSqlCorpora, type TestRow} from './test-corpora.ts'
import {parquetRows} from './test-corpus-files.ts'

const folder = testFolder()
const anchors: AnchorSource = {kind: 'given', anchors: anchorsOf({a: 'anchor', b: ['second', 'third']})}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describeEngine({
  name: 'duckdb, words',
  corpora: drawSqlCorpora(250, {text: false, seed: 2}),
  open: ({rows}) => openDuckDb([folder.file('words.parquet', parquetRows(rows))])
})

describeEngine({
  name: 'duckdb, text',
  corpora: drawSqlCorpora(50, {text: true, seed: 1}),
  open: ({rows}) => openDuckDb([folder.file('text.parquet', parquetRows(rows, true))])
})

describe('openDuckDb(...)', () => {
  test('counts text, phrases, categories, numbers and lists as the memory engine does', async () => {
    const count = 200
    const random = rng(5)
    const pick = <T>(list: readonly T[]): T => list[randomIndex(random, list.length)]
    const column = <T>(values: readonly T[]) => Array.from({length: count}, () => pick(values))
    const path = folder.file(
      'visits.parquet',
      parquetOf({
        note: {kind: 'text', data: column(['Chest-pain and FEVER', 'chest pain, no fever', null, 'C++ İstanbul', ''])},
        sex: {kind: 'text', data: column([' F', 'm', null])},
        ward: {kind: 'whole', data: column([3n, 12n, null])},
        age: {kind: 'whole', data: column([-5n, 0n, 39n, 40n, 81n, null])},
        drugs: {kind: 'list', data: column([['Aspirin', ' d1'], ['d2', 'd2', ''], [], null])}
      })
    )
    const list = anchorsOf({pain: {any: ['note:chest pain'], not: ['drugs:d1']}, drug: 'drugs:aspirin', old: 'age:40+'})
    for (const number of ['age:0,20,40', 'age:20']) {
      const reading = {text: ['note'], category: ['sex', 'ward'], number: [number], list: ['drugs']}
      await expectSame(path, {...reading, maxShare: 1, skipBadAnchors: true}, {kind: 'given', anchors: list})
    }
  })

  test('takes the commonest words, of ready-made ones and values together and where many are as common', async () => {
    const ties = Array.from({length: 1500}, (_, at) => ['common', 'usual', `tie${at}`, at % 2 ? 'anchor' : 'second'])
    const path = folder.file('long.parquet', parquetRows(ties.map(features => ({features}))))
    for (const vocabulary of [1, 900]) await expectSame(path, {vocabulary, maxShare: 0.3})
    // The commonest ward is rare in either column.
    const wards = ['W', 'W', 'a', 'a', 'b', 'c']
    const words = wards.map((_, at) => [...(at > 4 ? ['ward:w', 'ward:w2'] : []), at % 2 ? 'anchor' : 'second'])
    const mixed = parquetOf({features: {kind: 'list', data: words}, ward: {kind: 'text', data: wards}})
    await expectSame(folder.file('mixed.parquet', mixed), {text: [], category: ['ward'], vocabulary: 1, maxShare: 1})
  })

  test('reads all files of a pattern, and names a pattern without any', async () => {
    const rows = drawRows(90)
    const paths = [0, 1, 2].map(at => folder.file(`part-${at}.parquet`, parquetRows(rows.slice(30 * at, 30 * at + 30))))
    const counts = await countFiles([join(folder.path, 'part-?.parquet')])
    expect(countsToBytes(counts)).toEqual(
      countsToBytes(await countDocuments(openDocuments(paths, {text: []}), anchors))
    )
    expect(counts.documentCount).toBe(90)
    // A file may have such a name itself.
    await expectSame(folder.file('part-[1].parquet', parquetRows(drawRows(30))))
    expect(await failureOf(() => countFiles([join(folder.path, 'none-*.parquet')]))).toMatchObject({
      code: 'bad-file',
      message: expect.stringMatching(/No files found.*none-\*\.parquet/)
    })
  })

  const words: TestColumn = {kind: 'list', data: [['anchor'], ['second']]}
  const text: TestColumn = {kind: 'text', data: ['anchor', 'second']}
  test.each<[string, Buffer, string, RegExp]>([
    ['short.parquet', parquetRows(drawRows(30)).subarray(0, 300), 'bad-file', /DuckDB cannot count.*memory engine/],
    ['hollow.parquet', parquetOf({features: {kind: 'list', data: []}}), 'bad-document', /there are no documents/],
    ['none.parquet', parquetOf({other: text}), 'bad-option', /none of the columns.*"features".*the columns are other/],
    ['joined.parquet', parquetOf({features: text}), 'bad-option', /"features" is VARCHAR.*memory engine/],
    ['both.parquet', parquetOf({features: words, text}), 'bad-option', /\(features\) beside text.*memory engine/],
    [
      'unspaced.parquet',
      parquetOf({text: {kind: 'text', data: ['患者发烧', 'b']}}),
      'bad-option',
      /without blanks.*memory engine/
    ],
    ['cased.parquet', parquetOf({features: words, Title: text}), 'bad-option', /"title" is the column "Title" here/],
    ['lines.jsonl', Buffer.from('{"features": ["anchor"]}\n'), 'bad-option', /lines\.jsonl: .*Parquet.*memory engine/]
  ])('refuses %s', async (name, content, code, message) => {
    const failure = await failureOf(() => countFiles([folder.file(name, content)]))
    expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(message)])
  })

  test('takes a column that only some files have, and refuses one that is not there', async () => {
    const paths = [
      folder.file('one.parquet', parquetOf({features: words})),
      folder.file('two.parquet', parquetOf({ward: text, features: words}))
    ]
    const options = {text: [], category: ['ward'], maxShare: 1, skipBadAnchors: true}
    expect(countsToBytes(await countFiles(paths, {options}))).toEqual(
      countsToBytes(await countDocuments(openDocuments(paths, options), anchors, options))
    )
    const settings = {required: ['feature']}
    expect((await failureOf(() => countFiles([paths[0]], {settings}))).message).toMatch(/did you mean "features"/)
  })

  test.each<[string, Partial<CountingOptions>, AnchorSource, EngineControl]>([
    ['a filter by tags', {minTags: 1}, anchors, {}],
    ['anchors from tags', {}, {kind: 'tags', fields: ['title'], topTags: 2}, {}],
    ['tags as labels', {labelShare: 0.5}, anchors, {}],
    ['labels', {}, anchors, {labels: new Map()}],
    ['negation', {negation: true}, anchors, {}],
    ['votes', {votes: ['nurse']}, anchors, {}],
    ['regular expressions', {}, {kind: 'given', anchors: anchorsOf({a: '/^anch/'})}, {}]
  ])('refuses %s, and names the memory engine', async (_, options, source, control) => {
    const path = folder.file('plain.parquet', parquetRows(drawRows(20)))
    const failure = await failureOf(() => countFiles([path], {options, source, control}))
    expect([failure.code, failure.message]).toEqual(['bad-option', expect.stringMatching(/memory engine$/)])
  })

  test('counts by a lexicon, which no document of this file need fire, and tells the fields without a column', async () => {
    const rows = [{features: ['anchor', 'x']}, {features: ['second', 'x']}, {features: ['title:x']}]
    const path = folder.file('seen.parquet', parquetRows(rows))
    const {lexicon} = await countDocuments(openDocuments([path], {text: []}), anchors)
    const like = {kind: 'lexicon', lexicon} as const
    await expectSame(folder.file('like.parquet', parquetRows(drawRows(30))), {}, like)
    await expectSame(folder.file('silent.parquet', parquetRows([{features: ['x']}])), {}, like)
    const unseen: string[] = []
    const control = {onUnseenFields: (names: readonly string[]) => unseen.push(...names)}
    await countFiles([path], {options: {maxShare: 1}, control})
    expect(unseen).toEqual(['title', 'text'])
  })
})

describe('openDuckDb(...) within limits', () => {
  const large = Array.from({length: 60_000}, (_, at) => ({
    features: [`${at}`.repeat(8), `w${at % 90}`, at % 3 === 0 ? 'anchor' : 'second']
  }))
  const path = folder.file('large.parquet', parquetRows(large))

  test('puts aside what does not fit into memory, with the same counts, and leaves nothing behind', async () => {
    const own = ownFolder('spill')
    await expectSame(path, {}, anchors, {memory: '20MB', threads: 1})
    expect(readdirSync(own)).toEqual([])
  })

  test('says which limit was met, and leaves nothing behind', async () => {
    const own = ownFolder('limits')
    expect(await failureOf(() => countFiles([path], {settings: {memory: '8MB', threads: 1}}))).toMatchObject({
      code: 'bad-option',
      message: expect.stringMatching(/DuckDB needs more memory than it may use, 8MB; give more `memory`/)
    })
    expect(readdirSync(own)).toEqual([])
  })

  test('stops when it is told to, and leaves nothing behind', async () => {
    const own = ownFolder('stop')
    const controller = new AbortController()
    const engine = await openDuckDb([path])
    expect(readdirSync(own)).toHaveLength(1)
    setTimeout(() => controller.abort(), 20)
    const failure = await failureOf(() => countWith(engine, anchors, {}, {signal: controller.signal}))
    expect(failure.code).toBe('cancelled')
    await engine.close()
    expect(readdirSync(own)).toEqual([])
  })

  test.each([
    [{memory: 'much'}, /`memory` must be a size such as 2GB or 500MB; got "much"/],
    [{threads: 0}, /`threads` must be a whole number, at least 1; got 0/]
  ])('refuses %j', async (settings, message) => {
    expect((await failureOf(() => openDuckDb(['x.parquet'], settings))).message).toMatch(message)
  })

  test('names the package that is missing, and how to install it', async () => {
    vi.resetModules()
    vi.doMock('@duckdb/node-api', () => {
      throw new Error('Cannot find package')
    })
    const {openDuckDb: openWithout} = await import('./duckdb-engine.ts')
    await expect(openWithout(['x.parquet'])).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringMatching(/npm install @duckdb\/node-api/)
    })
    vi.doUnmock('@duckdb/node-api')
  })
})

interface CountCase {
  readonly options?: Partial<CountingOptions>
  readonly source?: AnchorSource
  readonly control?: EngineControl
  readonly settings?: DuckDbOptions
}

async function countFiles(paths: readonly string[], {options, source = anchors, control, settings}: CountCase = {}) {
  const engine = await openDuckDb(paths, settings)
  try {
    return await countWith(engine, source, options, control)
  } finally {
    await engine.close()
  }
}

async function expectSame(
  path: string,
  options: Partial<CountingOptions> = {},
  source = anchors,
  settings: DuckDbOptions = {}
): Promise<void> {
  const found = await countFiles([path], {options, source, settings})
  const expected = await countDocuments(openDocuments([path], {text: ['title', 'text'], ...options}), source, options)
  expect(Buffer.compare(countsToBytes(found), countsToBytes(expected))).toBe(0)
}

/** A folder for temporary files that this test alone uses. */
function ownFolder(name: string): string {
  const path = join(folder.path, name)
  mkdirSync(path)
  vi.stubEnv('TMPDIR', path)
  return path
}

function drawRows(count: number): TestRow[] {
  const random = rng(count)
  const names = ['anchor', 'second', 'third', "it's", '', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6']
  return Array.from({length: count}, (_, at) => ({id: `${at}`, features: names.filter(() => random.next() < 0.3)}))
}
