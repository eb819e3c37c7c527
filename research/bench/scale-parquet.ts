/** Documents in JSON Lines as Parquet, by DuckDB. Command: npx tsx research/bench/scale-parquet.ts FROM.jsonl TO.parquet */
import {DuckDBInstance} from '@duckdb/node-api'

const [, , from, to] = process.argv
const database = await (await DuckDBInstance.create(':memory:')).connect()
await database.run("SET memory_limit = '2GB'")
await database.run('SET preserve_insertion_order = false')
await database.run(
  `COPY (SELECT * FROM read_json('${from}', format = 'newline_delimited', columns = {id: 'BIGINT', features: 'VARCHAR[]'}))
   TO '${to}' (FORMAT parquet, COMPRESSION zstd)`
)
database.closeSync()
