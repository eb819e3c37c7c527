import {existsSync} from 'node:fs'
import {DuckDBInstance} from '@duckdb/node-api'
import {describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {parquetRows} from '../../../read/engines/test-corpus-files.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const docs = folder.write('questions.jsonl', drawQuestions(300, rng(1)))
const anchors = folder.write('tools.json', JSON.stringify({python: 'title:python', git: ['git', 'text:branch']}))
const reading = ['--anchors', anchors, '--label-share', '1']

test('adfa count --workers gives the same bytes on any number of threads, with labels too', async () => {
  const labels = folder.write('labels.jsonl', '{"id": "3", "labels": {"python": true}}\n')
  for (const args of [reading, ['--anchors', anchors, '--labels', labels]]) {
    await adfaDone`count ${docs} ${args} --workers 0 -o ${folder.at('alone.counts')}`
    await adfaDone`count ${docs} ${args} --workers 2 -o ${folder.at('two.counts')}`
    expect(folder.bytes('two.counts')).toEqual(folder.bytes('alone.counts'))
  }
})

describe('adfa count --engine', () => {
  const isInstalled = existsSync(new URL('../../../../node_modules/@duckdb/node-api', import.meta.url))

  test.skipIf(!isInstalled)('adfa count --engine duckdb gives the bytes of this program', async () => {
    const rows = Array.from({length: 50}, (_, at) => ({
      id: `${at}`,
      features: ['a', 'b', 'c', 'd'].filter((_, j) => at % (j + 2) > 0)
    }))
    const [ready, given] = [folder.write('ready.parquet', parquetRows(rows)), folder.write('a.json', '{"a": "a"}')]
    const args = [ready, '--anchors', given, '--max-share', '1']
    await adfaDone`count ${args} -o ${folder.at('memory.counts')}`
    const engine = ['--engine', 'duckdb', '--memory', '300MB', '-o', folder.at('duckdb.counts')]
    expect(await adfa`count ${args} ${engine}`).toMatchObject({code: 0, stderr: ''})
    expect(folder.bytes('duckdb.counts')).toEqual(folder.bytes('memory.counts'))
    expect(await adfa`count ${args} ${engine} --category sxe`).toEqual(refused(2, /there is no column "sxe"/))
    expect(await adfa`count ${args} ${engine} --label-share 1`).toEqual(refused(2, /read no tags.*memory engine/))
  })

  test.each([
    ['--memory 2GB', /--memory cannot change anything with --engine memory/],
    ['--engine duckdb --time-limit 5', /--time-limit cannot change anything with --engine duckdb/],
    ['--engine clickhouse --workers 2', /--workers cannot change anything with --engine clickhouse/],
    ['--engine spark', /Allowed choices are memory, duckdb, clickhouse/],
    ['--memory much', /must be a size such as 500MB or 2GB/],
    ['--workers 100000', /a whole number from 1 to 1024/],
    ['--engine clickhouse clickhouse://localhost/db/notes', /counts one table; name a Distributed/],
    ['clickhouse://localhost/db/notes', /is a table of ClickHouse; add --engine clickhouse/],
    ['- --engine duckdb', /--engine duckdb reads files, not standard input/]
  ])('adfa count %s is refused', async (args, message) => {
    const out = folder.at('refused.counts')
    expect(await adfa`count ${docs} ${args.split(' ')} ${reading} -o ${out}`).toEqual(refused(2, message))
    expect(folder.names()).not.toContain('refused.counts')
  })
})

describe('adfa count --print-sql', async () => {
  const {docs, anchors} = await generateSmall(folder)
  const reading = ['--anchors', anchors, '--text', '', '--vocabulary', '30']
  const all = folder.at('all.counts')
  await adfaDone`count ${docs} ${reading} -o ${all}`

  /** Runs the statements and exports the results of the last two. */
  async function exported(sql: string, name: string): Promise<string[]> {
    const database = await (await DuckDBInstance.create()).connect()
    const statements = sql.split(/;\n/).filter(text => text.trim() !== '')
    const queries = statements.splice(-2)
    for (const common of statements) await database.run(common)
    const paths = ['groups', 'words'].map(part => folder.at(`${name}-${part}.csv`))
    for (const [at, query] of queries.entries()) await database.run(`COPY (${query}) TO '${paths[at]}' (HEADER)`)
    return paths
  }

  test('prints statements whose results are counted as the documents, byte for byte, and released', async () => {
    const tables = await exported(await adfaDone`count ${docs} --print-sql duckdb ${reading}`, 'printed')
    const out = folder.at('printed.counts')
    expect(await adfaJson`count ${tables} ${reading} -o ${out}`).toMatchObject({documents: 600, words: 30})
    expect(folder.bytes('printed.counts')).toEqual(folder.bytes('all.counts'))
    const release = ['--max-order', '2', '--min-cell', '0', '--site', 'A', '-o', folder.at('a.tables')]
    expect((await adfa`count ${tables.reverse()} --like ${all} ${release}`).code).toBe(0)
  })

  test('their results are examined and learned from as counts are; groups alone, and what they have not, are refused', async () => {
    const [groups, words] = await exported(await adfaDone`count ${docs} --print-sql duckdb ${reading}`, 'learned')
    expect(await adfa`doctor ${groups} ${words} ${reading}`).toEqual(await adfa`doctor ${all}`)
    expect((await adfa`fit ${groups} ${words} ${reading} -o ${folder.at('model.json')}`).code).toBe(0)
    for (const [args, message] of [
      [[groups, ...reading], /there are groups and no words; give the result of the second statement/],
      [[groups, words, ...reading, '--label-share', '1'], /groups of documents have no tags, votes or labels/],
      [[groups, words], /no anchors given.*not groups of them/],
      [[groups, words, ...reading, '--hold-out'], /--hold-out cannot change anything/]
    ] as const)
      expect((await adfa`doctor ${args}`).stderr).toMatch(message)
    expect(await adfa`count ${groups} ${words} --like ${all} --shard 1/2 -o ${folder.at('none.counts')}`).toEqual(
      refused(2, /--shard cannot change anything/)
    )
  })

  test('in the folder of a project it takes the settings, and asks for a table and not for documents', async () => {
    const project = {format: 'adfa-project', version: 1, documents: [docs], anchors, read: {text: []}}
    const named = ['--project', folder.write('p.adfa.json', JSON.stringify(project))]
    expect(await adfa`count --print-sql duckdb ${named}`).toEqual(refused(2, /needs the name of a table/))
    expect(await adfaDone`count notes --print-sql duckdb ${named}`).toMatch(/FROM "notes"/)
  })

  test('--like asks for the words of other counts, and groups of other anchors are refused', async () => {
    const done = await adfa`count ${docs} --print-sql duckdb --like ${all} -o ${folder.at('like.sql')}`
    expect(done).toMatchObject({code: 0, stdout: expect.stringMatching(/^wrote .*like\.sql\n$/)})
    const tables = await exported(folder.text('like.sql'), 'like')
    await adfaDone`count ${tables} --like ${all} -o ${folder.at('like.counts')}`
    expect(folder.bytes('like.counts')).toEqual(folder.bytes('all.counts'))
    const few = folder.write('few.jsonl', '{"mask": [], "documents": 3}\n')
    const none = folder.write('no-words.jsonl', '')
    expect(await adfa`count ${few} ${none} --like ${all} -o ${folder.at('none.counts')}`).toEqual(
      refused(1, /no group has a feature that the anchors name/)
    )
  })

  test.each([
    [['--print-sql', 'oracle'], /Allowed choices are duckdb, clickhouse, spark, bigquery, snowflake/],
    [['--print-sql', 'duckdb', '--text', ''], /no anchors given/],
    [['--print-sql', 'duckdb', '--label-share', '1'], /take no --label-share/],
    [['--print-sql', 'snowflake', '--anchors', anchors, '--text', 'note'], /Snowflake cannot cut text .*--text ''/],
    [['--print-sql', 'duckdb', '--anchors', anchors, '--negation'], /--negation .*SQL cannot follow.*memory engine/],
    [['--anchors', anchors], /required option '-o, --output <file>'/]
  ])('adfa count %j is refused', async (args, message) => {
    expect(await adfa`count ${docs} ${args}`).toEqual(refused(2, message))
  })
})
