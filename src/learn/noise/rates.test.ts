import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {drawNoise, drawShares, type EstimatedRates, nearestUsableRates, oneSidedRates, rateFault} from './rates.ts'
import {populationWorld, randomWorld} from './test-members.ts'

test('rateFault(...) lets pass what is just good enough, and names each rule with what is needed and what to do', () => {
  expect(rateFault({truePositive: 0.05, falsePositive: 0.016})).toBe(undefined)
  expect(rateFault({truePositive: 0.0491, falsePositive: 0.016})).toEqual({
    rule: 'low-true-positive',
    reason: 'its anchor fires in 4.9% of the documents that have it, and 5.0% is needed; add words to the anchor'
  })
  expect(rateFault({truePositive: 0.3, falsePositive: 0.1})).toEqual({
    rule: 'low-ratio',
    reason:
      'its anchor fires in 30% of the documents that have it and 10% of those that do not, and it must be more than 3 ' +
      'times as common with its concept; choose narrower words, or remove the concept'
  })
})

const interval = fc.tuple(...[1, 2, 3].map(() => fc.double({min: 0.001, max: 0.999, noNaN: true}))).map(ends => {
  const [low, value, high] = ends.toSorted((a, b) => a - b)
  return {low, value, high}
})

test('nearestUsableRates(...) passes the rule inside the intervals, or refuses the values', () => {
  const firings = fc.double({min: 0.001, max: 0.97, noNaN: true})
  fc.assert(
    fc.property(firings, interval, interval, (firing, prevalence, precision) => {
      const {rates, refusal} = nearestUsableRates(firing, {prevalence, precision})
      expect(rateFault(rates)).toEqual(refusal)
      expect(rates.precision.value).toBeGreaterThanOrEqual(precision.value)
      expect(rates.precision.value).toBeLessThanOrEqual(refusal ? precision.value : precision.high)
      // A prevalence below what the frequency allows is raised.
      const least = (rates.precision.value * firing) / 0.98
      expect(rates.prevalence.value).toBeLessThanOrEqual(Math.max(prevalence.value, least))
      expect(rates.prevalence.value).toBeGreaterThanOrEqual(Math.min(prevalence.low, 0.9999) * (1 - 1e-12))
    })
  )
})

test('rateFault(...) refuses rates that no document determines', () => {
  expect(rateFault({truePositive: Number.NaN, falsePositive: 0})).toBeDefined()
  expect(rateFault({truePositive: 0.5, falsePositive: Number.NaN})).toBeDefined()
})

test('oneSidedRates(...) leaves an anchor that is rarer with its concept as it was', () => {
  expect(oneSidedRates(rates(0.1, 0.4, 0.2))).toEqual(rates(0.1, 0.4, 0.2))
})

const rates = (t: number, e: number, p: number) => ({
  truePositive: Float64Array.of(t),
  falsePositive: Float64Array.of(e),
  prevalence: Float64Array.of(p)
})

test('oneSidedRates(...) has P(A) / P(Y) beside a false-positive rate of 0.0001', () => {
  const {truePositive, falsePositive, prevalence} = oneSidedRates(rates(0.4, 0.02, 0.1))
  expect(truePositive[0]).toBeCloseTo((0.1 * 0.4 + 0.9 * 0.02) / 0.1, 14)
  expect([...falsePositive]).toEqual([1e-4])
  expect([...prevalence]).toEqual([0.1])
})

test('oneSidedRates(...) raises an anchor that fires oftener than its concept occurs to 0.98, and keeps P(A) and P(Y)', () => {
  const {truePositive, falsePositive} = oneSidedRates(rates(0.9, 0.1, 0.1))
  expect(truePositive[0]).toBe(0.98)
  expect(0.1 * 0.98 + 0.9 * falsePositive[0]).toBeCloseTo(0.1 * 0.9 + 0.9 * 0.1, 14)
})

test('oneSidedRates(...) never lowers a true-positive rate that was given above 0.98', () => {
  expect(oneSidedRates(rates(0.995, 0.01, 0.1)).truePositive[0]).toBe(0.995)
})

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
      const {prevalence: p, precision: r} = drawShares(concept, random.stream(concept.concept))
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
