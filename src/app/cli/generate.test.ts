import {gunzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {createLogPrior, directedNetwork} from '../../base/network/index.ts'
import {loadModel} from '../../learn/model/index.ts'
import {parseAnchors} from '../../read/data/index.ts'
import {emergencyModel} from '../../use/synthetic/index.ts'
import {adfa, adfaDone, adfaJson, parseLines, testFolder} from './test-run.ts'

const folder = testFolder()
const docs = folder.at('docs.jsonl')
const truth = folder.at('truth.json')
const anchors = folder.at('anchors.json')
const size = ['--documents', '50', '--concepts', '3', '--words', '30']

describe('adfa generate random', () => {
  test('adfa generate random writes documents, the true model and its anchors, and names the files', async () => {
    const args = ['generate', 'random', ...size, '-o', docs, '--truth', truth, '--anchors', anchors, '--quiet']
    const {code, stdout, stderr} = await adfa(...args)
    expect([code, stdout, stderr]).toEqual([0, `wrote ${docs}, ${truth}, ${anchors}\n`, ''])
    const rows = folder.rows('docs.jsonl')
    expect(rows).toHaveLength(50)
    expect(rows[49]).toEqual({id: 'random-000050', features: expect.any(Array), tags: expect.any(Array)})
    const model = loadModel(folder.text('truth.json'), 'truth.json')
    expect([model.concepts.length, model.lexicon.words.length]).toEqual([3, 30])
    const list = parseAnchors(folder.text('anchors.json'), 'anchors.json')
    expect(list.map(({concept, rates}) => ({concept, rates}))).toEqual(
      model.concepts.map(({name, truePositive, falsePositive}) => ({
        concept: name,
        rates: {kind: 'rates', truePositive, falsePositive}
      }))
    )
  })

  test.each([
    [['--concepts', '100000'], /--concepts must be a whole number from 1 to 10000; got 100000/],
    [['--concepts', '1000', '--words', '1000000'], /--words must be a whole number from 1 to 100000000 \/ --concepts/],
    [['--documents', '1e15'], /--documents.*It must be a whole number from 1 to 1,000,000,000/]
  ])('adfa generate random %s is refused at once', async (more, message) => {
    const {code, stderr} = await adfa('generate', 'random', ...more, '-o', docs)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  test('adfa fit refuses millions of resamplings, and adfa count thousands of threads', async () => {
    const fit = await adfa('fit', docs, '--anchors', anchors, '--intervals', '100000000', '-o', truth)
    expect([fit.code, fit.stderr]).toEqual([2, expect.stringContaining('a whole number from 1 to 100,000')])
    await adfaDone('generate', 'random', ...size, '-o', docs, '--anchors', anchors)
    const count = await adfa('count', docs, '--anchors', anchors, '--workers', '100000', '-o', folder.at('x'))
    expect([count.code, count.stderr]).toEqual([2, expect.stringContaining('a whole number from 1 to 1024')])
  })

  test('adfa generate random --json tells what it made', async () => {
    const result = await adfaJson('generate', 'random', ...size, '-o', docs, '--truth', truth)
    expect(result).toEqual({documents: 50, concepts: 3, words: 30, files: [docs, truth]})
  })

  test('adfa generate random --seed gives the same bytes for the same seed, and other documents and models for another', async () => {
    const generate = async (seed: string, ...more: string[]) => {
      await adfaDone('generate', 'random', ...size, '--seed', seed, ...more, '-o', docs, '--truth', truth)
      return [folder.text('docs.jsonl'), folder.text('truth.json')]
    }
    const once = await generate('7')
    expect(await generate('7')).toEqual(once)
    const other = await generate('8')
    expect(other[0]).not.toBe(once[0])
    expect(other[1]).not.toBe(once[1])
    expect(JSON.parse(other[1])).toMatchObject({seed: 8})
    expect(JSON.parse((await generate('0'))[1])).toMatchObject({seed: 0})
  })

  test('adfa generate random -o - prints the documents, and a name in .gz compresses them', async () => {
    await adfaDone('generate', 'random', ...size, '-o', docs)
    expect(await adfaDone('generate', 'random', ...size, '-o', '-')).toBe(folder.text('docs.jsonl'))
    await adfaDone('generate', 'random', ...size, '-o', folder.at('docs.jsonl.gz'))
    expect(gunzipSync(folder.bytes('docs.jsonl.gz'))).toEqual(folder.bytes('docs.jsonl'))
  })

  test('adfa generate random --structure independent and --words-per-document shape the model', async () => {
    const shape = ['--structure', 'independent', '--words-per-document', '12', '--words', '200']
    await adfaDone('generate', 'random', ...size, ...shape, '--documents', '2000', '-o', docs, '--truth', truth)
    const {network} = loadModel(folder.text('truth.json'), 'truth.json')
    expect(directedNetwork(network).parents).toEqual([[], [], []])
    const lengths = JSON.parse(`[${folder.text('docs.jsonl').trimEnd().split('\n').join()}]`).map(
      (row: {features: string[]}) => row.features.filter(name => name.startsWith('word-')).length
    )
    const mean = lengths.reduce((sum: number, length: number) => sum + length, 0) / 2000
    const variance = lengths.reduce((sum: number, length: number) => sum + (length - mean) ** 2, 0) / 2000
    expect(Math.abs(mean - 12)).toBeLessThan(5 * Math.sqrt(variance / 2000))
  })

  test('adfa generate random --structure indegree:2 draws concepts with one or two parents', async () => {
    await adfaDone('generate', 'random', '--structure', 'indegree:2', '--documents', '5', '-o', docs, '--truth', truth)
    const {network, options} = loadModel(folder.text('truth.json'), 'truth.json')
    expect(new Set(directedNetwork(network).parents.map(list => list.length))).toEqual(new Set([0, 1, 2]))
    expect(options).toMatchObject({structure: 'indegree:2'})
  })

  test.each(['tree', 'indegree:3'])(
    'adfa generate random --structure %s makes documents that can be counted, fitted, predicted and evaluated',
    async structure => {
      const args = ['--documents', '400', '--concepts', '12', '--words', '40', '--structure', structure]
      await adfaDone('generate', 'random', ...args, '-o', docs, '--anchors', anchors, '--truth', truth)
      await adfaDone('count', docs, '--anchors', anchors, '-o', folder.at('docs.counts'))
      await adfaDone('fit', folder.at('docs.counts'), '-o', folder.at('model.json'))
      const rows = folder.rows('docs.jsonl')
      for (const model of [folder.at('model.json'), truth])
        for (const more of [[], ['--hide-anchors'], ['--known', 'tags']]) {
          const predictions = parseLines(await adfaDone('predict', model, docs, ...more))
          expect(predictions).toMatchObject(rows.map(row => ({id: Object(row).id})))
        }
      const evaluation = await adfaJson('evaluate', truth, docs)
      expect(evaluation).toMatchObject({documents: 400, concepts: 12})
      const {network, concepts} = loadModel(folder.text('truth.json'), 'truth.json')
      const prior = createLogPrior(network)
      const logs = rows.map(row =>
        prior.of(Int8Array.from(concepts, ({name}) => Number(Object(row).tags.includes(name))))
      )
      const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
      expect(Object(evaluation).tagLogLikelihood).toBeCloseTo(mean, 9)
    }
  )
})

describe('adfa generate emergency', () => {
  test('adfa generate emergency draws visits from the known emergency department', async () => {
    const args = ['--documents', '300', '-o', docs, '--truth', truth, '--anchors', anchors]
    const result = await adfaJson('generate', 'emergency', ...args)
    const known = emergencyModel()
    expect(result).toMatchObject({documents: 300, concepts: 23, words: known.lexicon.words.length})
    expect(loadModel(folder.text('truth.json'), 'truth.json').concepts).toEqual(known.concepts)
    const names = new Set(known.concepts.map(({name}) => name))
    expect(parseAnchors(folder.text('anchors.json'), 'anchors.json')).toHaveLength(23)
    const rows = folder.rows('docs.jsonl')
    expect(rows).toHaveLength(300)
    expect(rows[0]).toMatchObject({id: 'emergency-000001'})
    for (const row of rows) for (const tag of Object(row).tags) expect(names.has(tag)).toBe(true)
  })

  test('adfa generate emergency gives the same bytes for the same seed, and a longer run begins like a shorter one', async () => {
    const generate = async (count: string, seed: string) => {
      await adfaDone('generate', 'emergency', '--documents', count, '--seed', seed, '-o', docs)
      return folder.text('docs.jsonl')
    }
    const short = await generate('20', '1')
    expect(await generate('20', '1')).toBe(short)
    expect((await generate('5000', '1')).startsWith(short)).toBe(true)
    expect(await generate('20', '2')).not.toBe(short)
  })
})

describe('adfa generate, refusals', () => {
  const refused: readonly [string[], RegExp][] = [
    [['sequence'], /argument 'kind'.*Allowed choices are random, emergency/],
    [['random', '--concepts', '0'], /--concepts <m>.*must be a whole number above 0/],
    [['random', '--concepts', '-3'], /'--concepts <m>' argument '-3' is invalid. It must be a whole number/],
    [['random', '--words', '0'], /--words <n>.*must be a whole number above 0/],
    [['random', '--documents', '1.5'], /'--documents <n>' argument '1.5' is invalid. It must be a whole number/],
    [['random', '--structure', 'ring'], /structure.* must be "independent", "tree" or "indegree:K" .*; got "ring"/],
    [['random', '--structure', 'indegree:0'], /K from 1 to 8; got "indegree:0"/],
    [['random', '--words-per-document', '9999'], /wordsPerDocument|words-per-document/]
  ]

  test.each(refused)('adfa generate %j is bad usage', async (args, message) => {
    const {code, stdout, stderr} = await adfa('generate', ...args, '-o', folder.at('none.jsonl'))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(folder.names().filter(name => /none|tmp/.test(name))).toEqual([])
  })

  test('adfa generate random --words 10 works or names an option that the command has', async () => {
    const {code, stderr} = await adfa(
      'generate',
      'random',
      '--words',
      '10',
      '--documents',
      '5',
      '-o',
      folder.at('few.jsonl')
    )
    if (code !== 0) expect(stderr).toMatch(/--words(?!PerConcept)/)
  })

  test('adfa generate -o - --json is refused, since standard output holds one or the other', async () => {
    const {code, stdout, stderr} = await adfa('generate', 'random', ...size, '-o', '-', '--json')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/--json.*-o/)
  })

  test('adfa generate leaves no file at all when one of them cannot be written', async () => {
    const missing = folder.at('missing/x.json')
    for (const [option, other] of [
      ['--truth', '--anchors'],
      ['--anchors', '--truth']
    ]) {
      const files = ['-o', folder.at('none.jsonl'), option, missing, other, folder.at('none.json')]
      const {code, stdout, stderr} = await adfa('generate', 'random', ...size, ...files)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/missing\/x\.json: cannot be written: its folder does not exist; create the folder first/)
      expect(folder.names().filter(name => /none|tmp/.test(name))).toEqual([])
    }
  })
})
