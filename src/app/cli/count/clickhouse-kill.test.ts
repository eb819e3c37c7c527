import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {startCluster, type TestCluster, tableRows, whyNoClickHouse} from '../../../read/engines/test-clickhouse.ts'
import {adfa, adfaDone, testFolder} from '../test-run.ts'

const reason = whyNoClickHouse()
const folder = testFolder()
const documents = Array.from({length: 120}, (_, at) => ({
  id: `${at}`,
  features: ['fever', 'cough', 'fall', "o'brien", 'rash'].filter((_, bit) => ((at * 11) >> bit) % 2 === 1)
}))
const anchors = folder.write('anchors.json', JSON.stringify({flu: ['fever'], injury: ['fall', "o'brien"]}))
const MOMENTS = 10

describe.skipIf(reason !== undefined)(
  `adfa count on ClickHouse while a shard is killed${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let cluster: TestCluster
    const random = rng(11).stream('kill')

    beforeAll(async () => {
      cluster = await startCluster()
      const columns = '(features Array(String))'
      await cluster.onBoth('CREATE DATABASE test')
      await cluster.onBoth(`CREATE TABLE test.notes ${columns} ENGINE = MergeTree ORDER BY tuple()`)
      // Slow enough to be killed in the middle of a query.
      await cluster.onBoth('CREATE VIEW test.slow AS SELECT * FROM test.notes WHERE sleepEachRow(0.004) = 0')
      await cluster.onBoth(`CREATE TABLE test.all ${columns} ENGINE = Distributed(both, test, slow, rand())`)
      await Promise.all(
        cluster.shards.map((shard, at) =>
          shard.run(`INSERT INTO test.notes VALUES ${tableRows(documents.slice(at * 60, at * 60 + 60))}`)
        )
      )
      await adfaDone('count', folder.write('notes.jsonl', documents), ...options, '-o', folder.at('file.counts'))
    }, 60_000)

    afterAll(() => cluster.close())

    const options = ['--anchors', anchors, '--max-share', '1']
    const count = (table: string, name: string) =>
      adfa('count', table, '--engine', 'clickhouse', ...options, '-o', folder.at(name))
    const isRight = (name: string) => folder.bytes(name).equals(folder.bytes('file.counts'))

    test('adfa count gives all documents or an error and no file, at ten moments, and all after a restart', async () => {
      const ways = cluster.shards.map(shard => shard.address('all'))
      const times: number[] = []
      for (const table of ways) {
        const started = performance.now()
        expect((await count(table, 'calm.counts')).code).toBe(0)
        times.push(performance.now() - started)
        expect(isRight('calm.counts')).toBe(true)
      }
      let refusals = 0
      for (let moment = 0; moment < MOMENTS; moment++) {
        const [table, time] = [ways[moment % 2], times[moment % 2]]
        // One moment in each tenth of the time that a count takes.
        const wait = ((moment + random.next()) / MOMENTS) * time
        const victim = cluster.shards[random.next() < 0.5 ? 0 : 1]
        const counting = count(table, `killed-${moment}.counts`)
        await new Promise(resolve => setTimeout(resolve, wait))
        await victim.kill()
        const {code, stderr} = await counting
        if (code === 0) expect(isRight(`killed-${moment}.counts`)).toBe(true)
        else {
          refusals++
          expect(stderr).toMatch(/went away; nothing was counted/)
          expect(folder.names().filter(name => name.includes(`killed-${moment}`))).toEqual([])
        }
        await victim.start()
        expect((await count(table, 'again.counts')).code).toBe(0)
        expect(isRight('again.counts')).toBe(true)
      }
      expect(refusals).toBeGreaterThan(0)
    }, 300_000)
  }
)
