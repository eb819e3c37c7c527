import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {drawNoise, drawRates} from './draw.ts'
import type {EstimatedRates} from './rates.ts'
import {populationWorld, randomWorld} from './test-members.ts'

const counts = populationWorld(randomWorld(rng(1), 1, 3), 10_000)
const firing = [0, 1, 2].map(i =>
  counts.patternDocuments.reduce((sum, documents, p) => {
    const fired = counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])
    return sum + (fired.includes(i) ? documents / counts.documentCount : 0)
  }, 0)
)
const known: readonly EstimatedRates[] = counts.lexicon.anchors.map(({concept}, i) => ({
  concept,
  prevalence: {value: 2 * firing[i], low: 1.8 * firing[i], high: 2.3 * firing[i]},
  precision: {value: 0.8, low: 0.7, high: 0.9},
  truePositive: 0.4,
  falsePositive: 0.02
}))

describe('drawNoise', () => {
  test('drawNoise(...) has the rates that drawn prevalences and precisions imply for the anchors as they fire', () => {
    const random = rng(5)
    const found = drawNoise(counts, known, random)
    known.forEach((concept, i) => {
      const {prevalence: p, precision: r} = drawRates(concept, random.stream(concept.concept))
      expect(found.prevalence[i]).toBeCloseTo(p, 12)
      expect(found.truePositive[i]).toBeCloseTo((r * firing[i]) / p, 12)
      expect(found.falsePositive[i]).toBeCloseTo(((1 - r) * firing[i]) / (1 - p), 12)
    })
    expect(drawNoise(counts, known, rng(6)).prevalence).not.toEqual(found.prevalence)
  })

  test('drawNoise(...) keeps two rates that were given, and takes the prevalence that follows', () => {
    const [first, ...others] = known
    const exact = {
      ...first,
      prevalence: {value: 0.5, low: 0.5, high: 0.5},
      precision: {value: 0.9, low: 0.9, high: 0.9}
    }
    const rates = {kind: 'rates', truePositive: 0.4, falsePositive: 0.02} as const
    const [anchor, ...rest] = counts.lexicon.anchors
    const given = {...counts, lexicon: {...counts.lexicon, anchors: [{...anchor, rates}, ...rest]}}
    const found = drawNoise(given, [exact, ...others], rng(1))
    expect([found.truePositive[0], found.falsePositive[0]]).toEqual([0.4, 0.02])
    expect(found.prevalence[0]).toBeCloseTo((firing[0] - 0.02) / 0.38, 12)
    // Given as prevalence and precision, those are what stays.
    expect(drawNoise(counts, [exact, ...others], rng(1)).prevalence[0]).toBeCloseTo(0.5, 12)
  })

  test('drawNoise(...) holds a rate at its limit where the concept would be rarer than its anchor', () => {
    const rare = known.map(concept => ({...concept, prevalence: {value: 0.001, low: 0.0008, high: 0.0012}}))
    const {truePositive, prevalence} = drawNoise(counts, rare, rng(1))
    expect(truePositive).toEqual(Float64Array.of(0.98, 0.98, 0.98))
    expect(prevalence.every(p => p > 0 && p < 1)).toBe(true)
  })
})
