import {expect, test} from 'vitest'
import {
  goldenNames,
  goldenRates,
  populationCounts,
  readGolden,
  truthLoadings,
  truthNetwork
} from '../../../test/golden.ts'
import {learnable} from '../../../test/learnable.ts'
import {rng} from '../../base/numeric/index.ts'
import {Counter, type Counts} from '../../read/counts/index.ts'
import {randomModel, sampleModel} from '../../use/synthetic/index.ts'
import type {Model} from '../model/index.ts'
import {anchorsWithRates} from '../model/index.ts'
import {recoverWordRatios, type WordRatios} from '../moments/index.ts'
import {failureDirect} from './failure.ts'
import {leaklessAbsence} from './leak.ts'
import {learnGatedLoadings} from './learn-gated-loadings.ts'
import {exactWordMoments} from './test-exact.ts'

test.each(goldenNames)('learnGatedLoadings(...) gives back the true failures and leaks from exact ratios, %s', name => {
  const golden = readGolden(name)
  const network = truthNetwork(golden)
  const truth = truthLoadings(golden)
  const moments = exactWordMoments(network, truth, [])
  const words: WordRatios = {
    conceptCount: golden.m,
    wordCount: golden.n,
    frequency: moments.frequency,
    // A failure of 1 may show a ratio below 1, through its neighbours; the gate is open.
    ratios: failureDirect(moments),
    certificate: {sigmas: 0, ratios: 0, kept: 0, clipped: 0}
  }
  const {loadings, certificate} = learnGatedLoadings(words, network, {leakFloor: 0})
  // The residual of failureNetwork is 1e-10, relative.
  loadings.failure.forEach((f, at) => {
    expect(f).toBeCloseTo(truth.failure[at], 8)
  })
  loadings.leak.forEach((l, j) => {
    expect(l).toBeCloseTo(truth.leak[j], 8)
  })
  expect(certificate).toMatchObject({estimator: 'gated', failuresBelowFloor: 0, leaksAtFloor: 0})
})

test('learnGatedLoadings(...) keeps silent what the gate silenced, and every word as frequent as it was', () => {
  const golden = readGolden('m8')
  const network = truthNetwork(golden)
  const rates = goldenRates(golden, golden.sample.pyFromSingles)
  const counts = populationCounts(golden)
  const words = recoverWordRatios({...counts, documentCount: 1}, rates, {sigmas: 0.05})
  const silent = words.ratios.filter(ratio => ratio === 1).length
  expect(silent).toBeGreaterThan(5)
  const {loadings} = learnGatedLoadings(words, network, {leakFloor: 0})
  words.ratios.forEach((ratio, at) => {
    if (ratio === 1) expect(loadings.failure[at]).toBe(1)
  })
  const {absence} = leaklessAbsence(network, loadings.failure, golden.n, {random: rng(1)})
  absence.forEach((share, j) => {
    if (loadings.leak[j] > 0) expect(1 - (1 - loadings.leak[j]) * share).toBeCloseTo(words.frequency[j], 10)
  })
})

test('learnGatedLoadings(...) comes nearer the truth with every document, though most words are gated', () => {
  const truth = randomModel({...learnable, words: 40, wordsPerConcept: 5}, rng(4))
  const errors = [1000, 16_000].map(size => {
    const counts = drawCounts(truth, size)
    const {failure} = learnGatedLoadings(recoverWordRatios(counts, ratesOf(truth)), truth.network, {
      leakFloor: 0
    }).loadings
    return Math.sqrt(failure.reduce((sum, f, at) => sum + (f - truth.loadings.failure[at]) ** 2, 0) / failure.length)
  })
  // 16 times the documents: a quarter of the error. 240 numbers, most of them exactly 1: within a third of that.
  expect(errors[1] / errors[0]).toBeLessThan(1 / 3)
})

function drawCounts(model: Model, size: number): Counts {
  const counter = new Counter({
    lexicon: {...model.lexicon, anchors: anchorsWithRates(model)},
    labelShare: 0,
    seed: 0
  })
  for (const {evidence} of sampleModel(model, size, rng(9))) counter.add(evidence, '', undefined)
  return counter.finish()
}

function ratesOf({concepts}: Model) {
  return {
    truePositive: Float64Array.from(concepts, concept => concept.truePositive),
    falsePositive: Float64Array.from(concepts, concept => concept.falsePositive),
    prevalence: Float64Array.from(concepts, concept => concept.prevalence)
  }
}

test('learnGatedLoadings(...) refuses a network of other concepts, and a floor that is no share', () => {
  const golden = readGolden('m4')
  const words = recoverWordRatios(populationCounts(golden), goldenRates(golden, golden.sample.pyFromSingles))
  expect(() => learnGatedLoadings(words, truthNetwork(readGolden('m8')))).toThrow(/network of the 4 concepts/)
  expect(() => learnGatedLoadings(words, truthNetwork(golden), {leakFloor: 1})).toThrow(/share in \[0, 1\); got 1/)
})
