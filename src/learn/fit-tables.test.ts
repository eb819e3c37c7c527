import {describe, expect, test} from 'vitest'
import {rng} from '../base/numeric/index.ts'
import {type Counts, countCorpus} from '../read/counts/index.ts'
import {buildCorpus, type Corpus} from '../read/data/index.ts'
import {
  limitCorpus,
  poolReleases,
  privacyNoise,
  type ReleaseRules,
  releaseCounts,
  releaseToCounts
} from '../read/pooling/index.ts'
import {generateDocuments, randomModel} from '../use/synthetic/index.ts'
import {bootstrap} from './bootstrap.ts'
import {type FitCertificate, fit} from './fit.ts'
import {anchorsWithRates, type Model, saveModel} from './model/index.ts'
import type {FitOptions, Preset} from './options.ts'

const truth = randomModel(
  {concepts: 6, words: 20, wordsPerConcept: 5, prevalence: [0.1, 0.35], failure: [0.3, 0.8], leak: [0.02, 0.2]},
  rng(11)
)
const corpus = buildCorpus([...generateDocuments(truth, 3000, rng(12))], anchorsWithRates(truth), {maxShare: 1})
const sites = [0, 1, 2].map(site => ({...corpus, documents: corpus.documents.filter((_, at) => at % 3 === site)}))

function count(part: Corpus): Counts {
  return countCorpus(part, {labelShare: 1, seed: 0})
}

function pooled(rules: Partial<ReleaseRules>): Counts {
  return releaseToCounts(poolReleases(sites.map((site, at) => releaseCounts(count(site), {...rules, site: `${at}`}))))
}

/** The file of a model, without what it says of its tables. */
function fileOf(model: Model & {readonly certificate: FitCertificate}): string {
  const {tables: _, ...certificate} = model.certificate
  return saveModel({...model, certificate})
}

type Given = Partial<FitOptions> & {readonly preset?: Preset}

describe('fit from released tables', () => {
  const noisyOr: Given = {words: 'noisy-or'}

  test('fit(...) of pooled tables is, byte for byte, fit of the tables of all documents: words in log-odds too', async () => {
    const central = releaseToCounts(releaseCounts(count(corpus), {minCell: 0}))
    for (const options of [{}, noisyOr])
      expect(fileOf(await fit(pooled({minCell: 0}), options))).toBe(fileOf(await fit(central, options)))
  })

  test.each([
    ['the robust preset, tables of two', 2, noisyOr],
    ['rates from labels', 2, {...noisyOr, noise: 'labels'}],
    ['no links', 2, {...noisyOr, network: 'independent'}],
    ['the paper, tables of three', 3, {preset: 'paper'}],
    ['two parents, tables of three', 3, {...noisyOr, network: 'indegree:2'}]
  ] satisfies [string, number, Given][])(
    'fit(...) of pooled tables is, byte for byte, fit of all documents: %s',
    async (_, maxOrder, options) => {
      expect(fileOf(await fit(pooled({maxOrder, minCell: 0}), options))).toBe(fileOf(await fit(count(corpus), options)))
    }
  )

  test('fit(...) of tables with small cells withheld names its tables in the certificate', async () => {
    const model = await fit(pooled({minCell: 10}))
    const {tables} = model.certificate
    expect(tables).toMatchObject({maxOrder: 2, numbers: 1 + 6 + 15 + 7 * 20})
    expect(tables?.withheld).toBeGreaterThan(0)
    expect(tables?.sites.map(({name, documents, minCell}) => [name, documents, minCell])).toEqual([
      ['0', 1000, 10],
      ['1', 1000, 10],
      ['2', 1000, 10]
    ])
    expect((await fit(count(corpus))).certificate).not.toHaveProperty('tables')
    expect(JSON.parse(saveModel(model)).certificate.tables).toEqual(tables)
  })

  test('fit(...) of tables of three with small cells withheld gives numbers everywhere', async () => {
    const model = await fit(pooled({maxOrder: 3, minCell: 30}), {preset: 'paper'})
    expect(saveModel(model)).not.toMatch(/null|NaN/)
  })

  test('fit(...) and bootstrap(...) refuse what the tables do not tell, and name the way out', async () => {
    const two = pooled({minCell: 0})
    await expect(() => fit(two, {preset: 'paper'})).rejects.toThrow(
      /needs tables of 3 anchors or words; .*release with adfa count --max-order 3/
    )
    await expect(() => fit(pooled({maxOrder: 1, minCell: 0}))).rejects.toThrow(
      /needs tables of 2 .*release with adfa count --max-order 2/
    )
    await expect(() => fit(pooled({minCell: 50}), {noise: 'labels'})).rejects.toThrow(
      /its labelled documents were withheld for being too few/
    )
    await expect(() => bootstrap(two)).rejects.toThrow(/drawing documents again needs/)
  })

  test('fit(...) of noisy tables predicts by noisy-or unless asked otherwise, and of others as ever', async () => {
    const rules = {mechanism: 'gaussian', epsilon: 8, delta: 1e-6, mostAnchors: 4, mostWords: 20} as const
    const limited = countCorpus(limitCorpus(corpus, rules))
    const random = rng(3)
    const noise = privacyNoise(limited, 2, rules, {words: () => Math.floor(random.next() * 2 ** 32), isRehearsal: true})
    const noisy = releaseToCounts(releaseCounts(limited, {minCell: 0, noise}))
    const model = await fit(noisy)
    expect(model.wordModel.kind).toBe('noisy-or')
    expect(model.certificate.tables?.sites[0].noise).toMatchObject({...rules, isRehearsal: true})
    expect((await fit(noisy, {words: 'weights'})).wordModel.kind).toBe('weights')
    expect((await fit(releaseToCounts(releaseCounts(limited, {minCell: 0})))).wordModel.kind).toBe('weights')
  })
})
