import {gunzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {parseAnchors} from '../../../read/data/index.ts'
import {emergencyModel} from '../../../use/synthetic/index.ts'
import {adfa, adfaDone, adfaJson, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const [docs, truth, anchors] = ['docs.jsonl', 'truth.json', 'anchors.json'].map(folder.at)
const size = ['--documents', '50', '--concepts', '3', '--words', '30']

describe('adfa generate random', () => {
  test('writes documents, the true model and its anchors, and names the files, as text or as JSON', async () => {
    const args = ['generate', 'random', ...size, '-o', docs, '--truth', truth]
    const stdout = `wrote ${docs}, ${truth}, ${anchors}\n`
    expect(await adfa`${args} --anchors ${anchors} --quiet`).toEqual({code: 0, stdout, stderr: ''})
    const rows = folder.rows('docs.jsonl')
    expect(rows).toHaveLength(50)
    expect(rows[49]).toEqual({id: 'random-000050', features: expect.any(Array), tags: expect.any(Array)})
    const {concepts, lexicon} = folder.model('truth.json')
    expect([concepts.length, lexicon.words.length]).toEqual([3, 30])
    const rates = concepts.map(({name, truePositive, falsePositive}) => ({
      concept: name,
      rates: {kind: 'rates', truePositive, falsePositive}
    }))
    expect(parseAnchors(folder.text('anchors.json'), 'anchors.json')).toMatchObject(rates)
    expect(await adfaJson(...args)).toEqual({documents: 50, concepts: 3, words: 30, files: [docs, truth]})
  })

  test('--seed gives the same bytes for the same seed, also to standard output and compressed', async () => {
    const generate = async (seed: string) => {
      await adfaDone`generate random ${size} --seed ${seed} -o ${docs} --truth ${truth}`
      return [folder.text('docs.jsonl'), folder.text('truth.json')]
    }
    const once = await generate('7')
    expect(await generate('7')).toEqual(once)
    const other = await generate('8')
    expect([other[0] === once[0], other[1] === once[1], JSON.parse(other[1]).seed]).toEqual([false, false, 8])
    expect(await adfaDone`generate random ${size} --seed 7 -o -`).toBe(once[0])
    await adfaDone`generate random ${size} --seed 7 -o ${folder.at('docs.jsonl.gz')}`
    expect(gunzipSync(folder.bytes('docs.jsonl.gz')).toString()).toBe(once[0])
  })
})

test('adfa generate emergency draws visits from the known emergency department, a longer run as a shorter one', async () => {
  const result = await adfaJson`generate emergency --documents 300 -o ${docs} --truth ${truth} --anchors ${anchors}`
  const {concepts, lexicon} = emergencyModel()
  expect(result).toMatchObject({documents: 300, concepts: 23, words: lexicon.words.length})
  expect(folder.model('truth.json').concepts).toEqual(concepts)
  expect(Object.keys(folder.json('anchors.json'))).toHaveLength(23)
  const names = concepts.map(({name}) => name)
  for (const {tags} of folder.rows('docs.jsonl')) expect(names).toEqual(expect.arrayContaining(tags))
  const short = folder.text('docs.jsonl')
  const long = await adfaDone`generate emergency --documents 5000 -o -`
  expect(long.startsWith(short)).toBe(true)
  expect(await adfaDone`generate emergency --documents 300 --seed 2 -o -`).not.toBe(short)
})

describe('adfa generate, refusals', () => {
  test.each([
    ['sequence', /argument 'kind'.*Allowed choices are random, emergency/],
    ['random --concepts 0', /--concepts <m>.*must be a whole number above 0/],
    ['random --concepts 100000', /--concepts must be a whole number from 1 to 10000; got 100000/],
    ['random --concepts 1000 --words 1000000', /--words must be a whole number from 1 to 100000000 \/ --concepts/],
    ['random --documents 1e15', /--documents.*It must be a whole number from 1 to 1,000,000,000/],
    ['random --structure ring', /structure.* must be "independent", "tree" or "indegree:K" .*; got "ring"/],
    ['random --structure indegree:0', /K from 1 to 8; got "indegree:0"/],
    ['random --words-per-document 9999', /wordsPerDocument|words-per-document/],
    ['random -o - --json', /--json.*-o/]
  ])('adfa generate %s is bad usage', async (args, message) => {
    expect(await adfa`generate -o ${folder.at('none.jsonl')} ${args.split(' ')}`).toEqual(refused(2, message))
    expect(folder.names().filter(name => /none|tmp/.test(name))).toEqual([])
  })

  test('leaves no file at all when one of them cannot be written', async () => {
    const missing = folder.at('missing/x.json')
    for (const [option, other] of [
      ['--truth', '--anchors'],
      ['--anchors', '--truth']
    ]) {
      const files = ['-o', folder.at('none.jsonl'), option, missing, other, folder.at('none.json')]
      expect(await adfa`generate random ${size} ${files}`).toEqual(refused(1, /its folder does not exist; create the/))
      expect(folder.names().filter(name => /none|tmp/.test(name))).toEqual([])
    }
  })
})
