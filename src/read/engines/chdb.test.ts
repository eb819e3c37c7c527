import {afterAll, beforeAll, describe} from 'vitest'
import {openClickHouse} from './clickhouse-engine.ts'
import {describeEngine} from './engine.contract.ts'
import {startChdb, type TestChdb, whyNoChdb} from './test-chdb.ts'
import {tableRows} from './test-clickhouse.ts'
import {drawCorpora} from './test-corpora.ts'

const reason = whyNoChdb()

describe.skipIf(reason !== undefined)(
  `a current ClickHouse${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let database: TestChdb

    beforeAll(async () => {
      database = await startChdb()
      await database.run(
        'CREATE TABLE corpus (features Array(String), tags Array(String), tagged UInt8) ENGINE = Memory'
      )
    }, 60_000)

    afterAll(() => database.close())

    describeEngine({
      name: 'clickhouse, chdb',
      corpora: drawCorpora(60, {text: false, seed: 2}),
      async open({rows}) {
        await database.run('TRUNCATE TABLE corpus')
        await database.run(`INSERT INTO corpus VALUES ${tableRows(rows)}`)
        return openClickHouse(database.address('corpus'), {
          columns: {tokens: 'features', tags: 'tags', tagged: 'tagged'}
        })
      }
    })
  }
)
