import {DuckDBInstance} from '@duckdb/node-api'
import {beforeAll, describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
let docs = ''
let anchors = ''
let reading: string[] = []

beforeAll(async () => {
  ;({docs, anchors} = await generateSmall(folder))
  reading = ['--anchors', anchors, '--text', '', '--vocabulary', '30']
  await adfaDone('count', docs, ...reading, '-o', folder.at('all.counts'))
})

/** Runs the statements and exports the results of the last two. */
async function exported(sql: string, name: string): Promise<string[]> {
  const database = await (await DuckDBInstance.create()).connect()
  const statements = sql.split(/;\n/).filter(text => text.trim() !== '')
  const [groups, words] = statements.splice(-2)
  for (const common of statements) await database.run(common)
  const paths = ['groups', 'words'].map(part => folder.at(`${name}-${part}.csv`))
  for (const [at, query] of [groups, words].entries()) await database.run(`COPY (${query}) TO '${paths[at]}' (HEADER)`)
  return paths
}

describe('adfa count --print-sql', () => {
  test('adfa count --print-sql prints statements whose results it counts as the documents, byte for byte', async () => {
    const sql = await adfaDone('count', docs, '--print-sql', 'duckdb', ...reading)
    const tables = await exported(sql, 'printed')
    const out = folder.at('printed.counts')
    expect(await adfaJson('count', ...tables, ...reading, '-o', out)).toMatchObject({documents: 600, words: 30})
    expect(folder.bytes('printed.counts')).toEqual(folder.bytes('all.counts'))
    await adfaDone('count', ...tables.reverse(), ...reading, '-o', out)
    expect(folder.bytes('printed.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa count --print-sql --like asks for the words of other counts', async () => {
    const like = ['--like', folder.at('all.counts')]
    const done = await adfa('count', docs, '--print-sql', 'duckdb', ...like, '-o', folder.at('like.sql'))
    expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/^wrote .*like\.sql\n$/)])
    const tables = await exported(folder.text('like.sql'), 'like')
    await adfaDone('count', ...tables, ...like, '-o', folder.at('like.counts'))
    expect(folder.bytes('like.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa count takes groups for a release, and refuses those of other anchors', async () => {
    const tables = await exported(await adfaDone('count', docs, '--print-sql', 'duckdb', ...reading), 'release')
    const release = ['--max-order', '2', '--min-cell', '0', '--site', 'A', '-o', folder.at('a.tables')]
    expect((await adfa('count', ...tables, '--like', folder.at('all.counts'), ...release)).code).toBe(0)
    const path = folder.write('few.jsonl', '{"mask": [], "documents": 3}\n')
    const {code, stderr} = await adfa('count', path, '--like', folder.at('all.counts'), '-o', folder.at('none.counts'))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no group has a feature that the anchors name/)])
  })

  test.each([
    [['--print-sql', 'oracle'], /Allowed choices are duckdb, clickhouse, spark, bigquery, snowflake/],
    [['--print-sql', 'duckdb', '--text', ''], /no anchors given/],
    [['--print-sql', 'duckdb', '--label-share', '1'], /take no --label-share/],
    [['--print-sql', 'snowflake', '--anchors', 'ANCHORS', '--text', 'note'], /Snowflake cannot cut text .*--text ''/],
    [['--print-sql', 'duckdb', '--anchors', 'ANCHORS', '--negation'], /--negation .*SQL cannot follow.*memory engine/],
    [['--anchors', 'ANCHORS'], /required option '-o, --output <file>'/]
  ])('adfa count %j is refused', async (args, message) => {
    const {code, stderr} = await adfa('count', docs, ...args.map(arg => (arg === 'ANCHORS' ? anchors : arg)))
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})
