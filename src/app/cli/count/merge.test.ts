import {symlinkSync} from 'node:fs'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {countsFromBytes} from '../../../read/counts/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(120, rng(7))
const shards = [questions.slice(0, 30), questions.slice(30, 31), questions.slice(31)]
const shardFiles = shards.map((_, at) => folder.at(`shard-${at}.counts`))
const labels = ['--label-share', '0.5', '--seed', '2']

beforeAll(async () => {
  folder.write('tools.json', JSON.stringify({python: 'title:python', git: ['git', 'text:branch'], 'c#': 'title:c#'}))
  folder.write('all.jsonl', questions)
  const filter = ['--min-tags', '1', '--of-top', '5']
  const args = ['--anchors', folder.at('tools.json'), ...filter, ...labels]
  await adfaDone('count', folder.at('all.jsonl'), ...args, '-o', folder.at('all.counts'))
  for (const [at, shard] of shards.entries()) {
    const docs = folder.write(`shard-${at}.jsonl`, shard)
    await adfaDone('count', docs, '--like', folder.at('all.counts'), ...labels, '-o', shardFiles[at])
  }
})

/** How many documents the filter leaves. */
function documents(): number {
  return countsFromBytes(folder.bytes('all.counts'), 'all.counts').documentCount
}

describe('adfa merge', () => {
  test('adfa merge of counts made with --like equals the counts of all documents, byte for byte', async () => {
    await adfaDone('merge', ...shardFiles, '-o', folder.at('merged.counts'))
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa merge gives the same bytes in any order and in any grouping', async () => {
    const [a, b, c] = shardFiles
    await adfaDone('merge', c, a, '-o', folder.at('ca.counts'))
    await adfaDone('merge', b, folder.at('ca.counts'), '-o', folder.at('merged.counts'))
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa merge of one file copies it', async () => {
    await adfaDone('merge', shardFiles[0], '-o', folder.at('same.counts'))
    expect(folder.bytes('same.counts')).toEqual(folder.bytes('shard-0.counts'))
  })

  test('adfa merge refuses a file that is named twice, by whatever path', async () => {
    const all = folder.at('all.counts')
    const twice = await adfa('merge', all, all, '-o', folder.at('twice.counts'))
    expect(twice).toMatchObject({code: 2, stderr: expect.stringMatching(/all\.counts is given twice; .*name it once/)})
    symlinkSync(all, folder.at('link.counts'))
    const linked = await adfa('merge', all, folder.at('link.counts'), '-o', folder.at('twice.counts'))
    expect(linked.code).toBe(2)
    expect(linked.stderr).toMatch(/all\.counts and .*link\.counts are one file/)
    expect(folder.names()).not.toContain('twice.counts')
  })

  test('adfa merge adds a file with the same content, which may be chance, and asks', async () => {
    const copy = folder.write('copy.counts', folder.bytes('all.counts'))
    const args = ['merge', folder.at('all.counts'), copy, '-o', folder.at('twice.counts')]
    const {stderr} = await adfa(...args)
    expect(stderr).toMatch(/all\.counts and .*copy\.counts hold identical counts; is one a copy/)
    expect(await adfaJson(...args)).toMatchObject({documents: 2 * documents()})
    expect((await adfa('merge', ...shardFiles, '-o', folder.at('merged.counts'))).stderr).not.toMatch(/copy/)
  })

  test('adfa merge says what it made, as text or as JSON', async () => {
    const file = folder.at('merged.counts')
    const {code, stdout, stderr} = await adfa('merge', ...shardFiles, '-o', file, '--quiet')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^\d+ documents, 3 concepts, \d+ words, \d+ anchor patterns\nwrote .*merged\.counts\n$/)
    const result = await adfaJson('merge', ...shardFiles, '-o', file)
    const added = shardFiles.map(file => ({file, documents: expect.any(Number)}))
    expect(result).toEqual({file, documents: documents(), patterns: expect.any(Number), isComplete: true, added})
    expect((await adfa('merge', ...shardFiles, '-o', file)).stderr).toMatch(
      /^added .*shard-0\.counts +\d+ documents\nadded .*shard-1\.counts +\d documents?\nadded .*shard-2\.counts/
    )
  })

  test('adfa merge refuses counts of other anchors, words, options or labels, and says which', async () => {
    const rows = folder.at('all.jsonl')
    const anchors = ['--anchors', folder.at('tools.json')]
    const others: [string, RegExp, string[]][] = [
      [
        'anchors',
        /differ in their anchors/,
        ['--anchors-from-tags', 'title', '--top-tags', '3', '--min-tags', '1', '--of-top', '5', ...labels]
      ],
      [
        'words',
        /differ in their vocabulary/,
        [...anchors, '--vocabulary', '3', '--min-tags', '1', '--of-top', '5', ...labels]
      ],
      [
        'filter',
        /differ in their text options, phrases or document filter/,
        [...anchors, '--min-tags', '1', '--of-top', '6', ...labels]
      ],
      [
        'seed',
        /differ in their share of labelled documents or seed/,
        ['--like', folder.at('all.counts'), '--label-share', '0.5', '--seed', '3']
      ]
    ]
    for (const [name, message, args] of others) {
      const other = folder.at(`${name}.counts`)
      await adfaDone('count', rows, ...args, '-o', other)
      const {code, stdout, stderr} = await adfa('merge', folder.at('all.counts'), other, '-o', folder.at('none.counts'))
      expect([name, code, stdout]).toEqual([name, 1, ''])
      expect(stderr).toMatch(message)
      expect(stderr).toContain(other)
      expect(stderr).toMatch(/--like/)
    }
    expect(folder.names().filter(name => /none|tmp/.test(name))).toEqual([])
  })
})
