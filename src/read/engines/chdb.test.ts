import {afterAll, beforeAll, describe} from 'vitest'
import {openClickHouse} from './clickhouse-engine.ts'
import {describeEngine} from './engine.contract.ts'
import {startChdb, type TestChdb, whyNoChdb} from './test-chdb.ts'
import {tableRows} from './test-clickhouse.ts'
import {drawSqlCorpora} from './test-corpora.ts'

const reason = whyNoChdb()
const TABLES = [
  ['words', 60, '(features Array(LowCardinality(String)))'],
  ['text', 40, '(title LowCardinality(Nullable(String)), text String)']
] as const

describe.skipIf(reason !== undefined)(
  `a current ClickHouse${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let database: TestChdb

    beforeAll(async () => {
      database = await startChdb()
      for (const [name, , columns] of TABLES) await database.run(`CREATE TABLE ${name} ${columns} ENGINE = Memory`)
    }, 60_000)

    afterAll(() => database.close())

    for (const [name, count] of TABLES)
      describeEngine({
        name: `clickhouse, chdb, ${name}`,
        corpora: drawSqlCorpora(count, {text: name === 'text', seed: 2}),
        async open({rows}) {
          await database.run(`TRUNCATE TABLE ${name}`)
          await database.run(`INSERT INTO ${name} VALUES ${tableRows(rows, name === 'text')}`)
          return openClickHouse(database.address(name))
        }
      })
  }
)
