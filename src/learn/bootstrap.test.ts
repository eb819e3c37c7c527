import {describe, expect, test} from 'vitest'
import {learnable} from '../../test/learnable.ts'
import {isPairNetwork, networkEdges} from '../base/network/index.ts'
import {rng} from '../base/numeric/index.ts'
import {Counter, type Counts, resampleCounts} from '../read/counts/index.ts'
import {randomModel, sampleModel} from '../use/synthetic/index.ts'
import {bootstrap} from './bootstrap.ts'
import {fit} from './fit.ts'
import type {Model} from './model/index.ts'
import {anchorsWithRates} from './model/index.ts'
import {learnPairs, wordLikeness} from './robust/index.ts'

const truth = randomModel({...learnable, words: 12, wordsPerConcept: 4}, rng(3))
const names = truth.concepts.map(({name}) => name)
const counts = countSamples(truth, 3000, {labelShare: 1})

/** Counts of documents that no two shares have in common; all labels are known where a share of them is counted. */
function countSamples(model: Model, documents: number, {labelShare = 0, first = 0} = {}): Counts {
  const counter = new Counter({lexicon: {...model.lexicon, anchors: anchorsWithRates(model)}, labelShare, seed: 0})
  for (const {evidence, y} of sampleModel(model, documents, rng(99), {first}))
    counter.add(evidence, '', Int8Array.from(y))
  return counter.finish()
}

describe('bootstrap', () => {
  const conceptRates = ({concepts}: Model) => ({
    truePositive: Float64Array.from(concepts, ({truePositive}) => truePositive),
    falsePositive: Float64Array.from(concepts, ({falsePositive}) => falsePositive),
    prevalence: Float64Array.from(concepts, ({prevalence}) => prevalence)
  })
  /** Pairs are learned with the likeness of the words of all documents, and its slope. */
  const refitted = (whole: Model, again: Model): Model => {
    if (!isPairNetwork(again.network)) return again
    const sample = resampleCounts(counts, rng(5).stream('replicate 0'))
    const likeness = wordLikeness(counts, conceptRates(whole).prevalence)
    const slope = learnPairs(counts, conceptRates(whole), 'related').certificate.wordSlope
    return {
      ...again,
      network: learnPairs(sample, conceptRates(again), 'related', {resampled: {likeness, slope, share: 1}}).network
    }
  }

  test.each([
    {},
    {preset: 'paper', wordShrinkage: '10/N'},
    {noise: 'labels', wordShrinkage: '1/N'},
    {network: 'indegree:2', polytope: 'simplex', wordShrinkage: 0}
  ] as const)('bootstrap(..., %j) estimates and refits just as fit(...) does', async options => {
    const found = await bootstrap(counts, options, {replicates: 1, seed: 5})
    const sample = resampleCounts(counts, rng(5).stream('replicate 0'))
    const whole = await fit(counts, options)
    const again = refitted(whole, await fit(sample, options))
    expect(found.concepts).toEqual(names)
    const prevalence = (model: Model) => Float64Array.from(model.concepts, concept => concept.prevalence)
    expect(found.prevalence.estimate).toEqual(prevalence(whole))
    expect(found.prevalence.low).toEqual(prevalence(again))
    expect(found.truePositive.high).toEqual(Float64Array.from(again.concepts, concept => concept.truePositive))
    expect(found.falsePositive.estimate).toEqual(Float64Array.from(whole.concepts, concept => concept.falsePositive))
    const joined = (edges: readonly (readonly [string, string])[]) => edges.map(edge => edge.join(' -> ')).sort()
    const named = (model: Model) =>
      networkEdges(model.network).map(([parent, child]) => [names[parent], names[child]] as const)
    expect(joined(found.edges.filter(({fitted}) => fitted).map(({parent, child}) => [parent, child]))).toEqual(
      joined(named(whole))
    )
    for (const {parent, child, confidence, directed} of found.edges) {
      const there = named(again).some(([from, to]) => from === parent && to === child)
      const back = named(again).some(([from, to]) => from === child && to === parent)
      expect([confidence, directed]).toEqual([there || back ? 1 : 0, there ? 1 : 0])
    }
    expect(found.edges.filter(({confidence}) => confidence === 1)).toHaveLength(named(again).length)
  })

  test('bootstrap(...) is the same for the same seed, and more replicates go on from fewer', async () => {
    const run = (replicates: number, seed: number) => bootstrap(counts, {}, {replicates, seed, level: 0.2})
    expect(await run(4, 1)).toEqual(await run(4, 1))
    expect((await run(4, 2)).prevalence.low).not.toEqual((await run(4, 1)).prevalence.low)
    // Quantiles of 0.4 and 0.6 lie a fifth of the way inside two values, so that two runs give away the second replicate.
    const [one, two] = [await run(1, 1), await run(2, 1)]
    const random = rng(1).stream('replicate 1')
    const again = await fit(resampleCounts(counts, random))
    again.concepts.forEach(({prevalence}, i) => {
      expect(two.prevalence.low[i] + two.prevalence.high[i] - one.prevalence.low[i]).toBeCloseTo(prevalence, 12)
      expect(two.prevalence.standardError[i]).toBeCloseTo(Math.abs(prevalence - one.prevalence.low[i]) / Math.SQRT2, 12)
      expect(two.prevalence.high[i] - two.prevalence.low[i]).toBeCloseTo(
        0.6 * Math.abs(prevalence - one.prevalence.low[i]),
        12
      )
    })
  })

  test('bootstrap(...) tells progress and can be cancelled', async () => {
    const told: string[] = []
    const found = await bootstrap(counts, {}, {replicates: 2, onProgress: (done, all) => told.push(`${done}/${all}`)})
    expect(told).toEqual(['1/2', '2/2'])
    expect(found.certificate).toMatchObject({replicates: 2, level: 0.95, seed: 0, refused: 0, refusal: undefined})
    // The stated gap of the lifts: 1e-6 per pair, of which the prior counts as ten.
    expect(found.certificate.momentGap).toBeLessThanOrEqual(1e-6 * (15 + 10))
    const stop = new AbortController()
    await expect(() => bootstrap(counts, {}, {signal: stop.signal, onProgress: () => stop.abort()})).rejects.toThrow(
      /cancelled/
    )
  })

  test('bootstrap(...) refuses options that it does not have or cannot use', async () => {
    for (const options of [{replicate: 3}, {replicates: 0}, {seed: 0.5}, {level: 1}])
      await expect(() => bootstrap(counts, {}, options)).rejects.toThrow(expect.objectContaining({code: 'bad-option'}))
    await expect(() => bootstrap(counts, {preset: 'paper', shrinkag: 1} as object)).rejects.toThrow(
      'did you mean "shrinkage"?'
    )
  })
})

describe('bootstrap of little', () => {
  test.each([1, 2, 10])('bootstrap(...) of %i documents has finite intervals', async documents => {
    const {prevalence, edges} = await bootstrap(
      countSamples(truth, documents),
      {preset: 'paper', network: 'pairs'},
      {replicates: 5}
    )
    for (const values of Object.values(prevalence))
      expect(values.every((value: number) => value >= 0 && value <= 1)).toBe(true)
    expect(edges.every(({confidence}) => confidence <= 1)).toBe(true)
  })

  test('bootstrap(..., {noise: "labels"}) counts the samples without a usable label, and refuses when all are', async () => {
    const few = (labelled: readonly number[]) => ({
      ...countSamples(truth, 200, {labelShare: 1}),
      labelled: Float64Array.from(names.flatMap(() => labelled))
    })
    // One positive document a concept is missing from a sample with a chance of 1/e.
    const {certificate} = await bootstrap(few([9, 0, 0, 1]), {noise: 'labels', network: 'tree'}, {replicates: 100})
    expect(certificate.refused).toBeGreaterThan(50)
    expect(certificate.refused).toBeLessThan(100)
    expect(certificate.refusal).toMatch(/no labelled document has it/)
    await expect(() => bootstrap(few([9, 0, 0, 1]), {noise: 'labels'}, {replicates: 1})).rejects.toThrow(
      /none of 1 bootstrap samples could be fitted;.*\n.*no labelled document has it/
    )
  })

  test('bootstrap(..., {skipBadAnchors: true}) leaves out the concepts that fit(...) does', async () => {
    const [first, ...others] = counts.lexicon.anchors
    const lexicon = {...counts.lexicon, anchors: [{...first, rates: undefined}, ...others]}
    const found = await bootstrap({...counts, lexicon}, {noise: 'given', skipBadAnchors: true}, {replicates: 2})
    expect(found.concepts).toEqual(names.slice(1))
    await expect(() => bootstrap({...counts, lexicon}, {noise: 'given'}, {replicates: 2})).rejects.toThrow(
      /no rates given/
    )
  })
})
