import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {parquetRows} from '../../../read/engines/test-corpus-files.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, endOf, startProgram, testFolder} from '../test-run.ts'

const folder = testFolder()
const docs = folder.write('questions.jsonl', drawQuestions(300, rng(1)))
const anchors = folder.write('tools.json', JSON.stringify({python: 'title:python', git: ['git', 'text:branch']}))
const reading = ['--anchors', anchors, '--label-share', '1']

async function bytesOf(...args: readonly string[]): Promise<Buffer> {
  await adfaDone('count', docs, ...args, '-o', folder.at('x.counts'), '--quiet')
  return folder.bytes('x.counts')
}

describe('adfa count --workers', () => {
  test('adfa count --workers gives the same bytes on any number of threads, with labels too', async () => {
    const labels = folder.write('labels.jsonl', '{"id": "3", "labels": {"python": true}}\n')
    const expected = await bytesOf(...reading, '--workers', '0')
    expect(await bytesOf(...reading, '--workers', '2')).toEqual(expected)
    expect(await bytesOf(...reading)).toEqual(expected)
    const labelled = ['--anchors', anchors, '--labels', labels]
    expect(await bytesOf(...labelled, '--workers', '2')).toEqual(await bytesOf(...labelled))
  })

  test('adfa count --workers names the line that is not JSON, and leaves no file', async () => {
    const bad = folder.write('bad.jsonl', '{"text": "git"}\noops\n')
    const {code, stderr} = await adfa('count', bad, ...reading, '--workers', '1', '-o', folder.at('bad.counts'))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^adfa: .*bad\.jsonl:2: not valid JSON/)])
    expect(folder.names().filter(name => name.includes('bad.counts'))).toEqual([])
  })
})

describe('adfa count --distinct-words', () => {
  test('adfa count --distinct-words says when the vocabulary is approximate, and by how much', async () => {
    const args = [
      'count',
      docs,
      '--anchors',
      anchors,
      '--skip-bad-anchors',
      '--vocabulary',
      '3',
      '-o',
      folder.at('x.counts')
    ]
    const few = await adfa(...args, '--distinct-words', '5')
    expect(few.code).toBe(0)
    expect(few.stderr).toMatch(
      /the vocabulary is approximate: a field has more than 5 different words.*up to \d+ documents/
    )
    expect(await adfaJson(...args, '--distinct-words', '5')).toMatchObject({vocabularyError: expect.any(Number)})
    const enough = await adfa(...args)
    expect(enough.stderr).not.toMatch(/approximate/)
    expect(await adfaJson(...args)).not.toHaveProperty('vocabularyError')
  })
})

describe('adfa count --engine', () => {
  const isInstalled = existsSync(new URL('../../../../node_modules/@duckdb/node-api', import.meta.url))

  test.skipIf(!isInstalled)('adfa count --engine duckdb gives the bytes of this program', async () => {
    const rows = Array.from({length: 50}, (_, at) => ({
      id: `${at}`,
      features: ['a', 'b', 'c', 'd'].filter((_, j) => at % (j + 2) > 0)
    }))
    const ready = folder.write('ready.parquet', parquetRows(rows))
    const args = [ready, '--anchors', folder.write('a.json', '{"a": "a"}'), '--max-share', '1']
    await adfaDone('count', ...args, '-o', folder.at('memory.counts'))
    const engine = ['--engine', 'duckdb', '--memory', '300MB', '-o', folder.at('duckdb.counts')]
    const told = await adfa('count', ...args, ...engine)
    expect([told.code, told.stderr]).toEqual([0, ''])
    expect(folder.bytes('duckdb.counts')).toEqual(folder.bytes('memory.counts'))
    const wrong = await adfa('count', ...args, ...engine, '--category', 'sxe')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/there is no column "sxe"/)])
    const labelled = await adfa('count', ...args, ...engine, '--label-share', '1')
    expect([labelled.code, labelled.stderr]).toEqual([2, expect.stringMatching(/read no tags.*memory engine/)])
  })

  test.each([
    [['--memory', '2GB'], /--memory cannot change anything with --engine memory/],
    [['--tokens-column', 'words'], /--tokens-column cannot change anything with --engine memory/],
    [['--engine', 'duckdb', '--credentials', 'x'], /--credentials cannot change anything with --engine duckdb/],
    [['--engine', 'clickhouse', '--format', 'csv'], /--format cannot change anything with --engine clickhouse/],
    [['--engine', 'clickhouse', '--workers', '2'], /--workers cannot change anything with --engine clickhouse/],
    [['--engine', 'spark'], /Allowed choices are memory, duckdb, clickhouse/],
    [['--memory', 'much'], /must be a size such as 500MB or 2GB/],
    [['--engine', 'clickhouse', 'clickhouse://localhost/db/notes'], /counts one table; name a Distributed/],
    [['clickhouse://localhost/db/notes'], /is a table of ClickHouse; add --engine clickhouse/],
    [['-', '--engine', 'duckdb'], /--engine duckdb reads files, not standard input/]
  ])('adfa count %j is refused', async (args, message) => {
    const {code, stderr} = await adfa('count', docs, ...args, ...reading, '-o', folder.at('refused.counts'))
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    expect(folder.names()).not.toContain('refused.counts')
  })
})

describe('adfa count, interrupted', () => {
  test('SIGINT in the middle of adfa count --workers ends the threads and leaves no file', async () => {
    const many = folder.write('many.jsonl', Buffer.concat(new Array(2000).fill(folder.bytes('questions.jsonl'))))
    const args = ['count', many, ...reading, '--workers', '2', '-o', folder.at('cut.counts')]
    const child = startProgram(args)
    const end = endOf(child)
    await once(child.stderr, 'data')
    child.kill('SIGINT')
    expect(await end).toMatchObject({code: null, signal: 'SIGINT', stdout: ''})
    expect(folder.names().filter(name => name.includes('cut.counts'))).toEqual([])
  })
})
