import {expect, test} from 'vitest'
import {
  goldenNames,
  goldenRates,
  populationCounts,
  readGolden,
  sampleCounts,
  truthLoadings,
  truthNetwork
} from '../../../test/golden.ts'
import {largestDifference} from '../../../test/tables.ts'
import {junctionTree, networkMarginals} from '../../base/network/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'
import {exactWordMoments} from '../loadings/test-exact.ts'
import {recoverWordMoments} from '../moments/index.ts'
import {learnGatedLoadings, recoverWordRatios, type WordRatios} from './gated-links.ts'

/** P(x0|y1) / P(x0|y0) of every concept and word. */
function directRatios(singles: Float64Array): Float64Array {
  return Float64Array.from({length: singles.length / 4}, (_, at) => {
    const [y0x0, y0x1, y1x0, y1x1] = singles.subarray(4 * at, 4 * at + 4)
    return y1x0 / (y1x0 + y1x1) / (y0x0 / (y0x0 + y0x1))
  })
}

/** As if so many documents had been counted. */
function times(counts: Counts, documents: number): Counts {
  const scale = documents / counts.documentCount
  return {
    ...counts,
    documentCount: documents,
    patternDocuments: counts.patternDocuments.map(count => count * scale),
    wordCounts: counts.wordCounts.map(count => count * scale)
  }
}

test.each(goldenNames)(
  'recoverWordRatios(...) of very many documents has the direct ratios of the moments, %s',
  name => {
    const golden = readGolden(name)
    const rates = goldenRates(golden, [...networkMarginals(truthNetwork(golden))])
    const population = times(populationCounts(golden), 1e12)
    const {singles} = recoverWordMoments(population, rates, [], {shrinkage: 0})
    const direct = directRatios(singles)
    // Gaps of 1e-10 a table in the moments; with 1e12 documents the gate takes 1e-6 or so off words that say much.
    expect(largestDifference(recoverWordRatios(population, rates).ratios, direct)).toBeLessThan(1e-5)
  }
)

test('recoverWordRatios(...) bounds the ratio of a word in all anchored documents by the rule of succession', () => {
  const golden = readGolden('m4')
  const counts = sampleCounts(golden)
  const fired = anchorPairCounts(counts)[0]
  const [first] = counts.conceptStarts
  // A word that occurs where the first anchor fires and nowhere else.
  const only = {
    ...counts,
    lexicon: {...counts.lexicon, words: ['only']},
    wordStarts: counts.conceptStarts.map((_, p) => patternsWithAnchor0(counts, p)),
    wordIds: new Uint32Array(patternsWithAnchor0(counts, counts.patternCount)).fill(first),
    wordCounts: counts.patternDocuments.filter((_, p) => hasAnchor0(counts, p))
  }
  const rates = goldenRates(golden, golden.sample.pyFromSingles)
  const {ratios, certificate} = recoverWordRatios(only, {...rates, prevalence: rates.prevalence.map(() => 1e-4)})
  const x = fired / counts.documentCount
  const with1 = 1 - (1 - x) / (fired + 1)
  expect(ratios[0]).toBeCloseTo((1 - with1) / (1 - (x - 1e-4 * with1) / (1 - 1e-4)), 12)
  expect(certificate.clipped).toBeGreaterThan(0)
})

function hasAnchor0({concepts, conceptStarts}: Counts, p: number): boolean {
  return concepts.subarray(conceptStarts[p], conceptStarts[p + 1]).includes(0)
}

function patternsWithAnchor0(counts: Counts, end: number): number {
  let found = 0
  for (let p = 0; p < end; p++) if (hasAnchor0(counts, p)) found++
  return found
}

const golden = readGolden('m8')
const rates = goldenRates(golden, golden.sample.pyFromSingles)
const counts = sampleCounts(golden)

test('recoverWordRatios(...) equals the formula written out, and counts what it keeps', () => {
  const {m, n} = golden
  const N = counts.documentCount
  const {ratios, frequency, certificate} = recoverWordRatios(counts, rates)
  let kept = 0
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const a = anchorPairCounts(counts)[i * m + i] / N
      const x = wordTotals(counts)[j] / N
      const covariance = anchorWordCounts(counts)[i * n + j] / N - a * x
      const sampling = (a * (1 - a) * x * (1 - x)) / N
      const share = 1 - (9 * sampling) / covariance ** 2
      const p = rates.prevalence[i]
      const D = (Math.max(0, share) * covariance) / (rates.truePositive[i] - rates.falsePositive[i])
      expect(ratios[i * n + j]).toBeCloseTo((1 - x - D / p) / (1 - x + D / (1 - p)), 10)
      expect(frequency[j]).toBe(x)
      if (share > 0) kept++
    }
  expect(certificate).toEqual({sigmas: 3, ratios: m * n, kept, clipped: 0})
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(m * n - 5)
})

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
    ratios: directRatios(moments.singles),
    certificate: {sigmas: 0, ratios: 0, kept: 0, clipped: 0}
  }
  const {loadings, certificate} = learnGatedLoadings(words, network, {leakFloor: 0, seed: 0})
  // The residual of failureNetwork is 1e-10, relative.
  loadings.failure.forEach((f, at) => {
    expect(f).toBeCloseTo(truth.failure[at], 8)
  })
  loadings.leak.forEach((l, j) => {
    expect(l).toBeCloseTo(truth.leak[j], 8)
  })
  expect(certificate).toMatchObject({estimator: 'gated', failuresBelowFloor: 0, leaksAtFloor: 0})
})

test('learnGatedLoadings(...) keeps dropped links dropped, and every word as frequent as it was', () => {
  const golden = readGolden('m8')
  const network = truthNetwork(golden)
  const rates = goldenRates(golden, golden.sample.pyFromSingles)
  const words = recoverWordRatios(times(populationCounts(golden), 3600), rates)
  const silent = words.ratios.filter(ratio => ratio === 1).length
  expect(silent).toBeGreaterThan(5)
  const {loadings} = learnGatedLoadings(words, network, {leakFloor: 0, seed: 0})
  words.ratios.forEach((ratio, at) => {
    if (ratio === 1) expect(loadings.failure[at]).toBe(1)
  })
  const tree = junctionTree(network)
  for (let j = 0; j < golden.n; j++) {
    const weights = Float64Array.from({length: 2 * golden.m}, (_, at) =>
      at % 2 ? loadings.failure[(at >> 1) * golden.n + j] : 1
    )
    const absence = Math.exp(tree?.logTotal(weights) ?? Number.NaN)
    if (loadings.leak[j] > 0) expect(1 - (1 - loadings.leak[j]) * absence).toBeCloseTo(words.frequency[j], 10)
  }
})
