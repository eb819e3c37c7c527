/** Every estimator under its own assumption: errors that fall with the documents, and intervals that hold the truth. */
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {Counter, type Counts} from '../../read/counts/index.ts'
import {calibrate, calibrated, crossFitted, sparseRows} from '../classifier/index.ts'
import {estimateNoise} from './estimate-noise.ts'
import type {RateInterval} from './rates.ts'
import {irreducibleRates, positiveOnlyRate} from './score-rates.ts'
import {randomWorld, sampleWorld, unitedRates, worldLexicon} from './test-members.ts'
import {twoAnchorRates} from './two-anchor-rates.ts'

function holds({low, high}: RateInterval, truth: number): boolean {
  return low <= truth && truth <= high
}

function rootMeanSquare(errors: readonly number[]): number {
  return Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
}

function shareOf(held: readonly boolean[]): number {
  return held.filter(one => one).length / held.length
}

/** The rms error of R estimates has a relative error of 1 / sqrt(2 R), and of two of them sqrt(1 / R). */
function expectFall(
  error: (documents: number, seed: number) => number,
  R: number,
  [few, many]: [number, number]
): void {
  const [first, last] = [few, many].map(documents =>
    rootMeanSquare(Array.from({length: R}, (_, seed) => error(documents, seed)))
  )
  const expected = Math.sqrt(many / few)
  // Three relative errors, in the logarithm.
  const factor = Math.exp(3 / Math.sqrt(R))
  expect(first / last).toBeGreaterThan(expected / factor)
  expect(first / last).toBeLessThan(expected * factor)
}

describe('two anchors', () => {
  const world = randomWorld(rng(2), 3, 12)
  const [e, t] = unitedRates(world)

  test('twoAnchorRates(...) of three members has intervals that hold the truth 90 to 98 times in 100, over 200 samples', () => {
    const held: boolean[] = []
    for (let seed = 0; seed < 200; seed++) {
      const found = twoAnchorRates(sampleWorld(world, 1500, rng(seed)), 0)
      if (found.kind === 'unusable') throw new Error(found.reason)
      const {prevalence, united} = found
      held.push(holds(prevalence, world.prevalence), holds(united.truePositive, t), holds(united.falsePositive, e))
    }
    expect(shareOf(held)).toBeGreaterThan(0.9)
    expect(shareOf(held)).toBeLessThan(0.98)
  })

  test('twoAnchorRates(...) of three members errs by a quarter with sixteen times the documents', () => {
    expectFall(
      (documents, seed) => {
        const found = twoAnchorRates(sampleWorld(world, documents, rng(seed)), 0)
        return found.kind === 'unusable' ? Number.NaN : found.united.truePositive.value - t
      },
      16,
      [800, 12_800]
    )
  })
})

describe('labels', () => {
  const [p, t, e] = [0.2, 0.6, 0.03]
  const lexicon = worldLexicon(randomWorld(rng(1), 1, 2))

  /** Only the first concept is ever known, and only its anchor fires. */
  function labelled(documents: number, seed: number): Counts {
    const counter = new Counter({lexicon: {...lexicon, anchors: lexicon.anchors.slice(0, 1)}, labelShare: 1, seed: 0})
    const random = rng(seed).stream('labels')
    for (let d = 0; d < documents; d++) {
      const has = random.next() < p
      const fired = random.next() < (has ? t : e) ? [0] : []
      counter.add({members: fired, anchors: fired, words: []}, String(d), Int8Array.of(has ? 1 : 0))
    }
    return counter.finish()
  }

  test('estimateNoise(..., "labels") has 90% intervals that hold the truth 85 to 95 times in 100, over 200 samples', () => {
    const precision = (t * p) / (t * p + e * (1 - p))
    const held = Array.from({length: 200}, (_, seed) => {
      const [concept] = estimateNoise(labelled(600, seed), 'labels').certificate.concepts
      return [holds(concept.prevalence, p), holds(concept.precision, precision)]
    }).flat()
    expect(shareOf(held)).toBeGreaterThan(0.85)
    expect(shareOf(held)).toBeLessThan(0.95)
  })

  test('estimateNoise(..., "labels") errs by a quarter with sixteen times the documents', () => {
    const rate = (name: 'truePositive' | 'falsePositive', truth: number) => (documents: number, seed: number) =>
      estimateNoise(labelled(documents, seed), 'labels')[name][0] - truth
    expectFall(rate('truePositive', t), 40, [500, 8000])
    expectFall(rate('falsePositive', e), 40, [500, 8000])
  })
})

/**
 * A concept in 30% of the documents, told for certain by twelve words that no other document has, beside ten words that
 * tell nothing; its anchor does not depend on them given the concept.
 */
function calibratedScores(documents: number, seed: number, t: number, e: number) {
  const random = rng(seed).stream('scores')
  const fired = new Uint8Array(documents)
  const words = Array.from({length: documents}, (_, d) => {
    const has = random.next() < 0.3
    fired[d] = random.next() < (has ? t : e) ? 1 : 0
    return Array.from({length: 22}, (_, j) => j).filter(j => random.next() < (j >= 12 ? 0.2 : has ? 0.6 : 0))
  })
  const {logOdds} = crossFitted(sparseRows(22, words), fired, {tolerance: 1e-4})
  const calibration = calibrate(logOdds, fired)
  return {fired, scores: Float64Array.from(logOdds, score => calibrated(calibration, score))}
}

// 40 samples, for each takes three fits of a classifier: a share of 0.95 has a standard error of 3.4 points, and three of
// these are accepted. research/bench/noise-coverage.ts has 200.
const SAMPLES = 40
const LEAST = 0.95 - 3 * 0.034

describe('scores of a classifier', () => {
  test('positiveOnlyRate(...) has 95% intervals that hold the truth, and errors that fall', () => {
    const [t, e] = [0.4, 0]
    const estimate = (documents: number, seed: number) => {
      const {scores, fired} = calibratedScores(documents, seed, t, e)
      return positiveOnlyRate(scores, fired)
    }
    const held = Array.from({length: SAMPLES}, (_, seed) => {
      const {truePositive, standardError} = estimate(1000, seed)
      return Math.abs(truePositive - t) < 1.96 * standardError
    })
    expect(shareOf(held)).toBeGreaterThan(LEAST)
    expectFall((documents, seed) => estimate(documents, seed).truePositive - t, 16, [300, 2400])
  })

  test('irreducibleRates(...) has 95% intervals that hold the truth, and errors that fall', () => {
    const [t, e] = [0.5, 0.05]
    const estimate = (documents: number, seed: number) =>
      irreducibleRates(calibratedScores(documents, seed, t, e).scores)
    const found = Array.from({length: SAMPLES}, (_, seed) => estimate(1000, seed))
    expect(shareOf(found.map(({truePositive}) => holds(truePositive, t)))).toBeGreaterThan(LEAST)
    expect(shareOf(found.map(({falsePositive}) => holds(falsePositive, e)))).toBeGreaterThan(LEAST)
    // Not vacuous: the interval of t is within 0.3.
    expect(found.every(({truePositive: {low, high}}) => high - low < 0.3)).toBe(true)
    expectFall((documents, seed) => estimate(documents, seed).truePositive.value - t, 16, [300, 2400])
  })
})
