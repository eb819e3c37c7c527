import {expect, test} from 'vitest'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {positiveOnlyRate} from './score-rates.ts'

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
  const {scores, fired} = draw(rng(1), 50_000, 0.35, () => 1)
  const {truePositive, standardError, prevalence} = positiveOnlyRate(scores, fired)
  expect(Math.abs(truePositive - 0.35)).toBeLessThan(5 * standardError)
  // Anchored documents: 5,250 of 50,000, whose relative standard error is 0.013.
  expect(Math.abs(prevalence / 0.3 - 1)).toBeLessThan(5 * 0.014)
})

test('positiveOnlyRate(...) has a standard error that is the spread over replicates', () => {
  const replicates = Array.from({length: 200}, (_, at) => {
    const {scores, fired} = draw(rng(2).stream(`replicate ${at}`), 1000, 0.35, () => 1)
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
  const {scores, fired} = draw(rng(3), 50_000, 0.35, random => random.next())
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
 * 30% of the documents speak of the concept, with P(Y=1|x) as `certainty` has it; scores err by at most 20%, evenly.
 */
function draw(random: Rng, N: number, c: number, certainty: (random: Rng) => number) {
  const scores = new Float64Array(N)
  const fired = new Uint8Array(N)
  for (let d = 0; d < N; d++) {
    const q = random.next() < 0.3 ? certainty(random) : 0
    fired[d] = random.next() < c * q ? 1 : 0
    scores[d] = c * q * (0.8 + 0.4 * random.next())
  }
  return {scores, fired}
}
