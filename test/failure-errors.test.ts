import {describe, expect, test} from 'vitest'
import {type BayesNetwork, networkEdges} from '../src/base/network/index.ts'
import {rng} from '../src/base/numeric/index.ts'
import {failureTree} from '../src/learn/loadings/index.ts'
import type {WordMoments} from '../src/learn/moments/index.ts'
import {estimateNoise, type NoiseRates} from '../src/learn/noise/index.ts'
import {anchorTable, type Counts} from '../src/read/counts/index.ts'
import {randomModel} from '../src/use/synthetic/index.ts'
import {knownParts, knownRates, ratesOfParts, sampleCounts, samplingVariance, spreadVariance} from './delta.ts'
import {failureErrors} from './failure-errors.ts'
import {learnable} from './learnable.ts'
import {anchorCells} from './moment-errors.ts'

const truth = randomModel({...learnable, concepts: 5, words: 5, wordsPerConcept: 3}, rng(4))
const counts = sampleCounts(truth, 20_000)
const noise = estimateNoise(counts, 'given')
const n = 5

/** Concept 0 has three neighbours, concept 4 none. */
const star = networkWith([[], [0], [0], [0], []])
const alone = networkWith([[], [], [], [], []])

function networkWith(parents: readonly (readonly number[])[]): BayesNetwork {
  return {parents, cpt: parents.map(list => new Float64Array(2 ** list.length).fill(0.3))}
}

/** The tables of Eq. 7 and 8 by the inverse of the rates, cell by cell. */
function unconstrained(sample: Counts, rates: NoiseRates, network: BayesNetwork): WordMoments {
  const {truePositive: t, falsePositive: e} = rates
  const table = (concepts: readonly number[], j: number) => {
    const observed = anchorTable(sample, concepts, [j])
    const weight = (from: number, to: number) =>
      concepts.reduce((product, i, z) => {
        const [fired, y] = [from, to].map(cell => (cell >> (concepts.length - z)) & 1)
        const w = (fired - e[i]) / (t[i] - e[i])
        return product * (y === 1 ? w : 1 - w)
      }, 1 / sample.documentCount)
    return Array.from(observed, (_, to) =>
      observed.reduce((sum, documents, from) => ((from ^ to) & 1 ? sum : sum + weight(from, to) * documents), 0)
    )
  }
  const all = (groups: readonly (readonly number[])[]) =>
    Float64Array.from(groups.flatMap(concepts => sample.lexicon.words.flatMap((_, j) => table(concepts, j))))
  const edges = networkEdges(network)
  return {
    conceptCount: network.parents.length,
    wordCount: n,
    edges,
    frequency: new Float64Array(n),
    singles: all(network.parents.map((_, i) => [i])),
    pairs: all(edges)
  }
}

describe('failureErrors', () => {
  test.each([
    ['of independent concepts', alone],
    ['of a forest', star]
  ])('failureErrors(...) %s is the estimator, and the variance of its twin', (_, network) => {
    const found = failureErrors(network, concepts => anchorCells(counts, noise, concepts))
    const estimate = (sample: Counts) => failureTree(unconstrained(sample, noise, network))
    estimate(counts).forEach((value, at) => {
      expect(found.failure[at]).toBeCloseTo(value, 12)
    })
    for (const j of [0, 3])
      samplingVariance(counts, j, estimate).forEach((variance, at) => {
        if (at % n === j) expect(found.standardError[at] / Math.sqrt(variance)).toBeCloseTo(1, 4)
      })
  })

  test('failureErrors(...) with uncertain rates adds their spread, and lets them vary with the firing share', () => {
    const known = knownRates(truth, counts)
    const parts = knownParts(known)
    const found = failureErrors(star, concepts => anchorCells(counts, noise, concepts, known))
    const estimate = (sample: Counts, of = parts) => failureTree(unconstrained(sample, ratesOfParts(sample, of), star))
    const sampling = samplingVariance(counts, 1, sample => estimate(sample))
    const spread = spreadVariance(known, of => estimate(counts, of))
    for (let at = 1; at < found.failure.length; at += n)
      expect(found.standardError[at] / Math.sqrt(sampling[at] + spread[at])).toBeCloseTo(1, 4)
  })

  test('failureErrors(...) are undefined where a moment is not positive', () => {
    // An anchor that fires less often than its false positive rate implies a negative prevalence.
    const rates = {...noise, falsePositive: noise.falsePositive.map((e, i) => (i === 2 ? 0.5 : e))}
    const {failure, standardError} = failureErrors(star, concepts => anchorCells(counts, rates, concepts))
    for (const values of [failure, standardError]) {
      expect(values.subarray(0, n).every(Number.isNaN)).toBe(true)
      expect(values.subarray(n, 2 * n).some(Number.isNaN)).toBe(false)
    }
  })

  test('failureErrors(...) refuses a network that is not a forest', () => {
    const collider = networkWith([[], [], [0, 1], [], []])
    expect(() => failureErrors(collider, concepts => anchorCells(counts, noise, concepts))).toThrow(/use bootstrap/)
  })
})
