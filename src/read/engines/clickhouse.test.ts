import {existsSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {type Counts, countsToBytes} from '../counts/index.ts'
import {anchorsOf} from '../data/test-rows.ts'
import {failureOf} from '../files/test-folder.ts'
import {type ClickHouseOptions, openClickHouse} from './clickhouse-engine.ts'
import {type CountingOptions, countDocuments, countWith} from './count-with.ts'
import type {EngineControl} from './counting-engine.ts'
import {describeEngine} from './engine.contract.ts'
import {startCluster, type TestCluster, tableRows, whyNoClickHouse} from './test-clickhouse.ts'
import {drawSqlCorpora, type TestRow} from './test-corpora.ts'
import {drawQuestions, sourceOf} from './test-source.ts'

const reason = whyNoClickHouse()
const columns = '(features Array(String))'
const textColumns = '(title Nullable(String), text String)'

/** Questions whose words are ready-made. */
const documents: readonly TestRow[] = drawQuestions(400, rng(3)).map(({title, text}, at) => ({
  features: [...`${title} ${text}`.split(' '), `it's ${at % 3}`]
}))
const anchors = anchorsOf({
  python: 'python',
  git: ['git', 'branch'],
  regex: {any: ['match', 'escape'], not: ["it's 1"]}
})
const given = {kind: 'given', anchors} as const

describe.skipIf(reason !== undefined)(`ClickHouse${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  let cluster: TestCluster

  beforeAll(async () => {
    cluster = await startCluster()
    await cluster.onBoth('CREATE DATABASE test')
    await cluster.onBoth(`CREATE TABLE test.documents ${columns} ENGINE = MergeTree ORDER BY tuple()`)
    await cluster.onBoth(`CREATE TABLE test.all ${columns} ENGINE = Distributed(both, test, documents, rand())`)
    await cluster.onBoth('CREATE VIEW test.slow AS SELECT * FROM test.documents WHERE sleepEachRow(0.03) = 0')
    await cluster.onBoth(`CREATE TABLE test.all_slow ${columns} ENGINE = Distributed(both, test, slow, rand())`)
    for (const [name, kind] of Object.entries({words: columns, text: textColumns})) {
      await cluster.onBoth(`CREATE TABLE test.${name} ${kind} ENGINE = Memory`)
      await cluster.onBoth(`CREATE TABLE test.all_${name} ${kind} ENGINE = Distributed(both, test, ${name}, rand())`)
    }
    // One block a row would go to one server alone.
    for (let from = 0; from < documents.length; from += 100)
      await first().run(`INSERT INTO test.all VALUES ${tableRows(documents.slice(from, from + 100))}`)
    for (const shard of cluster.shards)
      expect(Number(await shard.run('SELECT count() FROM test.documents'))).toBeGreaterThan(100)
  }, 60_000)

  afterAll(async () => {
    const pids = cluster.shards.map(({pid}) => pid)
    await cluster.close()
    for (const pid of pids) expect(existsSync(`/proc/${pid}/exe`)).toBe(false)
  })

  const first = () => cluster.shards[0]
  const second = () => cluster.shards[1]

  const count = async (
    table: string,
    options: Partial<ClickHouseOptions> = {},
    [source, counting, control]: [Parameters<typeof countWith>[1], Partial<CountingOptions>?, EngineControl?] = [given]
  ): Promise<Counts> => {
    const engine = await openClickHouse(table, options)
    try {
      return await countWith(engine, source, counting, control)
    } finally {
      await engine.close()
    }
  }
  const bytesOf = async (...args: Parameters<typeof count>) => textOf(await count(...args))
  const expected = async (source: Parameters<typeof countWith>[1] = given, options?: Partial<CountingOptions>) =>
    textOf(await countDocuments(sourceOf(documents), source, options))
  const running = async () => {
    const query = "SELECT count() FROM system.processes WHERE query LIKE '%adfa\\\\_%' AND query NOT LIKE '%system%'"
    return (await Promise.all(cluster.shards.map(shard => shard.run(query)))).map(Number)
  }

  test('openClickHouse(...) with a lexicon counts by its words alone, in as many queries as they fit in', async () => {
    const long = (at: number) => `${'w'.repeat(60)}${at}`
    const many = Array.from({length: 300}, (_, at) => ({
      features: [...Array.from({length: 20}, (_, k) => long((at * 20 + k) % 4000)), at % 2 === 0 ? 'a' : 'b']
    }))
    await first().run(`CREATE TABLE test.many ${columns} ENGINE = Memory`)
    await first().run(`INSERT INTO test.many VALUES ${tableRows(many)}`)
    const source = {kind: 'given', anchors: anchorsOf({a: 'a', b: 'b'})} as const
    const options = {vocabulary: 5000}
    const counts = await countDocuments(sourceOf(many), source, options)
    expect(counts.lexicon.words).toHaveLength(4000)
    for (const user of ['fixed', 'reader']) {
      const credentials = {user, password: user}
      const found = await count(first().address('many'), {credentials}, [{kind: 'lexicon', lexicon: counts.lexicon}])
      expect(textOf(found)).toEqual(textOf(counts))
    }
  })

  test('openClickHouse(...) is content with users who may only read, but for limits that they may not set', async () => {
    const [reader, fixed] = ['reader', 'fixed'].map(user => ({credentials: {user, password: user}}))
    const table = first().address('all')
    expect(await bytesOf(table, {timeLimit: 100, memory: 1e9, ...reader})).toEqual(await expected())
    expect(await bytesOf(table, fixed)).toEqual(await expected())
    for (const limit of [{timeLimit: 100}, {memory: 1e9}])
      expect((await failureOf(() => count(table, {...limit, ...fixed}))).message).toMatch(
        /may not change a setting.*leave `timeLimit` and `memory` out.*max_/
      )
  })

  test('openClickHouse(...) never lets a server leave out groups or shards silently', async () => {
    const sloppy = {user: 'sloppy', password: 'sloppy'}
    const failure = await failureOf(() => count(first().address('all'), {credentials: sloppy}))
    expect(failure.message).toMatch(/the server says: Code: 158/)
    const fixed = {user: 'fixedsloppy', password: 'fixedsloppy'}
    const refused = await failureOf(() => count(first().address('all'), {credentials: fixed}))
    expect(refused.message).toMatch(/complete.*administrator.*skip_unavailable_shards/)
  })

  describe('openClickHouse(...) refuses', () => {
    const guess = {user: 'reader', password: 'guess'}
    const slow = {user: 'slow', password: 'slow'}
    const refusals: readonly [what: string, table: string, options: Partial<ClickHouseOptions>, message: RegExp][] = [
      ['a wrong password', 'all', {credentials: guess}, /does not know this user and password/],
      ['a table that is not there', 'ghost', {}, /no such table/],
      ['too little memory', 'all', {memory: 60_000}, /more memory than allowed; raise `memory`/],
      ['too little time', 'all_slow', {timeLimit: 1, credentials: slow}, /longer than allowed; raise `timeLimit`/]
    ]

    test.each(refusals)('openClickHouse(...) refuses %s in plain words', async (_, table, options, message) => {
      const failure = await failureOf(() => count(first().address(table), options))
      expect(failure.message).toMatch(message)
      expect(failure.message).not.toContain('guess')
    })

    test('openClickHouse(...) refuses a common word that is not text', async () => {
      await first().run(`CREATE TABLE test.bytes ${columns} ENGINE = Memory`)
      await first().run("INSERT INTO test.bytes VALUES (['a', 'c']), (['a', unhex('FF41')])")
      const source = {kind: 'given', anchors: anchorsOf({a: 'a'})} as const
      const failure = await failureOf(() => count(first().address('bytes'), {}, [source]))
      expect([failure.code, failure.message]).toEqual(['bad-document', expect.stringMatching(/not text in UTF-8/)])
    })
  })

  describe('openClickHouse(...) when something stops', () => {
    const slow = {credentials: {user: 'slow', password: 'slow'}}

    /** Begin to count and go on as soon as the query runs on the second server. */
    const whileCounting = async (then: () => Promise<void> | void, signal?: AbortSignal) => {
      const {lexicon} = await countDocuments(sourceOf(documents), given)
      const source = {kind: 'lexicon', lexicon} as const
      const counting = failureOf(() => count(first().address('all_slow'), slow, [source, {}, signal ? {signal} : {}]))
      while ((await running())[1] === 0) await new Promise(resolve => setTimeout(resolve, 10))
      await then()
      return counting
    }

    test('openClickHouse(...) is cancelled at once, and the query is gone from both servers', async () => {
      const controller = new AbortController()
      let since = 0
      const failure = await whileCounting(() => {
        since = performance.now()
        controller.abort()
      }, controller.signal)
      expect(failure.code).toBe('cancelled')
      expect((await running())[0]).toBe(0)
      // The other server hears of it from the first, and ends with the block it is at.
      while ((await running())[1] > 0) expect(performance.now() - since).toBeLessThan(3000)
      // Left alone, it would take six seconds.
      expect(performance.now() - since).toBeLessThan(3000)
    })

    test('openClickHouse(...) gives an error and no counts when a shard dies in the middle; a rerun completes', async () => {
      const failure = await whileCounting(() => second().kill())
      expect(failure.message).toMatch(/holds a part of this table is down or went away; nothing was counted/)
      const down = await failureOf(() => count(first().address('all')))
      expect(down.message).toMatch(/holds a part of this table is down or went away/)
      await second().start()
      expect(await bytesOf(first().address('all'))).toEqual(await expected())
    })
  })

  for (const [name, count] of [
    ['words', 200],
    ['text', 40]
  ] as const)
    describeEngine({
      name: `clickhouse, ${name}`,
      corpora: drawSqlCorpora(count, {text: name === 'text', seed: 2}),
      async open({rows}, at) {
        const half = Math.floor(rows.length / 2)
        const load = async (shard: number, some: readonly TestRow[]) => {
          await cluster.shards[shard].run(`TRUNCATE TABLE test.${name}`)
          const values = tableRows(some, name === 'text')
          if (some.length > 0) await cluster.shards[shard].run(`INSERT INTO test.${name} VALUES ${values}`)
        }
        await Promise.all([load(0, rows.slice(0, half)), load(1, rows.slice(half))])
        return openClickHouse(cluster.shards[at % 2].address(`all_${name}`))
      }
    })
})

/** The bytes of counts as a text, which is quickly compared. */
function textOf(counts: Counts): string {
  return Buffer.from(countsToBytes(counts)).toString('base64')
}
