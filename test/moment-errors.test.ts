import {describe, expect, test} from 'vitest'
import {rng} from '../src/base/numeric/index.ts'
import {estimateNoise, type NoiseRates} from '../src/learn/noise/index.ts'
import {anchorTable, type Counts} from '../src/read/counts/index.ts'
import {randomModel} from '../src/use/synthetic/index.ts'
import {knownParts, knownRates, ratesOfParts, sampleCounts, samplingVariance, spreadVariance} from './delta.ts'
import {learnable} from './learnable.ts'
import {anchorCells, momentErrors, rateSpread} from './moment-errors.ts'

const truth = randomModel({...learnable, concepts: 4, words: 2, wordsPerConcept: 1}, rng(4))
const counts = sampleCounts(truth, 10_000)
const noise = estimateNoise(counts, 'given')
const concepts = truth.concepts.map((_, i) => i)
const pairs = concepts.flatMap(i => concepts.slice(i + 1).map(k => [i, k]))

/** Prevalences, then pairs, each as a mean of products of inverse rates. */
function moments(sample: Counts, {truePositive: t, falsePositive: e}: NoiseRates): Float64Array {
  const mean = (concepts: readonly number[]) =>
    anchorTable(sample, concepts).reduce((sum, documents, cell) => {
      const w = concepts.map((i, z) => (((cell >> (concepts.length - 1 - z)) & 1) - e[i]) / (t[i] - e[i]))
      return sum + (documents * w.reduce((x, y) => x * y, 1)) / sample.documentCount
    }, 0)
  return Float64Array.from([...concepts.map(i => [i]), ...pairs], mean)
}

describe('momentErrors', () => {
  test('momentErrors(...) is the inverse of the rates and the variance of its twin', () => {
    const {prevalence, pairs: both} = momentErrors(counts, noise)
    const estimates = [...prevalence.estimate, ...both.estimate]
    const errors = [...prevalence.standardError, ...both.standardError]
    moments(counts, noise).forEach((value, at) => {
      expect(estimates[at]).toBeCloseTo(value, 12)
    })
    samplingVariance(counts, undefined, sample => moments(sample, noise)).forEach((variance, at) => {
      expect(errors[at] / Math.sqrt(variance)).toBeCloseTo(1, 4)
    })
  })

  test('momentErrors(..., known) adds the spread of prevalence and precision; the prevalence is the given one', () => {
    const known = knownRates(truth, counts)
    const {prevalence, pairs: both} = momentErrors(counts, noise, known)
    const errors = [...prevalence.standardError, ...both.standardError]
    const parts = knownParts(known)
    const sampling = samplingVariance(counts, undefined, sample => moments(sample, ratesOfParts(sample, parts)))
    const spread = spreadVariance(known, of => moments(counts, ratesOfParts(counts, of)))
    errors.forEach((error, at) => {
      expect(error / Math.sqrt(sampling[at] + spread[at])).toBeCloseTo(1, 4)
    })
    known.forEach((concept, i) => {
      expect(prevalence.standardError[i]).toBeCloseTo(rateSpread(concept).prevalence, 9)
    })
  })
})

test('anchorCells(...) hold every document once, by which anchors fire and with which words', () => {
  const {documents, fired, words, wordCount} = anchorCells(counts, noise, [2, 0])
  const table = anchorTable(counts, [2, 0])
  const withWord = anchorTable(counts, [2, 0], [1])
  expect(documents).toHaveLength(4)
  documents.forEach((found, c) => {
    const cell = 2 * fired[2 * c] + fired[2 * c + 1]
    expect(found).toBe(table[cell])
    expect(words[c * wordCount + 1]).toBe(withWord[2 * cell + 1])
  })
})

test('anchorCells(...) refuse unknown or repeated concepts', () => {
  expect(() => anchorCells(counts, noise, [0, 4])).toThrow('over different concepts of the counts; got 0,4')
  expect(() => anchorCells(counts, noise, [1, 1])).toThrow('got 1,1')
})
