import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {irreducibleRates, positiveOnlyRate} from './score-rates.ts'

test('irreducibleRates(...) takes the scores that leave a tenth of each kind of document beyond them', () => {
  // 1,000 scores 0, 0.001 ... 0.999 sum to 499.5: ranks 49 from the top and 50 from the bottom.
  const scores = Array.from({length: 1000}, (_, d) => d / 1000)
  expect(irreducibleRates(scores)).toMatchObject({
    kind: 'irreducible',
    truePositive: {value: 0.95},
    falsePositive: {value: 0.05},
    prevalence: expect.closeTo((0.4995 - 0.05) / 0.9, 12)
  })
})

test('irreducibleRates(...) has limits that lie so many of their own deviations from the value', () => {
  const scores = Array.from({length: 1000}, (_, d) => d / 1000)
  const {truePositive, falsePositive, prevalence} = irreducibleRates(scores)
  const deviations = (value: number, limit: number, n: number) =>
    Math.abs(value - limit) / Math.sqrt((limit * (1 - limit)) / n)
  // Calibration overshoots towards the ends by what the documents beyond say, and else errs as the plateau does.
  expect(deviations(0.95, truePositive.low, 49)).toBeCloseTo(1.7, 9)
  expect(deviations(0.05, falsePositive.high, 50)).toBeCloseTo(1.7, 9)
  expect(deviations(0.95, truePositive.high, 1000 * prevalence)).toBeCloseTo(1.96, 3)
  expect(deviations(0.05, falsePositive.low, 1000 * (1 - prevalence))).toBeCloseTo(1.96, 3)
})

test('irreducibleRates(...) comes to the rates where enough documents leave no doubt', () => {
  for (const [t, e, p] of [
    [0.6, 0.05, 0.1],
    [0.3, 0.002, 0.02],
    [0.9, 0.2, 0.5]
  ]) {
    const scores = draw(t, e, p, 0)
    const {truePositive, falsePositive, prevalence} = irreducibleRates(scores)
    expect(truePositive.value).toBe(t)
    expect(falsePositive.value).toBe(e)
    // The mean score has the standard error of P(Y=1|x), at most sqrt(p (1 - p) / N).
    expect(Math.abs(prevalence - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / scores.length))
  }
})

test('irreducibleRates(...) hardly heeds a few wild scores, which the largest and the smallest are', () => {
  const scores = draw(0.6, 0.05, 0.1, 0)
  scores.fill(1, 0, 20)
  scores.fill(0, 20, 40)
  const {truePositive, falsePositive} = irreducibleRates(scores)
  expect(truePositive.value).toBe(0.6)
  expect(falsePositive.value).toBe(0.05)
})

test('irreducibleRates(...) errs to the inside where all is in doubt, to the outside where scores are noisy', () => {
  const doubtful = Float64Array.from(draw(1, 0, 0.3, 0), q => 0.05 + 0.55 * (0.1 + 0.8 * q))
  expect(irreducibleRates(doubtful).truePositive.value).toBeLessThan(0.6)
  expect(irreducibleRates(doubtful).falsePositive.value).toBeGreaterThan(0.05)
  const noisy = irreducibleRates(draw(0.6, 0.05, 0.1, 0.2))
  expect(noisy.truePositive.value).toBeGreaterThan(0.6)
  expect(noisy.falsePositive.value).toBeLessThan(0.05)
})

test('irreducibleRates(...) gives t > e within the scores and a prevalence, whatever the order', () => {
  const score = fc.double({min: 0, max: 1, noNaN: true})
  fc.assert(
    fc.property(fc.uniqueArray(score, {minLength: 2, maxLength: 60, comparator: 'SameValueZero'}), scores => {
      const {truePositive, falsePositive, prevalence} = irreducibleRates(scores)
      for (const {value, low, high} of [truePositive, falsePositive]) {
        expect(low).toBeLessThanOrEqual(value)
        expect(value).toBeLessThanOrEqual(high)
      }
      expect(truePositive.value).toBeGreaterThan(falsePositive.value)
      expect(prevalence).toBeGreaterThanOrEqual(0)
      expect(prevalence).toBeLessThanOrEqual(1)
      expect(irreducibleRates(scores.toReversed()).truePositive).toEqual(truePositive)
    })
  )
})

test('irreducibleRates(...) holds the prevalence at 1 where wild scores lift the mean above t', () => {
  const scores = new Float64Array(1000).fill(0.1).fill(0.09, 0, 100).fill(1, 990)
  expect(irreducibleRates(scores)).toMatchObject({
    truePositive: {value: 0.1},
    falsePositive: {value: 0.09},
    prevalence: 1
  })
})

test('irreducibleRates(...) refuses scores that are no probabilities, or all alike', () => {
  expect(() => irreducibleRates([0.5])).toThrow('1 scores from 0.5 to 0.5')
  expect(() => irreducibleRates([0.5, Number.NaN])).toThrow('from 0.5 to NaN')
  expect(() => irreducibleRates([-0.1, 0.5])).toThrow('from -0.1 to 0.5')
  expect(() => irreducibleRates([0.1, 1.5])).toThrow('from 0.1 to 1.5')
  expect(() => irreducibleRates([0.3, 0.3, 0.3])).toThrow('span no range (0.3 to 0.3)')
})

/**
 * g = e + (t - e) P(Y=1|x), where x leaves no doubt in two thirds of the documents; scores off by a share, up or down.
 */
function draw(t: number, e: number, p: number, noise: number): Float64Array {
  const random = rng(5)
  return Float64Array.from({length: 40_000}, () => {
    const has = random.next() < p
    const doubt = random.next() < 1 / 3
    // In doubt, x says p: so the mean of P(Y=1|x) is p.
    const q = doubt ? p : has ? 1 : 0
    const exact = q === 1 ? t : e + (t - e) * q
    return noise === 0 ? exact : exact * (1 + noise * (2 * random.next() - 1))
  })
}

test('positiveOnlyRate(...) is the mean score of the anchored documents with its standard error', () => {
  const rate = positiveOnlyRate([0.2, 0.6, 0.1, 0.4, 0.3], [1, 1, 0, 1, 0])
  expect(rate).toEqual({
    kind: 'positive-only',
    truePositive: expect.closeTo(0.4, 14),
    // The spread of the scores, and a share of 0.4 that was found from about 3 / 0.4 documents.
    standardError: expect.closeTo(Math.sqrt(0.04 / 3 + (0.4 * 0.6) / 7.5), 14),
    prevalence: 1,
    anchoredCount: 3
  })
  expect(positiveOnlyRate([0.5, 0.7, 0, 0, 0, 0], [true, true, false, false, false, false]).prevalence).toBeCloseTo(
    5 / 9,
    14
  )
})

test('positiveOnlyRate(...) comes to P(A=1|Y=1) where the words tell the concept and the scores are noisy', () => {
  const {scores, fired} = drawAnchored(rng(1), 50_000, 0.35, () => 1)
  const {truePositive, standardError, prevalence} = positiveOnlyRate(scores, fired)
  expect(Math.abs(truePositive - 0.35)).toBeLessThan(5 * standardError)
  // Anchored documents: 5,250 of 50,000, whose relative standard error is 0.013.
  expect(Math.abs(prevalence / 0.3 - 1)).toBeLessThan(5 * 0.014)
})

test('positiveOnlyRate(...) has a standard error that is the spread over replicates', () => {
  const replicates = Array.from({length: 200}, (_, at) => {
    const {scores, fired} = drawAnchored(rng(2).stream(`replicate ${at}`), 1000, 0.35, () => 1)
    // Calibrated on the very documents: scores sum to the anchors there are.
    const factor = fired.reduce((sum, one) => sum + one, 0) / scores.reduce((sum, g) => sum + g, 0)
    return positiveOnlyRate(
      scores.map(g => g * factor),
      fired
    )
  })
  const covered = replicates.filter(
    ({truePositive, standardError}) => Math.abs(truePositive - 0.35) < 1.96 * standardError
  )
  // 95% nominal; 200 replicates have a standard error of 1.5 points.
  expect(covered.length).toBeGreaterThanOrEqual(180)
  expect(covered.length).toBeLessThanOrEqual(198)
})

test('positiveOnlyRate(...) is too low by the doubt that the words leave, as its header says', () => {
  const {scores, fired} = drawAnchored(rng(3), 50_000, 0.35, random => random.next())
  // E[P(Y=1|x) | A=1] = E[q^2] / E[q] = 2/3 for q uniform.
  const {truePositive, standardError} = positiveOnlyRate(scores, fired)
  expect(Math.abs(truePositive - (0.35 * 2) / 3)).toBeLessThan(5 * standardError)
})

test('positiveOnlyRate(...) refuses scores that are no probabilities, and too few anchored documents', () => {
  expect(() => positiveOnlyRate([0.1], [1, 0])).toThrow('1 scores and 2 documents')
  expect(() => positiveOnlyRate([0.1, 1.2], [1, 0])).toThrow('score 1.2 of document 1')
  expect(() => positiveOnlyRate([Number.NaN, 0.2], [1, 0])).toThrow('score NaN of document 0')
  expect(() => positiveOnlyRate([0.1, 0.2], [1, 0])).toThrow('the anchor fires in 1 of 2 documents')
  expect(() => positiveOnlyRate([0, 0], [1, 1])).toThrow('mean score is 0')
})

/**
 * 30% of the documents mention the concept, with P(Y=1|x) given by `certainty`; scores have uniform errors of at most 20%.
 */
function drawAnchored(random: Rng, N: number, c: number, certainty: (random: Rng) => number) {
  const scores = new Float64Array(N)
  const fired = new Uint8Array(N)
  for (let d = 0; d < N; d++) {
    const q = random.next() < 0.3 ? certainty(random) : 0
    fired[d] = random.next() < c * q ? 1 : 0
    scores[d] = c * q * (0.8 + 0.4 * random.next())
  }
  return {scores, fired}
}
