import {beforeAll, describe, expect, test} from 'vitest'
import type {FitIntervals} from '../../../learn/bootstrap.ts'
import {bootstrap} from '../../../learn/bootstrap.ts'
import {fit} from '../../../learn/fit.ts'
import {loadModel} from '../../../learn/model/index.ts'
import {countsFromBytes} from '../../../read/counts/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
let small: Awaited<ReturnType<typeof generateSmall>>
const counts = folder.at('docs.counts')

beforeAll(async () => {
  small = await generateSmall(folder)
  await adfaDone('count', small.docs, '--anchors', small.anchors, '-o', counts)
})

describe('adfa fit --intervals', () => {
  test('adfa fit --intervals writes what bootstrap(...) finds into the certificate, and the same into --json', async () => {
    const model = folder.at('sure.json')
    const told = (await adfaJson('fit', counts, '--intervals', '20', '--seed', '3', '-o', model)) as {
      readonly intervals: FitIntervals
      readonly seconds: Readonly<Record<string, number>>
    }
    const {intervals} = told
    expect(intervals).toMatchObject({replicates: 20, refused: 0, level: 0.95, seed: 3})
    const resampled = countsFromBytes(folder.bytes('docs.counts'), '')
    expect(intervals).toEqual(await bootstrap(resampled, await fit(resampled), {seed: 3}, {replicates: 20}))
    expect(told.seconds.intervals).toBeGreaterThan(0)
    expect(loadModel(folder.text('sure.json'), model).certificate.intervals).toEqual(intervals)
  })

  test('adfa fit --intervals shows intervals and how sure each edge is, and 200 resamplings if no number is given', async () => {
    const text = await adfaDone('fit', counts, '--structure', 'tree', '-o', folder.at('tree.json'), '--intervals')
    expect(text).toContain('95% intervals from 200 resamplings of the documents')
    expect(text).toMatch(/concept +prevalence +anchor fires if present +if absent/)
    // Given rates do not vary.
    expect(text).toMatch(/concept-01 +\d+(\.\d)?% \([\d.]+% to [\d.]+%\) +[\d.]+% +[\d.]+%\n/)
    expect(text).toContain('edges, with the share of resamplings that also have them')
    expect(text.match(/concept-0\d - concept-0\d +\d+%/g)?.length).toBeGreaterThanOrEqual(4)
  })

  test('adfa fit --intervals leaves a model that predicts and evaluates as the one without', async () => {
    const results = []
    for (const [name, ...extra] of [['with.json', '--intervals', '5'], ['without.json']]) {
      const model = folder.at(name)
      await adfaDone('fit', counts, ...extra, '-o', model)
      await adfaDone('predict', model, small.docs, '-o', folder.at('predictions.jsonl'))
      results.push([folder.text('predictions.jsonl'), await adfaJson('evaluate', model, small.docs)])
      await adfaDone('export', model, '--to', 'csv', '-o', folder.at('edges.csv'))
    }
    expect(results[0]).toEqual(results[1])
    expect(loadModel(folder.text('without.json'), '').certificate.intervals).toBeUndefined()
  })

  test('adfa fit --intervals has intervals of rates that come from labels', async () => {
    const model = folder.at('labels.json')
    const fitted = ['fit', small.docs, '--anchors', small.anchors, '--noise', 'labels', '--intervals', '5', '-o', model]
    const {intervals} = (await adfaJson(...fitted)) as {readonly intervals: FitIntervals}
    for (const {
      truePositive: [low, high]
    } of intervals.concepts)
      expect(high).toBeGreaterThan(low)
  })

  test('adfa fit --intervals has none of rates that nobody measured; its edges allow for them', async () => {
    const given = JSON.parse(folder.text('anchors.json')) as Record<string, {readonly any: readonly string[]}>
    const bare = Object.fromEntries(Object.entries(given).map(([concept, {any}]) => [concept, any]))
    const anchors = folder.write('bare.json', JSON.stringify(bare))
    const model = folder.at('guessed.json')
    const fitted = ['fit', small.docs, '--anchors', anchors, '--skip-bad-anchors', '--intervals', '20', '-o', model]
    const {intervals} = (await adfaJson(...fitted)) as {readonly intervals: FitIntervals}
    expect(intervals.concepts).toEqual([])
    expect(intervals.edges.some(({confidence}) => confidence > 0 && confidence < 1)).toBe(true)
  })

  test('adfa fit --intervals says how many resamplings could not be fitted', async () => {
    const few = ['fit', small.docs, '--anchors', small.anchors, '--noise', 'labels', '--label-share', '0.05']
    const {code, stderr} = await adfa(...few, '--skip-bad-anchors', '--intervals', '20', '-o', folder.at('few.json'))
    expect(code).toBe(0)
    const [, refused] = /intervals: (\d+) of 20 resamplings could not be fitted and are left out/.exec(stderr) ?? []
    expect(Number(refused)).toBeGreaterThan(0)
    const {intervals} = loadModel(folder.text('few.json'), '').certificate as {readonly intervals: FitIntervals}
    expect(intervals.refused).toBe(Number(refused))
  })

  test('adfa fit --intervals refuses what is no number of resamplings', async () => {
    for (const bad of ['0', '1.5', 'many']) {
      const {code, stderr} = await adfa('fit', counts, '-o', folder.at('bad.json'), '--intervals', bad)
      expect(code).toBe(2)
      expect(stderr).toContain('It must be a whole number from 1 to 100,000.')
    }
    expect(folder.names()).not.toContain('bad.json')
  })
})
