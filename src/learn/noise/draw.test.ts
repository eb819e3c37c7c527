import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {drawNoise, drawRates, rateSpread} from './draw.ts'
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
    expect(drawNoise(counts, known.toReversed(), rng(5))).toEqual(found)
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

  test('drawNoise(...) refuses a concept of which nothing is known', () => {
    expect(() => drawNoise(counts, known.slice(1), rng(1))).toThrow('no rates for the anchor of "main"')
  })
})

const uncertain: EstimatedRates = {
  concept: 'fever',
  prevalence: {value: 0.11, low: 0.06, high: 0.19},
  precision: {value: 0.8, low: 0.6, high: 0.9},
  truePositive: 0.6,
  falsePositive: 0.02
}
const draws = 20_000

function drawn(rates: EstimatedRates) {
  const random = rng(1)
  return Array.from({length: draws}, () => drawRates(rates, random))
}

describe('drawRates', () => {
  test('drawRates(...) lie below, within and above the interval in 5%, 90% and 5% of all draws, with the middle between', () => {
    const all = drawn(uncertain)
    const shareBelow = (name: 'prevalence' | 'precision', end: number) =>
      all.filter(draw => draw[name] < end).length / draws
    const odds = (0.6 / 0.4) * (0.9 / 0.1)
    const middle = {prevalence: Math.sqrt(0.06 * 0.19), precision: Math.sqrt(odds) / (1 + Math.sqrt(odds))}
    for (const name of ['prevalence', 'precision'] as const) {
      // Five standard errors of a share.
      const close = (share: number, end: number) =>
        expect(Math.abs(shareBelow(name, end) - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / draws))
      close(0.05, uncertain[name].low)
      close(0.5, middle[name])
      close(0.95, uncertain[name].high)
    }
  })

  test('drawRates(...) leaves a precision that is uncertain as it is, and takes as much from the source', () => {
    const exact = {...uncertain, precision: {value: 1, low: 1, high: 1}}
    const [one, other] = [rng(3), rng(3)]
    for (let draw = 0; draw < 20; draw++) {
      const found = drawRates(exact, one)
      expect(found.precision).toBe(1)
      expect(found.prevalence).toBe(drawRates(uncertain, other).prevalence)
    }
  })

  test('drawRates(...) stay probabilities where the interval reaches 0 or 1', () => {
    const wide = {...uncertain, prevalence: {value: 0.5, low: 0, high: 1}, precision: {value: 0.99, low: 0.5, high: 1}}
    const all = drawn(wide)
    expect(all.every(({prevalence: p}) => p >= 1e-4 && p <= 1 - 1e-4)).toBe(true)
    expect(all.every(({precision: r}) => r > 0 && r <= 1)).toBe(true)
  })
})

test('rateSpread(...) is the standard deviation of the draws where intervals are narrow', () => {
  const narrow = {
    ...uncertain,
    prevalence: {value: 0.11, low: 0.11 / 1.05, high: 0.11 * 1.05},
    precision: {value: 0.8, low: 0.79, high: 0.8099}
  }
  const all = drawn(narrow)
  for (const name of ['prevalence', 'precision'] as const) {
    const mean = all.reduce((sum, draw) => sum + draw[name], 0) / draws
    const deviation = Math.sqrt(all.reduce((sum, draw) => sum + (draw[name] - mean) ** 2, 0) / draws)
    // A deviation of 20,000 draws has a relative standard error of 0.5%.
    expect(Math.abs(rateSpread(narrow)[name] / deviation - 1)).toBeLessThan(5 * 0.005)
  }
})
