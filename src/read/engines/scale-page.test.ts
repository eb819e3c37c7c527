import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api'
import {beforeAll, describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {countsToBytes} from '../counts/index.ts'
import {createFeatureReader, textDefaults} from '../data/index.ts'
import {testFolder} from '../files/test-folder.ts'
import {countDocuments, countWith} from './count-with.ts'
import {groupsEngine} from './groups-engine.ts'
import {readGroups} from './read-groups.ts'
import {drawCorpora, type TestCorpus} from './test-corpora.ts'
import {sourceOf} from './test-source.ts'

const folder = testFolder()
const page = readFileSync(new URL('../../../docs/SCALE.md', import.meta.url), 'utf8')
/** The queries of the page by the name in their first line, `-- spark: groups`. */
const queries = new Map([...page.matchAll(/```sql\n-- ([^\n]+)\n([^`]+)```/g)].map(([, name, sql]) => [name, sql]))

/** What a dialect calls otherwise than DuckDB: nothing else of its queries is changed. */
const substitutions: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  spark: [
    [/collect_list\(/g, 'list('],
    [/LATERAL VIEW explode\((.*)\) (\w+) AS (\w+)/g, ', unnest($1) AS $2($3)']
  ],
  bigquery: [
    [/TO_JSON_STRING\(/g, 'to_json('],
    [/\bIN UNNEST\((\w+)\)/g, 'IN $1'],
    [/UNNEST\((\w+)\) AS (\w+)/g, 'UNNEST($1) AS unnested($2)']
  ],
  snowflake: [
    [/ARRAY_SORT\(/g, 'list_sort('],
    [/ARRAY_DISTINCT\(/g, 'list_distinct('],
    [/ARRAY_INTERSECTION\(/g, 'list_intersect('],
    [/LATERAL FLATTEN\(INPUT => (\w+)\) (\w+)/g, 'unnest($1) AS $2(value)']
  ],
  duckdb: []
}

function queryOf(dialect: string, part: string): string {
  const sql = queries.get(`${dialect}: ${part}`)
  if (sql === undefined) throw new Error(`docs/SCALE.md has no query "${dialect}: ${part}"`)
  return substitutions[dialect].reduce((text, [from, to]) => text.replace(from, to), sql)
}

let database: DuckDBConnection
beforeAll(async () => {
  database = await (await DuckDBInstance.create(':memory:')).connect()
})

/** The tables that the page begins with. */
async function load({rows}: TestCorpus, named: ReadonlySet<string>): Promise<void> {
  const lines = rows.map((row, id) => JSON.stringify({id, features: row.features}))
  const path = folder.file('documents.jsonl', `${lines.join('\n')}\n`)
  const names = folder.file('names.jsonl', `${[...named].map(feature => JSON.stringify({feature})).join('\n')}\n`)
  const read = (file: string, columns: string) =>
    `SELECT * FROM read_json('${file}', format = 'newline_delimited', columns = {${columns}})`
  await database.run(`CREATE OR REPLACE TABLE documents AS ${read(path, "id: 'BIGINT', features: 'VARCHAR[]'")}`)
  await database.run(`CREATE OR REPLACE TABLE anchor_features AS ${read(names, "feature: 'VARCHAR'")}`)
  await database.run(
    'CREATE OR REPLACE VIEW document_words AS SELECT id, word FROM documents, unnest(list_distinct(features)) AS t(word)'
  )
  await database.run('DROP TABLE IF EXISTS common_words')
  const [name] = [...queries.keys()].filter(key => key.startsWith('every dialect'))
  await database.run(queries.get(name) ?? '')
}

async function exportTables(dialect: string, format: string): Promise<string[]> {
  const paths = ['groups', 'words'].map(part => join(folder.path, `${dialect}-${part}.${format}`))
  for (const [at, part] of ['groups', 'words'].entries()) {
    const options = format === 'csv' ? 'FORMAT csv, HEADER' : `FORMAT ${format === 'jsonl' ? 'json' : format}`
    await database.run(`COPY (${queryOf(dialect, part)}) TO '${paths[at]}' (${options})`)
  }
  return paths
}

/** Corpora without tags, whose documents have a word and an anchor at all, and their bytes. */
async function countable(count: number): Promise<{corpus: TestCorpus; named: Set<string>; bytes: Uint8Array}[]> {
  const found: {corpus: TestCorpus; named: Set<string>; bytes: Uint8Array}[] = []
  for (const {rows, anchors, options} of drawCorpora(4 * count, {text: false, seed: 11})) {
    if (anchors.kind !== 'given' || options.minTags !== undefined || found.length === count) continue
    const {labelShare, ...plain} = options
    const corpus = {rows, anchors, options: plain}
    const reader = createFeatureReader(anchors.anchors, [], textDefaults)
    const named = new Set(rows.flatMap(row => row.features).filter(name => reader.featureRole(name) !== undefined))
    try {
      found.push({corpus, named, bytes: countsToBytes(await countDocuments(sourceOf(rows), anchors, plain))})
    } catch (error) {
      if (!(error instanceof AdfaError)) throw error
    }
  }
  return found
}

describe('the queries of docs/SCALE.md', () => {
  test.each(['spark', 'bigquery', 'snowflake', 'duckdb'])(
    'importing what the queries for %s give is counting the documents, byte for byte',
    async dialect => {
      const corpora = await countable(20)
      expect(corpora.length).toBeGreaterThan(10)
      for (const [at, {corpus, named, bytes}] of corpora.entries()) {
        await load(corpus, named)
        const paths = await exportTables(dialect, ['csv', 'jsonl', 'parquet'][at % 3])
        const engine = groupsEngine(await readGroups(paths))
        expect(countsToBytes(await countWith(engine, corpus.anchors, corpus.options))).toEqual(bytes)
      }
    }
  )

  test('each query is known by its dialect, and every dialect has both', () => {
    const names = Object.keys(substitutions).flatMap(dialect => [`${dialect}: groups`, `${dialect}: words`])
    expect([...queries.keys()].filter(name => !name.startsWith('every dialect')).sort()).toEqual(names.sort())
    for (const name of names)
      for (const [from] of substitutions[name.split(':')[0]])
        expect(queries.get(name.replace('groups', 'words'))).toMatch(new RegExp(from.source))
  })
})
