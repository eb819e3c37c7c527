import {DuckDBInstance} from '@duckdb/node-api'
import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {directedNetwork, isPairNetwork, pairNetwork} from '../../base/network/index.ts'
import {learn} from '../../learn/learn.ts'
import type {Model} from '../../learn/model/index.ts'
import {parseAnchors, tokenize} from '../../read/data/index.ts'
import {startChdb, type TestChdb, whyNoChdb} from '../../read/engines/test-chdb.ts'
import {startCluster, type TestCluster, whyNoClickHouse} from '../../read/engines/test-clickhouse.ts'
import {createPredictor, evenRule, readDocument, scoreSql, type TagRule, tagsFrom} from './index.ts'

/** Parts of texts, with all that tokens are made of. */
const PARTS =
  "a b c net c++ c# .net x86 don't don\u2019t asp.net-mvc 3 _x 1 2 + # . ' - , \u00e9 e\u0301 \u00df \u00b2 \u2603 \ud83d\ude42 chest pain chest-pain no".split(
    ' '
  )
const someText = fc
  .array(fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom('', ' ', ' ')), {maxLength: 25})
  .map(parts => parts.flat().join(''))

interface Document {
  readonly id: string
  readonly text: string | null
  readonly sex: string
  readonly age: number | null
  readonly drugs: readonly string[]
  readonly features: readonly string[]
}

/** Documents of three concepts, drawn without chance so that every run has the same. */
const documents: readonly Document[] = fc
  .sample(fc.tuple(someText, fc.nat(99), fc.subarray(['Aspirin', ' saline', 'x|y']), fc.boolean()), {
    seed: 7,
    numRuns: 400
  })
  .map(([text, age, drugs, isTrue], at) => ({
    id: `d${at}`,
    text: at === 5 ? null : `${isTrue ? 'chest pain ' : at % 3 === 0 ? 'c++ .net ' : ''}${text}`,
    sex: isTrue ? 'F' : 'm',
    age: at % 50 === 0 ? null : age - 20,
    drugs: isTrue ? drugs : [],
    features: at % 3 === 0 ? ['code', `odd "'\\ ${at % 5}`] : ['other']
  }))

const anchors = parseAnchors(
  JSON.stringify({
    pain: {any: ['text:chest pain', 'text:a b'], not: ['text:no']},
    code: ['code', 'text:c++'],
    drug: 'drugs:aspirin'
  }),
  'anchors.json'
)
const reading = {
  text: ['text'],
  category: ['sex'],
  number: ['age:0,18,65'],
  list: ['drugs'],
  words: 'weights',
  skipBadAnchors: true
} as const
let model: Model
let widths: Model
/** Couplings that matter, and evidence beyond the bounds of log-odds. */
let strong: Model

beforeAll(async () => {
  model = await learn(documents, anchors, reading)
  widths = await learn(documents, anchors, {...reading, number: ['age:10']})
  strong = strengthened(model)
})

function strengthened(of: Model): Model {
  const {network, wordModel} = of
  if (!isPairNetwork(network) || wordModel.kind !== 'weights')
    throw new Error('the model should have pairs and weights')
  return {
    ...of,
    network: pairNetwork({...network, couplings: Float64Array.of(0, 3, -2, 3, 0, 1, -2, 1, 0)}),
    wordModel: {...wordModel, weights: wordModel.weights.map(row => row.map(weight => 10 * weight))}
  }
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`

async function openDuckDb() {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(
    'CREATE TABLE documents (id VARCHAR, text VARCHAR, sex VARCHAR, age INTEGER, drugs VARCHAR[], features VARCHAR[])'
  )
  const list = (items: readonly string[]) => `[${items.map(text).join()}]`
  const rows = documents.map(
    row =>
      `(${text(row.id)}, ${row.text === null ? 'NULL' : text(row.text)}, ${text(row.sex)}, ${row.age}, ${list(row.drugs)}, ${list(row.features)})`
  )
  await connection.run(`INSERT INTO documents VALUES ${rows.join()}`)
  return connection
}

/** The rule that reports the model's concepts from a probability on. */
const at = (threshold: number) => evenRule(anchors.length, threshold)

/** What the library says of the documents, in the order of their ids. */
function expected(of: Model, rule: TagRule): unknown[] {
  const predictor = createPredictor(of)
  return documents
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(document => {
      const evidence = readDocument(of, document)
      const probabilities = predictor.posterior(evidence)
      return {
        id: document.id,
        tags: tagsFrom(of, probabilities, evidence.anchors, rule).join('|'),
        // Sums of up to a hundred weights in another order: some 100 roundings of 1e-16 each.
        ...Object.fromEntries(of.concepts.map(({name}, i) => [name, expect.closeTo(probabilities[i], 12)]))
      }
    })
}

describe('scoreSql', () => {
  test('DuckDB gives the probabilities of the library: text, phrases, vetoes, categories, bins, lists, features', async () => {
    const connection = await openDuckDb()
    const apart = await learn(documents, anchors, {...reading, network: 'independent'})
    for (const each of [model, widths, strong, apart]) {
      const rows = (await connection.runAndReadAll(scoreSql(each, 'duckdb', at(0.3)))).getRowObjectsJson()
      expect(rows).toEqual(expected(each, at(0.3)))
      expect(new Set(rows.map(({tags}) => tags)).size).toBeGreaterThan(2)
    }
  })

  test('a name with a line end stays in the comment and in its quotes', () => {
    const {lexicon} = model
    const name = 'te\nDROP TABLE victim; --'
    const text = {...lexicon.reading, text: [name]}
    const sql = scoreSql({...model, lexicon: {...lexicon, words: [`${name}:x`], reading: text}}, 'duckdb', at(0.3))
    expect(sql.split('\n')[0]).toContain('te\\u000aDROP TABLE victim; --')
  })

  test('the id may be another column', async () => {
    const connection = await (await DuckDBInstance.create()).connect()
    await connection.run(`CREATE TABLE documents ("Ticket No" INTEGER, text VARCHAR)`)
    await connection.run(`INSERT INTO documents VALUES (7, 'a b'), (3, 'c')`)
    const plain = counting(['a', 'b', 'c'])
    const named = {...plain, lexicon: {...plain.lexicon, reading: {...plain.lexicon.reading, id: 'Ticket No'}}}
    const found = await connection.runAndReadAll(scoreSql(named, 'duckdb', at(0.5)))
    expect(found.columnNames()[0]).toBe('Ticket No')
    expect(found.getRowsJson().map(([id]) => id)).toEqual([3, 7])
  })

  test('DuckDB cuts text into the same tokens', async () => {
    const connection = await (await DuckDBInstance.create()).connect()
    const texts = fc.sample(someText, {seed: 3, numRuns: 3000})
    // Every token is a feature of a model of one concept: the sum of the weights tells which were found.
    await connection.run('CREATE TABLE documents (id INTEGER, text VARCHAR)')
    await connection.run(`INSERT INTO documents VALUES ${texts.map((value, at) => `(${at}, ${text(value)})`).join()}`)
    const words = [...new Set(texts.flatMap(value => tokenize(value.toLowerCase())))].sort()
    const query = scoreSql(counting(words), 'duckdb', at(0.5))
    const inner = query.slice(query.indexOf('FROM (SELECT "id" AS id, unnest') + 5, query.indexOf('LEFT JOIN (')).trim()
    const found = await connection.runAndReadAll(
      `SELECT id, list_sort(list(feature)) FROM ${inner} WHERE feature NOT IN ('', 'text:') GROUP BY id`
    )
    const byId = new Map(found.getRowsJson().map(([id, features]) => [Number(id), features]))
    texts.forEach((value, at) => {
      const tokens = [...new Set(tokenize(value.toLowerCase()))].map(token => `text:${token}`)
      expect([...((byId.get(at) as string[] | undefined) ?? [])].sort()).toEqual(tokens.sort())
    })
  })

  /** A model with these words and no phrases. */
  function counting(words: readonly string[]): Model {
    const {lexicon, wordModel, concepts} = model
    if (wordModel.kind !== 'weights') throw new Error('the model should have word weights')
    return {
      ...model,
      lexicon: {
        ...lexicon,
        words: words.map(word => `text:${word}`),
        anchors: lexicon.anchors.map(anchor => ({...anchor, any: ['text:a'], not: []})),
        phrases: [],
        reading: {...lexicon.reading, category: [], number: [], list: []}
      },
      wordModel: {...wordModel, weights: concepts.map(() => words.map(() => 1))}
    }
  }

  test('models that SQL cannot follow are refused, with the way out', async () => {
    const negated = {...model, lexicon: {...model.lexicon, reading: {...model.lexicon.reading, negation: true}}}
    expect(() => scoreSql(negated, 'duckdb', at(0.5))).toThrow(/reads negation.*; fit it without `negation`/)
    const links = await learn(documents, anchors, {...reading, words: 'noisy-or'})
    expect(() => scoreSql(links, 'duckdb', at(0.5))).toThrow(/noisy-or links.*; fit it with `words` weights/)
    const pattern = model.lexicon.anchors.map(anchor => ({...anchor, any: ['text:/a+/']}))
    const matching = {...model, lexicon: {...model.lexicon, anchors: pattern}}
    expect(() => scoreSql(matching, 'duckdb', at(0.5))).toThrow(/regular expressions.*; use words and phrases/)
    const narrow = {...model.lexicon.reading, number: ['age:0.1']}
    expect(() => scoreSql({...model, lexicon: {...model.lexicon, reading: narrow}}, 'duckdb', at(0.5))).toThrow(
      /whole width/
    )
    const directed = {...model, network: directedNetwork(model.network)}
    expect(() => scoreSql(directed, 'duckdb', at(0.5))).toThrow(/directed network.*; fit it with `structure` pairs/)
  })
})

const missing = whyNoClickHouse()
const CLICKHOUSE_TABLE =
  'CREATE TABLE documents (id String, text Nullable(String), sex String, age Nullable(Int32), drugs Array(String), features Array(String)) ENGINE = Memory'
const CLICKHOUSE_ROWS = `INSERT INTO documents FORMAT JSONEachRow ${documents.map(row => JSON.stringify(row)).join('\n')}`

describe.skipIf(missing !== undefined)('scoreSql, ClickHouse', () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await startCluster()
  }, 60_000)
  afterAll(() => cluster.close())

  /** The rows that a query gives, with the usual limits but for its length. */
  const score = async (sql: string): Promise<unknown[]> => {
    const address = `http://127.0.0.1:${cluster.shards[0].port}/?max_query_size=100000000&default_format=JSONEachRow`
    const answer = await fetch(address, {method: 'POST', headers: {connection: 'close'}, body: sql})
    const lines = await answer.text()
    expect(answer.ok ? '' : lines).toBe('')
    return lines
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
  }

  test('ClickHouse takes fifty concepts within its usual limits, and one that is named as a column of the query', async () => {
    const names = ['p', ...Array.from({length: 49}, (_, i) => `concept ${i}`)]
    const rows = Array.from({length: 300}, (_, at) => ({
      id: `d${at}`,
      features: [...names.filter((_, i) => (at * 7 + i * i) % 17 === 0), `word ${at % 23}`, `word ${(at * 5) % 29}`]
    }))
    const many = await learn(
      rows,
      parseAnchors(JSON.stringify(Object.fromEntries(names.map(name => [name, name]))), 'a'),
      {
        text: [],
        words: 'weights'
      }
    )
    expect(many.concepts).toHaveLength(50)
    const [{run}] = cluster.shards
    await run('CREATE DATABASE many')
    await run('CREATE TABLE many.documents (id String, features Array(String)) ENGINE = Memory')
    const few = rows.slice(0, 5)
    await run(`INSERT INTO many.documents FORMAT JSONEachRow ${few.map(row => JSON.stringify(row)).join('\n')}`)
    const found = await score(
      scoreSql(many, 'clickhouse', evenRule(50, 0.3)).replace('FROM documents)', 'FROM many.documents)')
    )
    const predictor = createPredictor(many)
    expect(found).toHaveLength(few.length)
    for (const row of found as Record<string, number | string>[]) {
      const document = few.find(({id}) => id === row.id)
      const probabilities = predictor.posterior(readDocument(many, document ?? {}))
      expect([row['p (adfa)'], row['concept 48']]).toEqual(
        [probabilities[0], probabilities[49]].map(p => expect.closeTo(p, 12))
      )
    }
  }, 60_000)

  test('ClickHouse gives the probabilities of the library', async () => {
    const [{run}] = cluster.shards
    await run(CLICKHOUSE_TABLE)
    await run(CLICKHOUSE_ROWS)
    for (const each of [model, widths, strong])
      expect(await score(scoreSql(each, 'clickhouse', at(0.3)))).toEqual(expected(each, at(0.3)))
  }, 60_000)
})

const absent = whyNoChdb()

describe.skipIf(absent !== undefined)('scoreSql, a current ClickHouse', () => {
  let chdb: TestChdb
  beforeAll(async () => {
    chdb = await startChdb()
  }, 60_000)
  afterAll(() => chdb.close())

  test('it gives the probabilities of the library', async () => {
    await chdb.run(CLICKHOUSE_TABLE)
    await chdb.run(CLICKHOUSE_ROWS)
    for (const each of [model, widths, strong]) {
      const lines = await chdb.run(
        `${scoreSql(each, 'clickhouse', at(0.3))} SETTINGS max_query_size = 100000000 FORMAT JSONEachRow`
      )
      const rows = lines.trimEnd().split('\n')
      expect(rows.map(line => JSON.parse(line))).toEqual(expected(each, at(0.3)))
    }
  }, 60_000)
})
