import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest'
import {startCluster, type TestCluster, tableRows, whyNoClickHouse} from '../../../read/engines/test-clickhouse.ts'
import {adfa, adfaDone, testFolder} from '../test-run.ts'

const reason = whyNoClickHouse()
const folder = testFolder()
const documents = Array.from({length: 60}, (_, at) => ({
  id: `${at}`,
  features: ['fever', 'cough', 'fall', "o'brien"].filter((_, bit) => (at >> bit) % 2 === 1)
}))
const anchors = folder.write(
  'anchors.json',
  JSON.stringify({flu: ['fever'], injury: {any: ['fall'], not: ["o'brien"]}})
)
const file = folder.write('documents.jsonl', documents)

describe.skipIf(reason !== undefined)(
  `adfa count on ClickHouse${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let cluster: TestCluster

    beforeAll(async () => {
      cluster = await startCluster()
      const columns = '(features Array(String))'
      await cluster.onBoth('CREATE DATABASE test')
      await cluster.onBoth(`CREATE TABLE test.notes ${columns} ENGINE = Memory`)
      await cluster.onBoth(`CREATE TABLE test.all ${columns} ENGINE = Distributed(both, test, notes, rand())`)
      await Promise.all(
        cluster.shards.map((shard, at) =>
          shard.run(`INSERT INTO test.notes VALUES ${tableRows(documents.slice(at * 30, at * 30 + 30))}`)
        )
      )
      vi.stubEnv('ADFA_CLICKHOUSE_USER', 'fixed')
      vi.stubEnv('ADFA_CLICKHOUSE_PASSWORD', 'fixed')
    }, 60_000)

    afterAll(async () => {
      vi.unstubAllEnvs()
      await cluster.close()
    })

    const options = ['--anchors', anchors, '--max-share', '1']
    const table = () => cluster.shards[0].address('all')

    test('adfa count --engine clickhouse writes the bytes that the same documents in a file give', async () => {
      await adfaDone('count', file, ...options, '-o', folder.at('file.counts'))
      const told = await adfa(
        'count',
        table(),
        '--engine',
        'clickhouse',
        '--memory',
        '1GB',
        ...options,
        '-o',
        folder.at('table.counts')
      )
      expect(told.code).toBe(0)
      expect(told.stdout).toMatch(/60 documents, 2 concepts/)
      expect(told.stderr).toMatch(/--memory is not in force/)
      expect(folder.bytes('table.counts').equals(folder.bytes('file.counts'))).toBe(true)
    })

    test('adfa count refuses a password in the address and does not repeat it', async () => {
      const told = await adfa(
        'count',
        table().replace('//', '//me:hunter2@'),
        '--engine',
        'clickhouse',
        ...options,
        '-o',
        folder.at('x.counts')
      )
      expect(told.code).not.toBe(0)
      expect(told.stderr).toMatch(/ADFA_CLICKHOUSE_PASSWORD/)
      expect(told.stdout + told.stderr).not.toContain('hunter2')
    })

    test('adfa count gives user and password to no server that a project names', async () => {
      const project = folder.write(
        'other.adfa.json',
        JSON.stringify({format: 'adfa-project', version: 1, documents: [table()], anchors})
      )
      const args = ['--engine', 'clickhouse', ...options, '-o', folder.at('project.counts'), '--project', project]
      const told = await adfa('count', ...args)
      expect([told.code, told.stderr]).toEqual([
        2,
        expect.stringMatching(/go only to a server named on the command line/)
      ])
      expect((await adfa('count', table(), ...args)).code).toBe(0)
    })

    test('adfa count leaves nothing behind when a server is gone', async () => {
      await cluster.shards[1].kill()
      const told = await adfa('count', table(), '--engine', 'clickhouse', ...options, '-o', folder.at('gone.counts'))
      expect(told.code).not.toBe(0)
      expect(told.stderr).toMatch(/went away; nothing was counted/)
      expect(folder.names().filter(name => name.includes('gone'))).toEqual([])
    })
  }
)
