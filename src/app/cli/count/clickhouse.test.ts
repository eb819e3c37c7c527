import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest'
import {startCluster, type TestCluster, tableRows, whyNoClickHouse} from '../../../read/engines/test-clickhouse.ts'
import {adfa, adfaDone, refused, testFolder} from '../test-run.ts'

const reason = whyNoClickHouse()
const folder = testFolder()
const documents = Array.from({length: 60}, (_, at) => ({
  id: `${at}`,
  features: ['fever', 'cough', 'fall', "o'brien"].filter((_, bit) => (at >> bit) % 2 === 1)
}))
const concepts = {flu: ['fever'], injury: {any: ['fall'], not: ["o'brien"]}}
const anchors = folder.write('anchors.json', JSON.stringify(concepts))

describe.skipIf(reason !== undefined)(
  `adfa count on ClickHouse${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let cluster: TestCluster

    beforeAll(async () => {
      cluster = await startCluster()
      const columns = '(features Array(String))'
      await cluster.onBoth('CREATE DATABASE test')
      await cluster.onBoth(`CREATE TABLE test.notes ${columns} ENGINE = MergeTree ORDER BY tuple()`)
      await cluster.onBoth(`CREATE TABLE test.all ${columns} ENGINE = Distributed(both, test, notes, rand())`)
      await Promise.all(
        cluster.shards.map((shard, at) =>
          shard.run(`INSERT INTO test.notes VALUES ${tableRows(documents.slice(at * 30, at * 30 + 30))}`)
        )
      )
      await adfaDone`count ${folder.write('docs.jsonl', documents)} ${options} -o ${folder.at('file.counts')}`
      vi.stubEnv('ADFA_CLICKHOUSE_USER', 'fixed')
      vi.stubEnv('ADFA_CLICKHOUSE_PASSWORD', 'fixed')
    }, 60_000)

    afterAll(async () => {
      vi.unstubAllEnvs()
      await cluster.close()
    })

    const options = ['--anchors', anchors, '--max-share', '1']
    const table = (name: string) => cluster.shards[0].address(name)
    const count = (from: string, name: string) =>
      adfa`count ${from} --engine clickhouse ${options} -o ${folder.at(name)}`
    const isRight = (name: string) => folder.bytes(name).equals(folder.bytes('file.counts'))

    test('writes the bytes that the same documents in a file give', async () => {
      const told = await count(table('all'), 't.counts')
      expect(told).toMatchObject({code: 0, stdout: expect.stringMatching(/60 documents, 2 concepts/)})
      expect(isRight('t.counts')).toBe(true)
      const limited = [table('all'), '--engine', 'clickhouse', '--memory', '1GB', ...options]
      expect(await adfa`count ${limited} -o ${folder.at('m.counts')}`).toEqual(
        refused(1, /may not change a setting.*leave --time-limit and --memory out/)
      )
    })

    test('refuses a password in the address and does not repeat it', async () => {
      const told = await count(table('all').replace('//', '//me:hunter2@'), 'x.counts')
      expect(told).toEqual(refused(2, /ADFA_CLICKHOUSE_PASSWORD/))
      expect(told.stderr).not.toContain('hunter2')
    })

    test('gives user and password to no server that a project names', async () => {
      const project = {format: 'adfa-project', version: 1, documents: [table('all')], anchors}
      const named = ['--project', folder.write('other.adfa.json', JSON.stringify(project))]
      const args = ['--engine', 'clickhouse', ...options, '-o', folder.at('project.counts'), ...named]
      expect(await adfa`count ${args}`).toEqual(refused(2, /go only to a server named on the command line/))
      expect((await adfa`count ${table('all')} ${args}`).code).toBe(0)
    })
  }
)
