import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {countsToBytes} from '../counts/index.ts'
import {anchorRule, parseAnchors, textDefaults} from '../data/index.ts'
import {countDocuments, countWith, groupsEngine, readGroups} from '../engines/index.ts'
import {startChdb, type TestChdb, whyNoChdb} from '../engines/test-chdb.ts'
import {startCluster, whyNoClickHouse} from '../engines/test-clickhouse.ts'
import {drawSqlCorpora, type SqlCorpus} from '../engines/test-corpora.ts'
import {parquetRows} from '../engines/test-corpus-files.ts'
import {sourceOf} from '../engines/test-source.ts'
import {testFolder} from '../files/test-folder.ts'
import {printCountSql} from './count-statements.ts'
import {type SqlDatabase, sqlDialects} from './dialects.ts'

const folder = testFolder()
const FORMATS = {csv: 'csv, HEADER', jsonl: 'json', parquet: 'parquet'}

/** Runs the printed statements on corpora in DuckDB and compares the counts of their results with those of the documents. */
async function expectSameBytes(
  connection: DuckDBConnection,
  database: SqlDatabase,
  corpora: readonly SqlCorpus[],
  translate = (sql: string) => sql
) {
  let counted = 0
  for (const [at, {rows, anchors: drawn, options: asked}] of corpora.entries()) {
    const isText = rows.some(({text}) => text !== undefined)
    const options = {...asked, skipBadAnchors: true, text: isText ? ['title', 'text'] : []}
    try {
      // The phrases of an anchor that is left out would still be joined in SQL.
      const {anchors} = (await countDocuments(sourceOf(rows), drawn, options)).lexicon
      const source = anchorRule(anchors)
      const expected = await countDocuments(sourceOf(rows), source, options)
      if (expected.lexicon.skipped.length > 0) continue
      const path = folder.file('rows.parquet', parquetRows(rows, isText))
      await connection.run(`CREATE OR REPLACE TABLE documents AS SELECT * FROM '${path}'`)
      const reading = {...textDefaults, ...options, vocabulary: 1000}
      const sql = printCountSql({table: 'documents', anchors, phrases: [], reading}, database)
      const queries = sql.split(/;\n/).map(translate)
      const [ending, format] = Object.entries(FORMATS)[at % 3]
      const paths = ['groups', 'words'].map(name => `${folder.path}/${name}.${ending}`)
      for (const [k, path] of paths.entries())
        await connection.run(`COPY (${queries[k]}) TO '${path}' (FORMAT ${format})`)
      const counts = await countWith(groupsEngine(await readGroups(paths)), source, options)
      expect(Buffer.compare(countsToBytes(counts), countsToBytes(expected))).toBe(0)
      counted++
    } catch (error) {
      if (!(error instanceof AdfaError && error.code === 'bad-anchors')) throw error
    }
  }
  expect(counted).toBeGreaterThan(corpora.length / 2)
}

/** What a database calls otherwise than DuckDB: nothing else of its statements is changed. */
const NAMES: Readonly<Partial<Record<SqlDatabase, readonly (readonly [RegExp, string])[]>>> = {
  spark: [
    [/`/g, '"'],
    [/ARRAY<STRING>/g, 'VARCHAR[]'],
    [/regexp_replace\(/g, 'replace_all('],
    [/array_join\(/g, 'array_to_string('],
    [/\btransform\(/g, 'list_transform('],
    [/item -> /g, 'lambda item: '],
    [/\barray\(/g, 'list_value('],
    [/ concat\((?=(?:list_transform|coalesce))/g, ' list_concat('],
    [/array_sort\(/g, 'list_sort('],
    [/explode\(/g, 'unnest(']
  ],
  bigquery: [
    [/`/g, '"'],
    [/to_json_string\(/g, 'to_json('],
    [/CROSS JOIN UNNEST\((\w+)\) AS (\w+)/g, 'CROSS JOIN UNNEST($1) AS unnested($2)'],
    [/regexp_replace\(/g, 'replace_all('],
    [/array_concat\(/g, 'list_concat('],
    [/ AS item(?=[) ])/g, ' AS items(item)']
  ],
  snowflake: [
    [/array_sort\(/g, 'list_sort('],
    [/array_intersection\(/g, 'list_intersect('],
    [/array_construct\(/g, 'list_value('],
    [/LATERAL FLATTEN\(INPUT => (\w+)\) (\w+)/g, 'unnest($1) AS $2(value)']
  ]
}

/** The statement with DuckDB's names for functions, and its literals: those of the others have escapes. */
function inDuckDb(database: SqlDatabase, sql: string): string {
  const parts = sql.replace(/^--.*\n/gm, '').split(/('(?:[^'\\]|\\.)*')/s)
  const plain = (literal: string) =>
    literal.slice(1, -1).replace(/\\(u(....)|.)/gs, (_, sign: string, code?: string) => {
      return code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16))
    })
  const groups = (text: string) => (database === 'spark' ? text.replace(/\$(?=\d)/g, '\\') : text)
  return parts
    .map((part, at) =>
      at % 2 === 1
        ? sqlDialects.duckdb.text(groups(plain(part)))
        : (NAMES[database] ?? []).reduce((text, [from, to]) => text.replace(from, to), part)
    )
    .join('')
}

describe('printCountSql(...)', () => {
  let connection: DuckDBConnection
  const corpora = (count: number, text: boolean) => drawSqlCorpora(count, {text, seed: 11})

  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run("CREATE MACRO replace_all(text, pattern, new) AS regexp_replace(text, pattern, new, 'g')")
  })

  test('in DuckDB its statements give the counts of the documents, byte for byte, of words and of text', async () => {
    await expectSameBytes(connection, 'duckdb', corpora(80, false))
    await expectSameBytes(connection, 'duckdb', corpora(50, true))
  })

  test.each(['spark', 'bigquery', 'snowflake'] as const)(
    'the statements for %s do so on DuckDB, by its names for their functions',
    async database => {
      const translate = (sql: string) => inDuckDb(database, sql)
      await expectSameBytes(connection, database, corpora(30, false), translate)
      if (database !== 'snowflake') await expectSameBytes(connection, database, corpora(15, true), translate)
    }
  )

  test('with the words of other counts, phrases among them are asked for as SQL names them', () => {
    const anchors = parseAnchors('{"pain": "text:chest pain"}', 'anchors')
    const reading = {...textDefaults, text: ['text']}
    const words = ['text:fever', 'text:sickle-cell']
    const sql = printCountSql({table: 'notes', anchors, phrases: ['sickle-cell'], reading, words}, 'duckdb')
    expect(sql).toContain("adfa_word IN ('text:fever', 'text:sickle cell')")
  })
})

/** Texts of quotes, backslashes, comments, line ends and controls, as a stranger's model may have them. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom("'", '"', '`', '\\', '--', '/*', '*/', '\n', '\r', '\0', ';', '$1', '{x:1}', '?'),
      fc.string({unit: 'binary'})
    ),
    {maxLength: 8}
  )
  .map(parts => parts.join(''))
  .filter(text => !/\p{Surrogate}/u.test(text))

/** Names of columns: no database takes an empty one, and only some an end of text. */
const names = hostile.filter(text => text !== '' && !text.includes('\0'))

describe('literals and names', () => {
  test('DuckDB reads every text as it was, and finds a column of any name', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const {text, identifier} = sqlDialects.duckdb
    await fc.assert(
      fc.asyncProperty(hostile, names, async (value, name) => {
        const reader = await connection.runAndReadAll(
          `SELECT ${identifier(name)} FROM (SELECT ${text(value)} AS ${identifier(name)})`
        )
        expect(reader.getRows()).toEqual([[value]])
      }),
      {numRuns: 300}
    )
  })

  test('a name cannot end a comment', () => {
    const anchors = parseAnchors('{"a": "a"}', 'anchors')
    for (const database of ['duckdb', 'clickhouse', 'spark', 'bigquery', 'snowflake'] as const) {
      const sql = printCountSql(
        {table: 'te\nDROP TABLE victim; --\u2028x', anchors, phrases: [], reading: {...textDefaults, text: []}},
        database
      )
      const notes = sql.split('\n').filter(line => line.startsWith('--'))
      expect(notes[0]).toContain('te\\u000aDROP TABLE victim; --\\u2028x')
    }
  })

  const servers = [
    {name: 'Debian ClickHouse', missing: whyNoClickHouse(), start: startServer},
    {name: 'a current ClickHouse', missing: whyNoChdb(), start: startChdb}
  ]
  for (const {name, missing, start} of servers)
    describe.skipIf(missing !== undefined)(`on ${name}`, () => {
      let server: Pick<TestChdb, 'run' | 'close'>
      beforeAll(async () => {
        server = await start()
      }, 60_000)
      afterAll(() => server.close())

      test('every text is read as it was, and the printed statements run', async () => {
        const {text, identifier} = sqlDialects.clickhouse
        await fc.assert(
          fc.asyncProperty(hostile, names, async (value, name) => {
            const query = `SELECT hex(${identifier(name)}) FROM (SELECT ${text(value)} AS ${identifier(name)})`
            expect((await server.run(query)).trim().toLowerCase()).toBe(Buffer.from(value).toString('hex'))
          }),
          {numRuns: 200}
        )
        await server.run('CREATE TABLE notes (note String) ENGINE = Memory')
        await server.run("INSERT INTO notes VALUES ('chest pain'), ('Fever, chest-pain'), ('')")
        const anchors = parseAnchors('{"pain": "note:chest pain"}', 'anchors')
        const reading = {...textDefaults, text: ['note']}
        const sql = printCountSql({table: 'notes', anchors, phrases: [], reading}, 'clickhouse')
        const [groups, words] = sql.split(/;\n/)
        const rows = async (query: string) => (await server.run(query)).trim().split('\n').sort()
        expect(await rows(groups)).toEqual(['["note:chest pain"]\t2', '[]\t1'])
        expect(await rows(words)).toEqual([
          '["note:chest pain"]\tnote:chest pain\t2',
          '["note:chest pain"]\tnote:fever\t1'
        ])
      }, 60_000)
    })
})

async function startServer() {
  const {shards, close} = await startCluster()
  return {run: shards[0].run, close}
}
