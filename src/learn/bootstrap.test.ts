import {describe, expect, test} from 'vitest'
import {learnable} from '../../test/learnable.ts'
import {isPairNetwork, networkEdges} from '../base/network/index.ts'
import {rng} from '../base/numeric/index.ts'
import {type Counts, countCorpus, resampleCounts} from '../read/counts/index.ts'
import {randomModel, sampleModel} from '../use/synthetic/index.ts'
import {type BootstrapControl, bootstrap} from './bootstrap.ts'
import {fit} from './fit.ts'
import {anchorsWithRates, type Model} from './model/index.ts'
import {estimateNoise} from './noise/index.ts'
import type {FitOptions} from './options.ts'
import {learnPairs, wordSimilarity} from './robust/index.ts'

const truth = randomModel({...learnable, words: 12, wordsPerConcept: 4}, rng(3))
const names = truth.concepts.map(({name}) => name)
const counts = countSamples(truth, 3000, {labelShare: 1})

/** Counts of generated documents; all labels are known where a share of them is counted. */
function countSamples(model: Model, documents: number, {labelShare = 0} = {}): Counts {
  const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
  const known = Array.from(sampleModel(model, documents, rng(99)), ({evidence, y}) => ({
    ...evidence,
    key: '',
    labels: Int8Array.from(y)
  }))
  return countCorpus({lexicon, documents: known}, {labelShare})
}

async function fitAndResample(data: Counts, options: FitOptions, control: BootstrapControl = {}) {
  return bootstrap(data, await fit(data, options), options, control)
}

function sampleOf(replicate: number, seed: number): Counts {
  return resampleCounts(counts, rng(seed).stream(`replicate ${replicate}`))
}

describe('bootstrap', () => {
  const conceptRates = ({concepts}: Model) => ({
    truePositive: Float64Array.from(concepts, ({truePositive}) => truePositive),
    falsePositive: Float64Array.from(concepts, ({falsePositive}) => falsePositive),
    prevalence: Float64Array.from(concepts, ({prevalence}) => prevalence)
  })
  /** Pairs are learned with the similarity of the words of all documents. */
  const refitted = (whole: Model, again: Model): Model => {
    if (!isPairNetwork(again.network)) return again
    const similarity = wordSimilarity(counts, conceptRates(whole).prevalence)
    const slope = learnPairs(counts, conceptRates(whole), 'related').certificate.wordSlope
    const resampled = {similarity, slope, share: 1}
    return {...again, network: learnPairs(sampleOf(0, 5), conceptRates(again), 'related', {resampled}).network}
  }

  test.each([{}, {preset: 'paper'}, {noise: 'labels'}, {network: 'indegree:2', polytope: 'simplex'}] as const)(
    'bootstrap(..., %j) estimates and refits just as fit(...) does',
    async options => {
      const whole = await fit(counts, options)
      const found = await bootstrap(counts, whole, {...options, seed: 5}, {replicates: 1})
      const again = refitted(whole, await fit(sampleOf(0, 5), options))
      expect(found.concepts).toEqual(
        again.concepts.map(({name, prevalence, truePositive, falsePositive}) => ({
          name,
          prevalence: [prevalence, prevalence],
          truePositive: [truePositive, truePositive],
          falsePositive: [falsePositive, falsePositive]
        }))
      )
      const named = (model: Model) =>
        networkEdges(model.network).map(([parent, child]) => `${names[parent]} -> ${names[child]}`)
      const fitted = found.edges.filter(edge => edge.fitted).map(({parent, child}) => `${parent} -> ${child}`)
      expect(fitted.sort()).toEqual(named(whole).sort())
      for (const {parent, child, confidence, directed} of found.edges) {
        const there = named(again).includes(`${parent} -> ${child}`)
        const back = named(again).includes(`${child} -> ${parent}`)
        expect([confidence, directed]).toEqual([there || back ? 1 : 0, there ? 1 : 0])
      }
      expect(found.edges.filter(({confidence}) => confidence === 1)).toHaveLength(named(again).length)
    }
  )

  test('bootstrap(...) gives the quantiles of its replicates, each with its own stream of the seed', async () => {
    const options = {preset: 'paper', seed: 1} as const
    const found = await fitAndResample(counts, options, {replicates: 60})
    expect(await fitAndResample(counts, options, {replicates: 60})).toEqual(found)
    const samples = Array.from({length: 60}, (_, at) => estimateNoise(sampleOf(at, 1), 'given').prevalence)
    found.concepts.forEach(({prevalence: [low, high]}, i) => {
      const sorted = samples.map(prevalence => prevalence[i]).sort((a, b) => a - b)
      // With 60 replicates, 2.5% of 61 lies 0.525 of the way from the first to the second value.
      expect(low).toBeCloseTo(sorted[0] + 0.525 * (sorted[1] - sorted[0]), 9)
      expect(high).toBeCloseTo(sorted[59] - 0.525 * (sorted[59] - sorted[58]), 9)
    })
  })

  test('bootstrap(...) tells progress and can be cancelled', async () => {
    const told: string[] = []
    const model = await fit(counts)
    const onProgress = (done: number, all: number) => told.push(`${done}/${all}`)
    const found = await bootstrap(counts, model, {}, {replicates: 2, onProgress})
    expect(told).toEqual(['1/2', '2/2'])
    expect(found).toMatchObject({replicates: 2, level: 0.95, seed: 0, refused: 0})
    const stop = new AbortController()
    const control = {signal: stop.signal, onProgress: () => stop.abort()}
    await expect(() => bootstrap(counts, model, {}, control)).rejects.toThrow(
      expect.objectContaining({code: 'cancelled'})
    )
  })

  test('bootstrap(...) refuses options that it does not have or cannot use', async () => {
    const model = await fit(counts, {preset: 'paper'})
    for (const replicates of [0, 0.5, 1e6])
      await expect(() => bootstrap(counts, model, {}, {replicates})).rejects.toThrow(
        expect.objectContaining({code: 'bad-option', details: {option: 'replicates'}})
      )
    await expect(() => bootstrap(counts, model, {preset: 'paper', shrinkag: 1} as object)).rejects.toThrow(
      'did you mean "shrinkage"?'
    )
  })
})

describe('bootstrap of little', () => {
  test.each([1, 2, 10])('bootstrap(...) of %i documents has finite intervals', async documents => {
    const few = countSamples(truth, documents)
    const {concepts, edges} = await fitAndResample(few, {preset: 'paper', network: 'pairs'}, {replicates: 5})
    for (const {prevalence} of concepts) expect(prevalence.every(value => value >= 0 && value <= 1)).toBe(true)
    expect(edges.every(({confidence}) => confidence <= 1)).toBe(true)
  })

  test('bootstrap(..., {noise: "labels"}) counts the samples without a usable label, and refuses when all are', async () => {
    const few = {
      ...countSamples(truth, 200, {labelShare: 1}),
      labelled: Float64Array.from(names.flatMap(() => [9, 0, 0, 1]))
    }
    // One positive document a concept is missing from a sample with a chance of 1/e.
    const found = await fitAndResample(few, {noise: 'labels', network: 'tree'}, {replicates: 100})
    expect(found.refused).toBeGreaterThan(50)
    expect(found.refused).toBeLessThan(100)
    expect(found.refusal).toMatch(/no labelled document has it/)
    await expect(() => fitAndResample(few, {noise: 'labels'}, {replicates: 1})).rejects.toThrow(
      /none of 1 bootstrap samples could be fitted;.*\n.*no labelled document has it/
    )
  })
})
