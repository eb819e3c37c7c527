import {beforeAll, describe, expect, test} from 'vitest'
import {drawQuestions} from '../engines/test-source.ts'
import {countsFromBytes, rng} from '../index.ts'
import {adfa, adfaDone, adfaJson, testFolder} from './test-run.ts'

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

  test('adfa merge of one file copies it; of a file with itself doubles it', async () => {
    await adfaDone('merge', shardFiles[0], '-o', folder.at('same.counts'))
    expect(folder.bytes('same.counts')).toEqual(folder.bytes('shard-0.counts'))
    const twice = await adfaJson(
      'merge',
      folder.at('all.counts'),
      folder.at('all.counts'),
      '-o',
      folder.at('twice.counts')
    )
    expect(twice).toMatchObject({documents: 2 * documents()})
  })

  test('adfa merge may write over one of its inputs', async () => {
    folder.write('sum.counts', folder.bytes('shard-0.counts'))
    await adfaDone('merge', folder.at('sum.counts'), ...shardFiles.slice(1), '-o', folder.at('sum.counts'))
    expect(folder.bytes('sum.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa merge says what it made, as text or as JSON', async () => {
    const file = folder.at('merged.counts')
    const {code, stdout, stderr} = await adfa('merge', ...shardFiles, '-o', file, '--quiet')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^\d+ documents, 3 concepts, \d+ words, \d+ anchor patterns\nwrote .*merged\.counts\n$/)
    const result = await adfaJson('merge', ...shardFiles, '-o', file)
    expect(result).toEqual({file, documents: documents(), patterns: expect.any(Number)})
  })

  test('adfa merge refuses counts of other anchors, words, options or labels, and says which', async () => {
    const rows = folder.at('all.jsonl')
    const anchors = ['--anchors', folder.at('tools.json')]
    const others: [string, RegExp, string[]][] = [
      [
        'anchors',
        /differ in their anchors/,
        ['--anchors-from-tags', 'title', '--latents', '3', '--min-tags', '1', '--of-top', '5', ...labels]
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
