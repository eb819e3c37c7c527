import {expect, test} from 'vitest'
import {goldenRates, readGolden, sampleCounts} from '../../../test/golden.ts'
import {
  anchorPairCounts,
  anchorWordCounts,
  type Counts,
  type NoiseStatement,
  wordTotals
} from '../../read/counts/index.ts'
import {recoverWordRatios} from './recover-word-ratios.ts'

const golden = readGolden('m8')
const rates = goldenRates(golden, golden.sample.pyFromSingles)
const counts = sampleCounts(golden)

/** The counts as if sites had put noise on them. */
function withNoise(
  ...sites: readonly (readonly [NoiseStatement['mechanism'], anchors: number, words: number])[]
): Counts {
  const rules = {epsilon: 1, delta: 0, mostAnchors: 4, mostWords: 20, isRehearsal: false}
  const statements = sites.map(([mechanism, anchors, words], at) => {
    const parts = [
      {name: 'anchors', changes: 1, scale: anchors} as const,
      {name: 'words', changes: 1, scale: words} as const
    ]
    return {name: `${at}`, documents: 1, minCell: 0, noise: {...rules, mechanism, parts}}
  })
  return {...counts, tables: {maxOrder: 2, numbers: 1, withheld: 0, sites: statements}}
}

test('recoverWordRatios(...) of tables without noise is that of counts', () => {
  const silent = {
    ...counts,
    tables: {maxOrder: 2, numbers: 1, withheld: 0, sites: [{name: '', documents: 1, minCell: 5}]}
  }
  expect(recoverWordRatios(silent, rates)).toEqual(recoverWordRatios(counts, rates))
})

test('recoverWordRatios(...) of noisy tables has errors of sampling and of noise, added up over sites, written out', () => {
  const {m, n} = golden
  const N = counts.documentCount
  const noisy = withNoise(['gaussian', 300, 4], ['laplace', 10, 1])
  // Variances: of the anchors' numbers 300 + 2 * 10^2, of the words' 4 + 2 * 1^2.
  const [anchorVariance, wordVariance] = [500, 6]
  const {ratios, certificate} = recoverWordRatios(noisy, rates, {sigmas: 2})
  let kept = 0
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const a = anchorPairCounts(counts)[i * m + i] / N
      const x = wordTotals(counts)[j] / N
      const covariance = anchorWordCounts(counts)[i * n + j] / N - a * x
      const sampling = (a * (1 - a) * x * (1 - x)) / N
      // together / N - (fired / N) (total / N), each with noise of its own
      const noise = (wordVariance + a ** 2 * wordVariance + x ** 2 * anchorVariance) / N ** 2
      const share = 1 - (4 * (sampling + noise)) / covariance ** 2
      const p = rates.prevalence[i]
      const D = (Math.max(0, share) * covariance) / (rates.truePositive[i] - rates.falsePositive[i])
      expect(ratios[i * n + j]).toBeCloseTo((1 - x - D / p) / (1 - x + D / (1 - p)), 10)
      if (share > 0) kept++
    }
  expect(certificate.kept).toBe(kept)
  expect(kept).toBeLessThan(recoverWordRatios(counts, rates, {sigmas: 2}).certificate.kept)
  expect(kept).toBeGreaterThan(0)
})
