import {gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, jsonLines, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(200, rng(3))
const docs = ['a.jsonl', 'b.jsonl.gz', 'c.jsonl'].map(folder.at)
const tools = {python: 'title:python', git: ['git', 'text:branch'], 'c#': 'title:c#'}
const anchors = ['--anchors', folder.write('tools.json', JSON.stringify(tools))]
const like = ['--like', folder.at('sample.counts')]
const shards = [1, 2, 3, 4].map(shard => folder.at(`shard-${shard}.counts`))
const [one, two, three, four] = shards
const [all, merged, never] = ['all.counts', 'merged.counts', 'never.counts'].map(folder.at)
const countShard = (shard: number, file: string) =>
  adfaDone`count ${docs} --shard ${shard.toString()}/4 ${like} -o ${file}`
const expectAll = (name: string) => expect(folder.bytes(name)).toEqual(folder.bytes('all.counts'))

beforeAll(async () => {
  folder.write('a.jsonl', questions.slice(0, 90))
  folder.write('b.jsonl.gz', gzipSync(jsonLines(questions.slice(90, 110))))
  folder.write('c.jsonl', jsonLines(questions.slice(110)).trimEnd().replaceAll('\n', '\r\n'))
  await adfaDone`count ${docs[0]} ${anchors} --label-share 0.5 --seed 2 -o ${like[1]}`
  await adfaDone`count ${docs} ${like} -o ${all}`
  for (const [at, file] of shards.entries()) await countShard(at + 1, file)
})

describe('adfa count --shard', () => {
  test('of all shards, merged in any order and nesting, is adfa count, byte for byte', async () => {
    await adfaDone`merge ${shards} -o ${merged}`
    expectAll('merged.counts')
    await adfaDone`merge ${four} ${two} -o ${folder.at('even.counts')}`
    await adfaDone`merge ${three} ${folder.at('even.counts')} ${one} -o ${merged}`
    expectAll('merged.counts')
    expect(await adfa`count ${docs} --shard 1/1 ${like} -o ${merged}`).toMatchObject({code: 0, stderr: ''})
    expectAll('merged.counts')
  })

  test('says which part it is, in words and as JSON', async () => {
    const {stderr} = await adfa`count ${docs} --shard 2/4 ${like} -o ${merged}`
    expect(stderr).toBe('this is shard 2 of 4; adfa merge adds up all shards\n')
    const told = {of: 4, done: [2], missing: [1, 3, 4], job: expect.stringMatching(/^3 files/)}
    expect(await adfaJson`count ${docs} --shard 2/4 --like ${one} -o ${merged}`).toMatchObject({shards: told})
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('shard-2.counts'))
  })

  test('writes an empty shard and says that it is fine; labels go to the shards of their documents', async () => {
    const few = folder.write('few.jsonl', questions.slice(0, 1))
    const answers = questions.slice(0, 1).map(({id}) => ({id, labels: {python: true, git: false}}))
    const args = [few, ...like, '--labels', folder.write('labels.jsonl', answers)]
    const files = [1, 2].map(shard => folder.at(`few-${shard}.counts`))
    for (const [at, file] of files.entries()) {
      const {code, stderr} = await adfa`count ${args} --shard ${String(at + 1)}/2 -o ${file}`
      expect([code, /holds no document; that is fine/.test(stderr)]).toEqual([0, at > 0])
      expect(stderr).not.toMatch(/no document has|labelled documents/)
    }
    await adfaDone`merge ${files} -o ${merged}`
    await adfaDone`count ${args} -o ${folder.at('direct.counts')}`
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('direct.counts'))
  })

  test('--protocol makes shards of the agreement, which merge to what adfa count --protocol gives', async () => {
    const protocol = ['--protocol', folder.at('protocol.json')]
    await adfaDone`count ${docs[0]} ${anchors} ${protocol}`
    const files = [1, 2].map(shard => folder.at(`agreed-${shard}.counts`))
    for (const [at, file] of files.entries())
      await adfaDone`count ${docs} --shard ${String(at + 1)}/2 ${protocol} -o ${file}`
    await adfaDone`merge ${files} -o ${merged}`
    await adfaDone`count ${docs} ${protocol} -o ${folder.at('agreed.counts')}`
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('agreed.counts'))
    const text = await adfaDone`merge ${files[1]} -o ${merged}`
    expect(text).toContain('adfa count DOCS --shard 1/2 --protocol PROTOCOL -o shard-1.counts')
  })

  test('refuses what would not add up', async () => {
    for (const [args, message] of [
      [['1/2', ...anchors], /all parts need the same words and anchors.*--like FILE .*--protocol FILE/],
      [['1/2', ...like, '--min-cell', '5'], /tables to share are made from all documents; .*--max-order to adfa merge/],
      [['1/2', ...like, '--engine', 'duckdb'], /--shard cannot change anything with --engine duckdb; leave it out/],
      [['1/2', ...like, '-'], /standard input cannot be cut/],
      ...['0/2', '3/2', '2', 'a/b', '1/2/3', '1/2000000'].map(bad => [[bad, ...like], /2\/8 is the second/] as const)
    ] as const)
      expect(await adfa`count ${docs} --shard ${args} -o ${never}`).toEqual(refused(2, message))
    expect(folder.names()).not.toContain('never.counts')
  })
})

describe('adfa merge of shards', () => {
  test('of some says which are missing and how to count them, and that command works', async () => {
    const file = folder.at('partial.counts')
    const {stdout, stderr} = await adfa`merge ${one} ${three} -o ${file}`
    expect(stderr).toMatch(/^added .*shard-1\.counts +\d+ documents +shard 1 of 4\nadded .* shard 3 of 4\n$/)
    expect(stdout).toContain('partial: shards 1, 3 of 4; missing 2, 4\n')
    expect(stdout).toContain(`adfa count DOCS --shard 2/4 --like ${file} -o shard-2.counts`)
    expect(await adfaJson`merge ${three} ${one} -o ${file}`).toMatchObject({
      isComplete: false,
      shards: {of: 4, done: [1, 3], missing: [2, 4]},
      added: [{shards: [3]}, {shards: [1]}]
    })
    await adfaDone`count ${docs} --shard 2/4 --like ${file} -o ${folder.at('two.counts')}`
    await adfaDone`merge ${file} ${folder.at('two.counts')} ${four} -o ${merged}`
    expectAll('merged.counts')
  })

  test('names every shard that is cut short, damaged or not there; made again, all is well', async () => {
    const cut = folder.write('cut.counts', folder.bytes('shard-2.counts').subarray(0, 300))
    const damaged = folder.bytes('shard-3.counts')
    damaged[damaged.length - 20] ^= 1
    const bad = folder.write('bad.counts', damaged)
    const old = folder.write('old.counts', 'what was there before')
    const {code, stderr} = await adfa`merge ${one} ${cut} ${bad} ${folder.at('gone.counts')} -o ${old}`
    expect(code).toBe(1)
    expect(stderr).toMatch(/3 of 4 files cannot be used:\n {2}.*cut\.counts: the file is damaged or cut short/)
    expect(stderr).toMatch(/\n {2}.*bad\.counts: the file is damaged.*\n {2}.*gone\.counts: no such file/)
    expect(stderr).not.toContain('shard-1.counts')
    expect(folder.text('old.counts')).toBe('what was there before')
    await countShard(2, cut)
    await countShard(3, bad)
    await adfaDone`merge ${one} ${cut} ${bad} ${four} -o ${old}`
    expectAll('old.counts')
  })

  test('everything that learns from counts refuses partial ones and says what is missing', async () => {
    const [partial, model] = [folder.at('13.counts'), folder.at('m.json')]
    await adfaDone`merge ${one} ${three} -o ${partial}`
    await adfaDone`fit ${all} --noise labels --skip-bad-anchors -o ${model}`
    const missing = /13\.counts: these counts hold shards 1, 3 of 4; missing 2, 4; count them with .*--shard 2\/4/
    for (const line of [
      ['fit', partial, '-o', never],
      ['report', model, '--counts', partial, '-o', never],
      ['doctor', partial, '-o', never],
      ['suggest', partial, '--for', 'git']
    ])
      expect(await adfa(...line)).toEqual(refused(1, missing))
    expect(folder.names()).not.toContain('never.counts')
  })
})
