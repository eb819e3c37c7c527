import {mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, describe, expect, test, vi} from 'vitest'
import {randomIndex, rng} from '../../base/numeric/index.ts'
import {countsToBytes} from '../counts/index.ts'
import type {RowFields} from '../data/index.ts'
import {anchorsOf} from '../data/test-rows.ts'
import {openDocuments} from '../files/index.ts'
import {failureOf, testFolder} from '../files/test-folder.ts'
import {parquetOf} from '../reading/test-parquet.ts'
import {type CountingOptions, countDocuments, countWith} from './count-with.ts'
import type {EngineControl} from './counting-engine.ts'
import {type DuckDbOptions, openDuckDb} from './duckdb-engine.ts'
import type {TestRow} from './test-corpora.ts'
import {jsonLines, parquetRows} from './test-corpus-files.ts'

const folder = testFolder()
const fields: RowFields = {text: ['title', 'text']}
const anchors = {kind: 'given', anchors: anchorsOf({a: 'anchor', b: ['second', 'third']})} as const

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('openDuckDb(...)', () => {
  test('counts ready-made words of Parquet in SQL, and everything else one document at a time', async () => {
    const rows = drawRows(50)
    const own = {...fields, idField: 'nr', tagsField: 'codes'}
    const cells = rows.map(({features}, at) => `${at},${features.join('|')}\n`).join('')
    const notes: string[] = []
    const options = {onNote: (note: string) => notes.push(note)}
    const counted = async (name: string, content: string | Buffer, reading = fields) => {
      notes.length = 0
      const values = reading.category === undefined ? {} : {categories: reading.category, vocabulary: 3}
      await expectSame(folder.file(name, content), values, {}, reading, options)
      return notes.length === 0 ? 'in SQL' : 'one by one'
    }
    expect(await counted('sql.parquet', parquetRows(rows))).toBe('in SQL')
    const twice = rows.map(row => ({...row, features: [...row.features, ...row.features]}))
    expect(await counted('twice.parquet', parquetRows(twice))).toBe('in SQL')
    const columns = (spelled: string) =>
      parquetOf({
        features: {kind: 'list', data: lists(50)},
        [spelled]: {kind: 'text', data: rows.map(({id}) => `${id}`)}
      })
    expect(await counted('keys.parquet', columns('nr'), own)).toBe('in SQL')
    expect(await counted('cased.parquet', columns('NR'), own)).toBe('one by one')
    const valued = rows.map((row, at) => ({features: [...row.features, `sex:${at % 2 ? 'm' : 'f'}`]}))
    const byValues = {...fields, category: ['sex']}
    expect(await counted('values.parquet', parquetRows(valued), byValues)).toBe('one by one')
    expect(await counted('lines.jsonl', jsonLines(rows))).toBe('one by one')
    expect(await counted('cells.csv', `id,features\n${cells}`)).toBe('one by one')
  })

  test('reads all files of a pattern, and names a pattern without any', async () => {
    const rows = drawRows(90)
    const paths = [0, 1, 2].map(at => folder.file(`part-${at}.parquet`, parquetRows(rows.slice(30 * at, 30 * at + 30))))
    const pattern = join(folder.path, 'part-?.parquet')
    const counts = await countFiles([pattern])
    expect(countsToBytes(counts)).toEqual(countsToBytes(await countPlainly(paths)))
    expect(counts.documentCount).toBe(90)
    // A file may have such a name itself.
    await expectSame(folder.file('part-[1].parquet', parquetRows(drawRows(30))))
    expect(await failureOf(() => countFiles([join(folder.path, 'none-*.parquet')]))).toMatchObject({
      code: 'bad-file',
      message: expect.stringMatching(/none-\*\.parquet: no file matches this pattern/)
    })
  })

  test.each([
    ['short.parquet', parquetRows(drawRows(30)).subarray(0, 300)],
    ['broken.parquet', parquetOf({features: {kind: 'list', data: lists(300)}}).fill(0xee, 40, 400)],
    ['nulls.parquet', parquetOf({features: {kind: 'list', data: [['anchor'], ['a', null]]}})],
    ['bytes.parquet', parquetOf({features: {kind: 'bytes', data: [Buffer.from([0xff, 0xfe])]}})],
    ['whole.parquet', parquetOf({features: {kind: 'whole', data: [1n]}})],
    ['hollow.parquet', parquetOf({features: {kind: 'list', data: []}})],
    ['none.parquet', parquetOf({other: {kind: 'text', data: ['anchor']}})]
  ])('refuses %s with the words of its reader', async (name, content) => {
    const path = folder.file(name, content)
    const found = await failureOf(() => countFiles([path]))
    const {code, message} = await failureOf(() => countPlainly([path]))
    expect({code: found.code, message: found.message}).toEqual({code, message})
  })

  test('counts labels of a share, and labels given by id, as the memory engine does', async () => {
    const path = folder.file('labels.parquet', parquetRows(drawRows(80)))
    await expectSame(path, {labelShare: 0.5, seed: 3})
    await expectSame(path, {labelShare: 1})
    await expectSame(path, {labelShare: 1}, {labels: new Map([['7', new Map([['a', true]])]])})
  })

  test('counts with one filter after another, and by a lexicon that names what an expression takes', async () => {
    const path = folder.file('again.parquet', parquetRows(drawRows(90)))
    const plain = () => openDocuments([path], fields)
    const engine = await openDuckDb([path], {fields})
    try {
      for (const options of [{}, {minTags: 2, ofTop: 2}, {minTags: 1, ofTop: 1}, {}])
        expect(countsToBytes(await countWith(engine, anchors, options))).toEqual(
          countsToBytes(await countDocuments(plain(), anchors, options))
        )
      const {lexicon} = await countDocuments(plain(), anchors)
      const taking = {...lexicon, anchors: anchorsOf({a: '/^w1/', b: 'second'})}
      const like = {kind: 'lexicon', lexicon: taking} as const
      expect(taking.words).toContain('w1')
      expect(countsToBytes(await countWith(engine, like))).toEqual(countsToBytes(await countDocuments(plain(), like)))
    } finally {
      await engine.close()
    }
  })

  test('tells the fields that no document has, whatever the filter', async () => {
    const rows = [
      {features: ['anchor', 'x'], tags: ['t']},
      {features: ['second', 'x'], tags: ['t', 'u']},
      {features: ['title:x']}
    ]
    const path = folder.file('unseen.parquet', parquetRows(rows))
    for (const options of [{}, {minTags: 1}]) {
      const unseen: string[] = []
      await countFiles([path], {options, control: {onUnseenFields: names => unseen.push(...names)}})
      expect(unseen).toEqual(['text'])
    }
  })
})

describe('openDuckDb(...) within limits', () => {
  const large = Array.from({length: 60_000}, (_, at) => ({
    features: [`${at}`.repeat(8), `w${at % 90}`, at % 3 === 0 ? 'anchor' : 'second']
  }))
  const path = folder.file('large.parquet', parquetRows(large))

  test('puts aside what does not fit into memory, with the same counts, and leaves nothing behind', async () => {
    const own = ownFolder('spill')
    await expectSame(path, {}, {}, fields, {memory: '20MB', threads: 1})
    expect(readdirSync(own)).toEqual([])
  })

  test('says which limit was met, and leaves nothing behind', async () => {
    const own = ownFolder('limits')
    expect(await failureOf(() => countFiles([path], {settings: {memory: '8MB', threads: 1}}))).toMatchObject({
      code: 'bad-option',
      message: expect.stringMatching(/DuckDB needs more memory than it may use, 8MB; give more `memory`/)
    })
    // A little more memory suffices in the test above, with disk to put things aside.
    const disk = {memory: '12MB', threads: 1, disk: '100KB'}
    expect(await failureOf(() => countFiles([path], {settings: disk}))).toMatchObject({
      code: 'cannot-write',
      message: expect.stringMatching(/ran out of disk space .*TMPDIR/)
    })
    expect(readdirSync(own)).toEqual([])
  })

  test('stops when it is told to, and leaves nothing behind', async () => {
    const own = ownFolder('stop')
    const controller = new AbortController()
    const engine = await openDuckDb([path], {fields})
    expect(readdirSync(own)).toHaveLength(1)
    setTimeout(() => controller.abort(), 20)
    const failure = await failureOf(() => countWith(engine, anchors, {}, {signal: controller.signal}))
    expect(failure.code).toBe('cancelled')
    await engine.close()
    expect(readdirSync(own)).toEqual([])
  })

  test('tells how far it is, never going back, to the number of documents', async () => {
    const told = new Map<string, number[]>()
    await countFiles([path], {
      options: {maxShare: 1},
      control: {onProgress: (stage, count) => told.set(stage, [...(told.get(stage) ?? []), count])}
    })
    expect([...told.keys()]).toEqual(['vocabulary', 'counting'])
    for (const counts of told.values()) {
      expect(counts).toEqual([...counts].sort((a, b) => a - b))
      expect(counts.at(-1)).toBe(large.length)
    }
  })

  test('refuses files that change between two passes', async () => {
    const path = folder.file('changing.parquet', parquetRows(drawRows(20)))
    const engine = await openDuckDb([path], {fields})
    await countWith(engine, anchors)
    writeFileSync(path, parquetRows(drawRows(21)))
    const failure = await failureOf(() => countWith(engine, anchors))
    expect(failure.message).toMatch(/changing\.parquet: the file changed while it was in use/)
    await engine.close()
  })

  test.each([
    [{memory: 'much'}, /`memory` must be a size such as 2GB or 500MB; got "much"/],
    [{disk: '5'}, /`disk` must be a size such as 2GB or 500MB; got "5"/],
    [{threads: 0}, /`threads` must be a whole number, at least 1; got 0/]
  ])('refuses %j', async (settings, message) => {
    expect((await failureOf(() => openDuckDb(['x.parquet'], {fields, ...settings}))).message).toMatch(message)
  })

  test('names the package that is missing, and how to install it', async () => {
    vi.resetModules()
    vi.doMock('@duckdb/node-api', () => {
      throw new Error('Cannot find package')
    })
    const {openDuckDb: openWithout} = await import('./duckdb-engine.ts')
    await expect(openWithout(['x.parquet'], {fields})).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringMatching(/npm install @duckdb\/node-api/)
    })
    vi.doUnmock('@duckdb/node-api')
  })
})

interface CountCase {
  readonly options?: Partial<CountingOptions>
  readonly control?: EngineControl
  readonly settings?: Partial<DuckDbOptions>
}

async function countFiles(paths: readonly string[], {options, control, settings}: CountCase = {}) {
  const engine = await openDuckDb(paths, {fields, ...settings})
  try {
    return await countWith(engine, anchors, options, control)
  } finally {
    await engine.close()
  }
}

function countPlainly(paths: readonly string[]) {
  return countDocuments(openDocuments(paths, fields), anchors)
}

async function expectSame(
  path: string,
  options: Partial<CountingOptions> = {},
  control: EngineControl = {},
  read: RowFields = fields,
  settings: Partial<DuckDbOptions> = {}
): Promise<void> {
  const engine = await openDuckDb([path], {fields: read, ...settings})
  try {
    const found = await countWith(engine, anchors, options, control)
    const expected = await countDocuments(openDocuments([path], read), anchors, options, control)
    expect(Buffer.compare(countsToBytes(found), countsToBytes(expected))).toBe(0)
  } finally {
    await engine.close()
  }
}

/** A folder for temporary files that this test alone uses. */
function ownFolder(name: string): string {
  const path = join(folder.path, name)
  mkdirSync(path)
  vi.stubEnv('TMPDIR', path)
  return path
}

function lists(count: number): readonly (readonly string[])[] {
  return drawRows(count).map(({features}) => features)
}

function drawRows(count: number): TestRow[] {
  const random = rng(count)
  const names = ['anchor', 'second', 'third', 'w1', 'w2', 'w3', 'w4', "it's", '', 'w5', 'w6']
  return Array.from({length: count}, (_, at) => ({
    id: String(at),
    features: Array.from({length: randomIndex(random, 6)}, () => names[randomIndex(random, names.length)]),
    ...(at % 4 === 0 ? {} : {tags: at % 3 === 0 ? ['a'] : ['b', 'b', 'c']})
  }))
}
