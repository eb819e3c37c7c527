import {describe, expect, test} from 'vitest'
import {failureErrors} from '../../test/failure-errors.ts'
import {learnable} from '../../test/learnable.ts'
import {anchorCells, momentErrors} from '../../test/moment-errors.ts'
import {rng} from '../base/numeric/index.ts'
import {anchorTable, Counter, type Counts, resampleCounts} from '../read/counts/index.ts'
import {randomModel, sampleModel} from '../use/synthetic/index.ts'
import {bootstrap} from './bootstrap.ts'
import type {Model} from './model/index.ts'
import {anchorsWithRates} from './model/index.ts'
import {drawNoise, estimateNoise} from './noise/index.ts'

const truth = randomModel({...learnable, words: 12, wordsPerConcept: 4}, rng(3))
const concepts = truth.concepts.map((_, i) => i)

/** Without a shrinkage, and on the simplex, recovery is the inverse of the rates wherever that lies inside. */
const plain = {
  noise: 'given',
  falseAnchors: 'noise',
  polytope: 'simplex',
  shrinkage: 0,
  wordShrinkage: 0,
  leakFloor: 0,
  network: {names: truth.concepts.map(({name}) => name), parents: truth.network.parents}
} as const

/** Rates given, unless some documents are to be labelled. */
function countSamples(model: Model, documents: number, first = 0, labelShare = 0): Counts {
  const lexicon = labelShare > 0 ? model.lexicon : {...model.lexicon, anchors: anchorsWithRates(model)}
  const counter = new Counter({lexicon, labelShare, seed: 0})
  for (const {evidence, y} of sampleModel(model, documents, rng(99), {first}))
    counter.add(evidence, String(first++), Int8Array.from(y))
  return counter.finish()
}

describe('bootstrap and the delta method', async () => {
  const counts = countSamples(truth, 3000)
  // An error from R replicates has a relative error of 1 / sqrt(2 R); five of these are 8% at 2,000.
  const {prevalence, pairs: both, truePositive} = await bootstrap(counts, plain, {replicates: 2000, pairs: true})
  const delta = momentErrors(counts, estimateNoise(counts, 'given'))

  test('bootstrap(...) has the estimates and standard errors of prevalences and pairs that momentErrors(...) has', () => {
    for (const [found, expected] of [
      [prevalence, delta.prevalence],
      [both, delta.pairs]
    ] as const)
      expected.estimate.forEach((value, at) => {
        expect(found?.estimate[at]).toBeCloseTo(value, 6)
        expect(Math.abs((found?.standardError[at] ?? 0) / expected.standardError[at] - 1)).toBeLessThan(0.08)
      })
  })

  test('momentErrors(...) has the standard error P(A) (1 - P(A)) / (N (t - e)^2) of a prevalence', () => {
    concepts.forEach(i => {
      const share = anchorTable(counts, [i])[1] / counts.documentCount
      const {truePositive: t, falsePositive: e} = truth.concepts[i]
      const expected = Math.sqrt((share * (1 - share)) / counts.documentCount) / (t - e)
      expect(delta.prevalence.standardError[i]).toBeCloseTo(expected, 12)
    })
  })

  test('bootstrap(...) has rates that were given as exact', () => {
    expect(truePositive.standardError.every(error => error === 0)).toBe(true)
    expect(truePositive.low).toEqual(truePositive.high)
  })

  test('bootstrap(...) has the standard errors of failures that failureErrors(...) has, away from their bounds', async () => {
    const many = countSamples(truth, 20_000)
    const noise = estimateNoise(many, 'given')
    const {failure, standardError} = failureErrors(truth.network, concepts => anchorCells(many, noise, concepts))
    const {failures} = await bootstrap(many, plain, {replicates: 200, failures: true})
    const inside = [...failure.keys()].filter(
      at => failure[at] + 4 * standardError[at] < 1 && failure[at] - 4 * standardError[at] > 0
    )
    expect(inside.length).toBeGreaterThan(15)
    for (const at of inside) {
      // Held as 4-byte numbers; a replicate of a tree's tables that touches a bound moves both a little.
      expect(failures?.estimate[at]).toBeCloseTo(failure[at], 4)
      // Five relative errors of 1 / sqrt(400), and 3% for what is not linear in 20,000 documents.
      expect(Math.abs((failures?.standardError[at] ?? 0) / standardError[at] - 1)).toBeLessThan(
        0.03 + 5 / Math.sqrt(400)
      )
    }
  })
})

describe('bootstrap with rates that are uncertain', () => {
  // Nothing is given, and a tenth of the documents is labelled: prevalences and precisions come with intervals.
  const counts = countSamples(truth, 10_000, 0, 0.1)
  const options = {...plain, noise: 'auto'} as const
  const noise = estimateNoise(counts, 'auto')
  const {concepts: known} = noise.certificate

  test('bootstrap(...) draws the rates of a replicate from their intervals', async () => {
    const random = rng(5).stream('replicate 0')
    const sample = resampleCounts(counts, random)
    const drawn = drawNoise(sample, known, random.stream('rates'))
    const {prevalence, truePositive, falsePositive, pairs} = await bootstrap(counts, options, {
      replicates: 1,
      seed: 5,
      pairs: true
    })
    expect(truePositive.low).toEqual(drawn.truePositive)
    expect(falsePositive.low).toEqual(drawn.falsePositive)
    expect(truePositive.estimate).toEqual(noise.truePositive)
    concepts.forEach(i => {
      expect(prevalence.low[i]).toBeCloseTo(drawn.prevalence[i], 6)
    })
    expect(pairs?.low[0]).toBeCloseTo(momentErrors(sample, drawn).pairs.estimate[0], 6)
  })

  test('bootstrap(...) has the intervals of prevalences that are known, and standard errors by momentErrors(..., known)', async () => {
    const {prevalence, pairs} = await bootstrap(counts, options, {replicates: 2000, level: 0.9, pairs: true})
    const delta = momentErrors(counts, noise, known)
    known.forEach((concept, i) => {
      // A 5% quantile of 2,000 draws has the standard error of a normal one, 2.1 deviations over sqrt(2000).
      const tolerance = (5 * 2.1 * delta.prevalence.standardError[i]) / Math.sqrt(2000)
      expect(Math.abs(prevalence.low[i] - concept.prevalence.low)).toBeLessThan(tolerance)
      expect(Math.abs(prevalence.high[i] - concept.prevalence.high)).toBeLessThan(tolerance)
    })
    delta.pairs.estimate.forEach((value, at) => {
      expect(pairs?.estimate[at]).toBeCloseTo(value, 6)
      // Five relative errors of 1 / sqrt(4000), and 2% for what is not linear in prevalences known to 10% or so.
      expect(Math.abs((pairs?.standardError[at] ?? 0) / delta.pairs.standardError[at] - 1)).toBeLessThan(0.1)
    })
  })
})
