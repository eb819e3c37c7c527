import {existsSync, mkdirSync, readdirSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import {gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {countsFromBytes} from '../../../read/counts/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, endOf, jsonLines, startProgram, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(200, rng(3))
const docs = [folder.at('a.jsonl'), folder.at('b.jsonl.gz'), folder.at('c.jsonl')]
const like = ['--like', folder.at('sample.counts')]
const of = 4

const shardFile = (shard: number) => folder.at(`shard-${shard}.counts`)
const countShard = (shard: number, file = shardFile(shard)) =>
  adfaDone('count', ...docs, '--shard', `${shard}/${of}`, ...like, '-o', file)

beforeAll(async () => {
  folder.write('a.jsonl', questions.slice(0, 90))
  folder.write('b.jsonl.gz', gzipSync(jsonLines(questions.slice(90, 110))))
  folder.write('c.jsonl', jsonLines(questions.slice(110)).trimEnd().replaceAll('\n', '\r\n'))
  folder.write('tools.json', JSON.stringify({python: 'title:python', git: ['git', 'text:branch'], 'c#': 'title:c#'}))
  const learning = ['--anchors', folder.at('tools.json'), '--label-share', '0.5', '--seed', '2']
  await adfaDone('count', docs[0], ...learning, '-o', folder.at('sample.counts'))
  await adfaDone('count', ...docs, ...like, '-o', folder.at('all.counts'))
  for (let shard = 1; shard <= of; shard++) await countShard(shard)
})

function countsIn(name: string) {
  return countsFromBytes(folder.bytes(name), name)
}

/** Run a command that must fail, and leave no output and nothing temporary. */
async function failure(...args: readonly string[]): Promise<string> {
  const before = folder.names()
  const {code, stdout, stderr} = await adfa(...args, '-o', folder.at('never.counts'))
  expect([code, stdout, folder.names()]).toEqual([expect.toBeOneOf([1, 2]), '', before])
  return stderr
}

describe('adfa count --shard', () => {
  test('adfa count --shard k/n of all k, merged in any order and nesting, is adfa count, byte for byte', async () => {
    const [one, two, three, four] = [1, 2, 3, 4].map(shardFile)
    await adfaDone('merge', one, two, three, four, '-o', folder.at('merged.counts'))
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('all.counts'))
    await adfaDone('merge', four, two, '-o', folder.at('even.counts'))
    await adfaDone('merge', three, folder.at('even.counts'), one, '-o', folder.at('merged.counts'))
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa count --shard says which part it is, in words and as JSON', async () => {
    const {stderr} = await adfa('count', ...docs, '--shard', '2/4', ...like, '-o', folder.at('x.counts'))
    expect(stderr).toBe('this is shard 2 of 4; adfa merge adds up all shards\n')
    const result = await adfaJson('count', ...docs, '--shard', '2/4', ...like, '-o', folder.at('x.counts'))
    expect(result).toMatchObject({
      shards: {of: 4, done: [2], missing: [1, 3, 4], job: expect.stringMatching(/^3 files/)}
    })
    expect(folder.bytes('x.counts')).toEqual(folder.bytes('shard-2.counts'))
  })

  test('adfa count --shard 1/1 is adfa count', async () => {
    const ended = await adfa('count', ...docs, '--shard', '1/1', ...like, '-o', folder.at('x.counts'))
    expect(ended).toMatchObject({code: 0, stderr: ''})
    expect(folder.bytes('x.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa count --shard writes an empty shard, and says that it is fine', async () => {
    const one = folder.write('one.jsonl', questions.slice(0, 1))
    const files = [1, 2, 3].map(shard => folder.at(`empty-${shard}.counts`))
    for (const [at, file] of files.entries()) {
      const {code, stderr} = await adfa('count', one, '--shard', `${at + 1}/3`, ...like, '-o', file)
      expect([code, /holds no document; that is fine/.test(stderr)]).toEqual([0, at > 0])
      expect(stderr).not.toMatch(/no document has/)
    }
    await adfaDone('merge', ...files, '-o', folder.at('one.counts'))
    await adfaDone('count', one, ...like, '-o', folder.at('direct.counts'))
    expect(folder.bytes('one.counts')).toEqual(folder.bytes('direct.counts'))
  })

  test('adfa count --shard takes the words of another shard or of a partial merge by --like', async () => {
    await adfaDone('count', ...docs, '--shard', '3/4', '--like', shardFile(1), '-o', folder.at('x.counts'))
    expect(folder.bytes('x.counts')).toEqual(folder.bytes('shard-3.counts'))
  })

  test('adfa count --shard --labels finds the labels of its documents, and merges to those of all', async () => {
    const labels = folder.write(
      'labels.jsonl',
      questions.slice(100, 104).map(({id}) => ({id, labels: {python: true, git: false}}))
    )
    const args = [...docs, ...like, '--labels', labels]
    const files = [1, 2, 3].map(shard => folder.at(`labels-${shard}.counts`))
    for (const [at, file] of files.entries()) {
      const {code, stderr} = await adfa('count', ...args, '--shard', `${at + 1}/3`, '-o', file)
      expect([code, stderr]).toEqual([0, expect.not.stringMatching(/labelled documents/)])
    }
    await adfaDone('merge', ...files, '-o', folder.at('labels.counts'))
    await adfaDone('count', ...args, '-o', folder.at('direct.counts'))
    expect(folder.bytes('labels.counts')).toEqual(folder.bytes('direct.counts'))
    folder.write('labels.jsonl', [{id: questions[0].id, labels: {python: true}}])
    await adfaDone('count', ...args, '--shard', '2/3', '-o', folder.at('x.counts'))
    expect(await failure('merge', files[0], folder.at('x.counts'))).toMatch(/are shards of different jobs/)
  })

  test('adfa count --shard refuses what would not add up', async () => {
    const anchors = ['--anchors', folder.at('tools.json')]
    expect(await failure('count', ...docs, '--shard', '1/2', ...anchors)).toMatch(
      /all parts need the same words and anchors.*--like FILE .*--protocol FILE/
    )
    expect(await failure('count', ...docs, '--shard', '1/2', ...like, '--min-cell', '5')).toMatch(
      /tables to share are made from all documents; .*--max-order to adfa merge/
    )
    expect(await failure('count', ...docs, '--shard', '1/2', ...like, '--engine', 'duckdb')).toMatch(
      /the engine duckdb divides its work itself; leave --shard out/
    )
    expect(await failure('count', docs[0], '-', '--shard', '1/2', ...like)).toMatch(/standard input cannot be cut/)
    for (const bad of ['0/2', '3/2', '2', '1/0', 'a/b', '1/2/3', '-1/2', '1/2000000']) {
      const {code, stderr} = await adfa('count', ...docs, '--shard', bad, ...like, '-o', folder.at('never.counts'))
      expect([bad, code, stderr]).toEqual([bad, 2, expect.stringMatching(/2\/8 is the second of eight/)])
    }
  })
})

describe('adfa merge of shards', () => {
  test('adfa merge of some shards says which are missing and how to count them, and that command works', async () => {
    const file = folder.at('partial.counts')
    const {stdout: text, stderr} = await adfa('merge', shardFile(1), shardFile(3), '-o', file)
    expect(stderr).toMatch(/^added .*shard-1\.counts +\d+ documents +shard 1 of 4\nadded .* shard 3 of 4\n$/)
    expect(text).toContain('partial: shards 1, 3 of 4; missing 2, 4\n')
    expect(text).toContain(`adfa count DOCS --shard 2/4 --like ${file} -o shard-2.counts`)
    const json = await adfaJson('merge', shardFile(3), shardFile(1), '-o', file)
    expect(json).toMatchObject({
      isComplete: false,
      shards: {of: 4, done: [1, 3], missing: [2, 4]},
      added: [
        {file: shardFile(3), shards: [3]},
        {file: shardFile(1), shards: [1]}
      ]
    })
    const [two, four] = [folder.at('two.counts'), folder.at('four.counts')]
    await adfaDone('count', ...docs, '--shard', '2/4', '--like', file, '-o', two)
    await adfaDone('count', ...docs, '--shard', '4/4', '--like', file, '-o', four)
    await adfaDone('merge', file, two, four, '-o', folder.at('merged.counts'))
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa count --shard --protocol makes shards of the agreement, which merge to what adfa count --protocol gives', async () => {
    const protocol = folder.at('protocol.json')
    await adfaDone('protocol', docs[0], '--anchors', folder.at('tools.json'), '-o', protocol)
    const files = [1, 2].map(shard => folder.at(`agreed-${shard}.counts`))
    for (const [at, file] of files.entries())
      await adfaDone('count', ...docs, '--shard', `${at + 1}/2`, '--protocol', protocol, '-o', file)
    await adfaDone('merge', ...files, '-o', folder.at('merged.counts'))
    await adfaDone('count', ...docs, '--protocol', protocol, '-o', folder.at('agreed.counts'))
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('agreed.counts'))
    const text = await adfaDone('merge', files[1], '-o', folder.at('partial.counts'))
    expect(text).toContain('adfa count DOCS --shard 1/2 --protocol PROTOCOL -o shard-1.counts')
  })

  test('adfa merge refuses a shard twice, shards of another job or number, and complete counts, by name', async () => {
    const [one, two] = [shardFile(1), shardFile(2)]
    await adfaDone('merge', one, shardFile(3), '-o', folder.at('13.counts'))
    expect(await failure('merge', one, two, folder.at('13.counts'))).toMatch(
      /shard-1\.counts and .*13\.counts both hold shard 1 of 4; .*leave one of the files out/
    )
    const again = folder.write('again.counts', folder.bytes('shard-1.counts'))
    expect(await failure('merge', one, again)).toMatch(
      /^adfa: .*shard-1\.counts and .*again\.counts both hold shard 1 of 4/
    )
    await adfaDone('count', docs[0], '--shard', '2/4', ...like, '-o', folder.at('other.counts'))
    expect(await failure('merge', one, folder.at('other.counts'))).toMatch(
      /shard-1\.counts and .*other\.counts are shards of different jobs \(3 files, .* and 1 file, .*same DOCS/
    )
    await adfaDone('count', ...docs.toReversed(), '--shard', '2/4', ...like, '-o', folder.at('other.counts'))
    expect(await failure('merge', one, folder.at('other.counts'))).toMatch(/are shards of different jobs/)
    await adfaDone('count', ...docs, '--shard', '2/5', ...like, '-o', folder.at('other.counts'))
    expect(await failure('merge', one, folder.at('other.counts'))).toMatch(/are shards of 4 and of 5/)
    expect(await failure('merge', one, folder.at('all.counts'))).toMatch(
      /shard-1\.counts holds shard 1 of 4, .*all\.counts is complete/
    )
  })

  test('adfa merge names every shard that is cut short, damaged or not there; made again, all is well', async () => {
    const cut = folder.write('cut.counts', folder.bytes('shard-2.counts').subarray(0, 300))
    const damaged = folder.bytes('shard-3.counts')
    damaged[damaged.length - 20] ^= 1
    const bad = folder.write('bad.counts', damaged)
    const old = folder.write('old.counts', 'what was there before')
    const {code, stderr} = await adfa('merge', shardFile(1), cut, bad, folder.at('gone.counts'), '-o', old)
    expect(code).toBe(1)
    expect(stderr).toMatch(/3 of 4 files cannot be used:\n {2}.*cut\.counts: the file is damaged or cut short/)
    expect(stderr).toMatch(/\n {2}.*bad\.counts: the file is damaged.*\n {2}.*gone\.counts: no such file/)
    expect(stderr).not.toContain('shard-1.counts')
    expect(folder.text('old.counts')).toBe('what was there before')
    expect(await failure('merge', shardFile(1), cut)).toMatch(
      /^adfa: .*cut\.counts: .*; make it again with adfa count\n$/
    )
    await countShard(2, cut)
    await countShard(3, bad)
    await adfaDone('merge', shardFile(1), cut, bad, shardFile(4), '-o', old)
    expect(folder.bytes('old.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('everything that learns from counts refuses partial ones and says what is missing', async () => {
    const partial = folder.at('13.counts')
    await adfaDone('merge', shardFile(1), shardFile(3), '-o', partial)
    await adfaDone('fit', folder.at('all.counts'), '--noise', 'labels', '--skip-bad-anchors', '-o', folder.at('m.json'))
    const model = folder.at('m.json')
    const refused =
      /13\.counts: these counts hold shards 1, 3 of 4; missing 2, 4; count them with adfa count --shard 2\/4 \.\.\. and merge/
    for (const args of [
      ['fit', partial],
      ['noise', partial],
      ['report', model, '--counts', partial]
    ]) {
      const {code, stderr} = await adfa(...args, '-o', folder.at('never'))
      expect([args[0], code, stderr]).toEqual([args[0], 1, expect.stringMatching(refused)])
    }
    for (const args of [
      ['doctor', partial],
      ['suggest', partial, '--for', 'git']
    ]) {
      const {code, stderr} = await adfa(...args)
      expect([args[0], code, stderr]).toEqual([args[0], 1, expect.stringMatching(refused)])
    }
    expect(folder.names()).not.toContain('never')
  })
})

describe('adfa count --shard, broken off', () => {
  test('a shard that was killed leaves no counts, and the same command again completes it', async () => {
    mkdirSync(folder.at('killed'))
    const many = folder.write('many.jsonl', jsonLines(drawQuestions(2000, rng(5))).repeat(60))
    const file = folder.at('killed/x.counts')
    const names = () => readdirSync(folder.at('killed'))
    const args = ['count', many, '--shard', '2/2', ...like, '-o', file, '--quiet']
    const child = startProgram(args)
    const end = endOf(child)
    await delay(1300)
    child.kill('SIGKILL')
    await end
    // On a fast machine it may be done by then: the counts are whole, or there are none.
    const isWhole = () => countsIn('killed/x.counts').documentCount > 50_000
    expect(!names().includes('x.counts') || isWhole()).toBe(true)
    await adfaDone(...args)
    expect(countsIn('killed/x.counts').documentCount).toBeGreaterThan(50_000)
  }, 60_000)

  test.skipIf(!existsSync('/dev/full'))('a full disk is said in plain words', async () => {
    const {code, stdout, stderr} = await adfa('count', ...docs, '--shard', '1/4', ...like, '-o', '/dev/full')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/\/dev\/full: cannot be written: the disk is full; free some space or write elsewhere/)
    const merged = await adfa('merge', shardFile(1), shardFile(2), '-o', '/dev/full')
    expect([merged.code, merged.stdout]).toEqual([1, ''])
    expect(merged.stderr).toMatch(/the disk is full/)
  })
})
