import {type DuckDBConnection, DuckDBInstance} from '@duckdb/node-api'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {countsToBytes} from '../counts/index.ts'
import {type Anchors, parseAnchors, type RowFields, textDefaults} from '../data/index.ts'
import {rowOf} from '../data/test-rows.ts'
import {
  type CountingOptions,
  countDocuments,
  countWith,
  groupsEngine,
  type RowSource,
  readGroups
} from '../engines/index.ts'
import {startChdb, type TestChdb, whyNoChdb} from '../engines/test-chdb.ts'
import {startCluster, whyNoClickHouse} from '../engines/test-clickhouse.ts'
import {drawCorpora, type TestRow} from '../engines/test-corpora.ts'
import {sourceOf} from '../engines/test-source.ts'
import {testFolder} from '../files/test-folder.ts'
import {printCountSql} from './count-statements.ts'
import {type SqlDatabase, sqlDialects} from './dialects.ts'

const folder = testFolder()

/** Where statements run: rows become the table `documents`, and the result of a query a file. */
interface Place {
  /** The formats of its exports. */
  readonly endings: readonly string[]
  load(rows: readonly TestRow[]): Promise<void>
  make(statement: string): Promise<void>
  exported(query: string, path: string): Promise<void>
}

interface Counted {
  readonly rows: readonly TestRow[]
  readonly anchors: Anchors
  readonly options: Partial<CountingOptions>
  readonly bytes: Uint8Array
}

/** Corpora with the bytes of the documents one by one; those that are refused are left out. */
async function countable(count: number, text: boolean): Promise<Counted[]> {
  const found: Counted[] = []
  for (const {rows: drawn, anchors: source, options} of drawCorpora(4 * count, {text, seed: 11})) {
    if (source.kind !== 'given' || found.length === count) continue
    const {vocabulary = 10, maxShare = 0.5} = options
    const reading = {vocabulary, maxShare, skipBadAnchors: true, text: text ? ['title', 'text'] : []}
    const rows = drawn.map(({features, title, text: content}) =>
      text ? {features: [], title, text: content} : {features}
    )
    const plain = source.anchors.filter(({any, not}) => ![...any, ...not].some(name => name.startsWith('/')))
    try {
      // The phrases of an anchor that is left out would still be joined in SQL.
      const {lexicon} = await countDocuments(sourceOf(rows), {kind: 'given', anchors: plain}, reading)
      const {anchors} = lexicon
      const counts = await countDocuments(sourceOf(rows), {kind: 'given', anchors}, reading)
      if (counts.lexicon.skipped.length > 0) continue
      found.push({rows: rows as TestRow[], anchors, options: reading, bytes: countsToBytes(counts)})
    } catch (error) {
      if (!(error instanceof AdfaError)) throw error
    }
  }
  expect(found.length).toBeGreaterThan(count / 2)
  return found
}

async function expectSameBytes(
  place: Place,
  database: SqlDatabase,
  corpora: readonly Counted[],
  translate = (sql: string) => sql
) {
  for (const [at, {rows, anchors, options, bytes}] of corpora.entries()) {
    await place.load(rows)
    const reading = {...textDefaults, ...options, vocabulary: 1000}
    const sql = printCountSql({table: 'documents', anchors, phrases: [], reading}, database)
    const ending = place.endings[at % place.endings.length]
    const counts = await countBy(place, sql.split(/;\n/).map(translate), ending, {anchors, options})
    expect(Buffer.from(counts).toString('latin1')).toBe(Buffer.from(bytes).toString('latin1'))
  }
}

/** The counts by three statements, whose results become files with this ending. */
async function countBy(
  place: Place,
  [common, ...queries]: readonly string[],
  ending: string,
  {anchors, options}: Pick<Counted, 'anchors' | 'options'>
): Promise<Uint8Array> {
  await place.make(common)
  const paths = ['groups', 'words'].map(name => `${folder.path}/${name}.${ending}`)
  for (const [at, path] of paths.entries()) await place.exported(queries[at], path)
  return countsToBytes(await countWith(groupsEngine(await readGroups(paths)), {kind: 'given', anchors}, options))
}

const columns = {features: 'VARCHAR[]', title: 'VARCHAR', text: 'VARCHAR'}

async function duckDb(): Promise<Place & {readonly connection: DuckDBConnection}> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const formats: Readonly<Record<string, string>> = {csv: 'csv, HEADER', jsonl: 'json', parquet: 'parquet'}
  const types = Object.entries(columns).map(([name, type]) => `${name}: '${type}'`)
  return {
    connection,
    endings: ['csv', 'jsonl', 'parquet'],
    async load(rows) {
      const path = folder.file('rows.jsonl', rows.map(row => `${JSON.stringify(row)}\n`).join(''))
      const reading = `read_json('${path}', format = 'newline_delimited', columns = {${types.join(', ')}})`
      await connection.run(`CREATE OR REPLACE TABLE documents AS SELECT * FROM ${reading}`)
    },
    async make(statement) {
      await connection.run(statement)
    },
    async exported(query, path) {
      await connection.run(`COPY (${query}) TO '${path}' (FORMAT ${formats[path.split('.').at(-1) ?? '']})`)
    }
  }
}

function clickHouse(run: (sql: string) => Promise<string>, endings: readonly string[]): Place {
  return {
    endings,
    async load(rows) {
      await run('DROP TABLE IF EXISTS documents')
      await run('DROP TABLE IF EXISTS adfa_common_words')
      await run('CREATE TABLE documents (features Array(String), title Nullable(String), text String) ENGINE = Memory')
      await run(`INSERT INTO documents FORMAT JSONEachRow ${rows.map(row => JSON.stringify(row)).join('\n')}`)
    },
    async make(statement) {
      await run(statement)
    },
    async exported(query, path) {
      const format = path.endsWith('csv') ? 'CSVWithNames' : 'JSONEachRow'
      folder.file(path.slice(folder.path.length + 1), await run(`${query} FORMAT ${format}`))
    }
  }
}

/** What a database calls otherwise than DuckDB: nothing else of its statements is changed. */
const NAMES: Readonly<Partial<Record<SqlDatabase, readonly (readonly [RegExp, string])[]>>> = {
  spark: [
    [/`/g, '"'],
    [/ARRAY<STRING>/g, 'VARCHAR[]'],
    [/regexp_replace\(/g, 'replace_all('],
    [/array_join\(/g, 'array_to_string('],
    [/\bsplit\(/g, 'string_split('],
    [/\btransform\(/g, 'list_transform('],
    [/item -> /g, 'lambda item: '],
    [/\barray\(/g, 'list_value('],
    [/ concat\((?=(?:list_transform|coalesce))/g, ' list_concat('],
    [/array_sort\(/g, 'list_sort('],
    [/explode\(/g, 'unnest('],
    [/startswith\(/g, 'starts_with(']
  ],
  bigquery: [
    [/`/g, '"'],
    [/TO_JSON_STRING\(/g, 'to_json('],
    [/CROSS JOIN UNNEST\((\w+)\) AS (\w+)/g, 'CROSS JOIN UNNEST($1) AS unnested($2)'],
    [/REGEXP_REPLACE\(/g, 'replace_all('],
    [/REGEXP_EXTRACT_ALL\(/g, 'regexp_extract_all('],
    [/SPLIT\(/g, 'string_split('],
    [/ARRAY_CONCAT\(/g, 'list_concat('],
    [/\bIF\(/g, 'if_('],
    [/ AS item(?=[) ])/g, ' AS items(item)']
  ],
  snowflake: [
    [/ARRAY_SORT\(/g, 'list_sort('],
    [/ARRAY_DISTINCT\(/g, 'list_distinct('],
    [/ARRAY_INTERSECTION\(/g, 'list_intersect('],
    [/ARRAY_CONSTRUCT\(/g, 'list_value('],
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
  let duckdb: Awaited<ReturnType<typeof duckDb>>

  beforeAll(async () => {
    duckdb = await duckDb()
    await duckdb.connection.run(
      "CREATE MACRO replace_all(text, pattern, new) AS regexp_replace(text, pattern, new, 'g')"
    )
    await duckdb.connection.run('CREATE MACRO if_(condition, a, b) AS CASE WHEN condition THEN a ELSE b END')
  })

  test('in DuckDB its statements give the counts of the documents, byte for byte, of words and of text', async () => {
    await expectSameBytes(duckdb, 'duckdb', await countable(60, false))
    await expectSameBytes(duckdb, 'duckdb', await countable(40, true))
  })

  test.each(['spark', 'bigquery', 'snowflake'] as const)(
    'the statements for %s do so on DuckDB, by its names for their functions',
    async database => {
      const translate = (sql: string) => inDuckDb(database, sql)
      await expectSameBytes(duckdb, database, await countable(20, false), translate)
      if (database !== 'snowflake') await expectSameBytes(duckdb, database, await countable(10, true), translate)
    }
  )

  test('values, phrases and vetoes are read as in documents', async () => {
    const rows = Array.from({length: 60}, (_, at) => ({
      text: at % 2 ? 'Chest-pain and fever' : 'chest pain, no fever',
      sex: at % 3 ? ' F' : null,
      age: at % 7 === 0 ? null : at - 10,
      drugs: at % 5 ? ['Aspirin', `d${at % 4}`] : []
    }))
    const anchors = parseAnchors(
      JSON.stringify({pain: {any: 'text:chest pain', not: 'drugs:d1'}, drug: 'drugs:aspirin', old: 'age:40+'}),
      'anchors.json'
    )
    const reading = {
      ...{text: ['text'], category: ['sex'], list: ['drugs'], maxShare: 1, skipBadAnchors: true},
      number: ['age:0,20,40']
    }
    const bytes = countsToBytes(await countDocuments(valuesOf(rows, reading), {kind: 'given', anchors}, reading))
    const values = rows.map(
      row => `(${[row.text, row.sex].map(quoted)}, ${row.age}, ${JSON.stringify(row.drugs).replaceAll('"', "'")})`
    )
    await duckdb.connection.run(
      `CREATE OR REPLACE TABLE visits AS FROM (VALUES ${values}) AS visits(text, sex, age, drugs)`
    )
    const text = {...textDefaults, ...reading}
    const sql = printCountSql({table: 'visits', anchors, phrases: [], reading: text}, 'duckdb')
    expect(await countBy(duckdb, sql.split(/;\n/), 'csv', {anchors, options: reading})).toEqual(bytes)
  })
})

/** Rows as a source, read with these fields. */
function valuesOf(rows: readonly object[], fields: RowFields): RowSource {
  return {
    async *batches() {
      yield rows.map(row => rowOf(row, fields))
    }
  }
}

function quoted(text: string | null): string {
  return text === null ? 'NULL' : sqlDialects.duckdb.text(text)
}

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
    const {connection} = await duckDb()
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

  // A text of CSV would end at the first zero byte of a word: the library hands on texts of C.
  const servers = [
    {
      name: 'Debian ClickHouse',
      missing: whyNoClickHouse(),
      endings: ['csv', 'jsonl'],
      async start() {
        const {shards, close} = await startCluster()
        return {run: shards[0].run, close}
      }
    },
    {name: 'a current ClickHouse', missing: whyNoChdb(), endings: ['jsonl'], start: startChdb}
  ]
  for (const {name, missing, endings, start} of servers)
    describe.skipIf(missing !== undefined)(`on ${name}`, () => {
      let server: Pick<TestChdb, 'run' | 'close'>
      beforeAll(async () => {
        server = await start()
      }, 60_000)
      afterAll(() => server.close())

      test('statements give the counts of the documents', async () => {
        const place = clickHouse(server.run, endings)
        await expectSameBytes(place, 'clickhouse', await countable(40, false))
        await expectSameBytes(place, 'clickhouse', await countable(20, true))
      }, 120_000)

      test('every text is read as it was', () => expectTexts(server.run), 60_000)
    })
})

async function expectTexts(run: (sql: string) => Promise<string>): Promise<void> {
  const {text, identifier} = sqlDialects.clickhouse
  await fc.assert(
    fc.asyncProperty(hostile, names, async (value, name) => {
      const found = await run(`SELECT hex(${identifier(name)}) FROM (SELECT ${text(value)} AS ${identifier(name)})`)
      expect(found.trim().toLowerCase()).toBe(Buffer.from(value).toString('hex'))
    }),
    {numRuns: 200}
  )
}
