import fc from 'fast-check'
import {expect, test} from 'vitest'
import {networkTable} from '../../base/network/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {liftLikelihood, liftShares, pairCovariances, shrunkenCovariances} from './pair-covariances.ts'
import {drawDocuments, mean} from './test-documents.ts'

test('pairCovariances(...) is symmetric and keeps every cell of every pair above a twentieth of its independent value', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({min: 5, max: 60}), (seed, documents) => {
      const {counts, rates} = drawDocuments(seed, documents, 4, 4)
      const found = pairCovariances(counts, rates)
      const p = rates.prevalence
      const room = 1e-12
      for (let i = 0; i < 4; i++) {
        expect(found[i * 4 + i]).toBe(0)
        for (let k = 0; k < 4; k++) {
          if (i === k) continue
          const delta = found[i * 4 + k]
          expect(delta).toBe(found[k * 4 + i])
          expect(p[i] * p[k] + delta).toBeGreaterThanOrEqual(0.05 * p[i] * p[k] - room)
          expect(p[i] * (1 - p[k]) - delta).toBeGreaterThanOrEqual(0.05 * p[i] * (1 - p[k]) - room)
        }
      }
    }),
    {numRuns: 30}
  )
})

test('pairCovariances(...) comes as near to the covariances of the tags as the documents are many', () => {
  // Tags as their own anchors: nothing but the draw of the documents stands between the two.
  const {corpus, counts, rates} = drawDocuments(12, 20_000)
  const m = rates.prevalence.length
  const fired = corpus.documents.map(({anchors}) => Array.from({length: m}, (_, i) => +anchors.includes(i)))
  const p = Array.from({length: m}, (_, i) => mean(fired.map(row => row[i])))
  const own = {
    truePositive: new Float64Array(m).fill(1),
    falsePositive: new Float64Array(m),
    prevalence: Float64Array.from(p)
  }
  const found = pairCovariances(counts, own)
  expect(rates.prevalence.length).toBe(m)
  for (let i = 0; i < m; i++)
    for (let k = 0; k < i; k++) {
      const covariance = mean(fired.map(row => (row[i] - p[i]) * (row[k] - p[k])))
      // Five standard errors of a covariance of two tags, which shrinking may not exceed.
      const error = Math.sqrt((p[i] * (1 - p[i]) * p[k] * (1 - p[k])) / fired.length)
      expect(Math.abs(found[i * m + k] - covariance)).toBeLessThan(5 * error)
    }
})

test('pairCovariances(...) says something of a pair that was never seen, where others are as rare', () => {
  const {counts, rates} = drawDocuments(3, 400)
  const found = pairCovariances(counts, rates)
  const shrunken = shrunkenCovariances(counts, rates)
  const quiet = shrunken.filter((delta, at) => delta === 0 && found[at] !== 0)
  expect(quiet.length).toBeGreaterThan(0)
})

test('liftLikelihood(...) is greatest at the lift that was seen, and flat where nothing was expected', () => {
  const top = (values: Float64Array) => values.indexOf(1)
  expect(top(liftLikelihood(0, 5))).toBe(0)
  expect(top(liftLikelihood(60, 1))).toBe(32)
  expect(top(liftLikelihood(5, 5))).toBeGreaterThan(10)
  for (const value of liftLikelihood(0, 0)) expect(value).toBe(1)
})

test('liftShares(...) finds two kinds of pairs, rare and common ones, from counts that each say little', () => {
  // 600 pairs expected 4 times each: two thirds have lift 0.25, a third 4; counts at their Poisson quantiles.
  const at = (seen: readonly number[]) => seen.map(count => liftLikelihood(count, 4))
  const rare = Array.from({length: 40}, () => at([0, 0, 0, 1, 1, 1, 1, 2, 2, 3])).flat()
  const common = Array.from({length: 20}, () => at([10, 12, 13, 14, 15, 16, 17, 19, 21, 23])).flat()
  const shares = liftShares([...rare, ...common])
  expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12)
  // Lifts below 1 are the first 16 of 33.
  expect(mean(shares.subarray(0, 16)) * 16).toBeCloseTo(2 / 3, 1)
  // Hardly any pair is thought to lie between the two kinds, from lift 1 to 2.
  expect(shares.subarray(16, 19).reduce((sum, share) => sum + share)).toBeLessThan(0.03)
})

test('shrunkenCovariances(...) equals the formula written out document by document', () => {
  const {corpus, counts, rates} = drawDocuments(3, 400)
  const m = rates.prevalence.length
  const found = shrunkenCovariances(counts, rates)
  const fired = corpus.documents.map(({anchors}) => Array.from({length: m}, (_, i) => +anchors.includes(i)))
  const a = Array.from({length: m}, (_, i) => mean(fired.map(row => row[i])))
  let kept = 0
  for (let i = 0; i < m; i++)
    for (let k = 0; k < m; k++) {
      if (i === k) continue
      const products = fired.map(row => (row[i] - a[i]) * (row[k] - a[k]))
      const covariance = mean(products)
      const variance = mean(products.map(x => (x - covariance) ** 2))
      const effective = (at: number) => a[at] / rates.prevalence[at]
      const slope = (at: number) => Math.max(rates.truePositive[at] - rates.falsePositive[at], effective(at))
      const scale = 1 / (slope(i) * slope(k))
      const error2 = (scale ** 2 * Math.max(variance, a[i] * (1 - a[i]) * a[k] * (1 - a[k]))) / corpus.documents.length
      const delta = scale * covariance
      const shrunken = delta * Math.max(0, 1 - error2 / delta ** 2)
      const [pi, pk] = [rates.prevalence[i], rates.prevalence[k]]
      const inside = Math.min(
        Math.max(shrunken, -0.95 * Math.min(pi * pk, (1 - pi) * (1 - pk))),
        0.95 * Math.min(pi * (1 - pk), (1 - pi) * pk)
      )
      expect(found[i * m + k]).toBeCloseTo(inside, 13)
      if (found[i * m + k] !== 0) kept++
    }
  expect(kept).toBeGreaterThan(3)
  expect(kept).toBeLessThan(m * (m - 1))
})

test('shrunkenCovariances(...) keeps every cell of every pair above a twentieth of its independent value', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({min: 5, max: 60}), (seed, documents) => {
      const {counts, rates} = drawDocuments(seed, documents, 4, 4)
      const m = 4
      const found = shrunkenCovariances(counts, rates)
      for (let i = 0; i < m; i++)
        for (let k = 0; k < m; k++) {
          if (i === k) continue
          const [p, q] = [rates.prevalence[i], rates.prevalence[k]]
          const delta = found[i * m + k]
          expect(delta).toBe(found[k * m + i])
          const room = 1e-12
          expect(p * q + delta).toBeGreaterThanOrEqual(0.05 * p * q - room)
          expect((1 - p) * (1 - q) + delta).toBeGreaterThanOrEqual(0.05 * (1 - p) * (1 - q) - room)
          expect(p * (1 - q) - delta).toBeGreaterThanOrEqual(0.05 * p * (1 - q) - room)
          expect((1 - p) * q - delta).toBeGreaterThanOrEqual(0.05 * (1 - p) * q - room)
        }
    }),
    {numRuns: 50}
  )
})

test('shrunkenCovariances(...) stops at that floor where anchors always, or never, fire together', () => {
  const {corpus} = drawDocuments(4, 100, 2, 4)
  const firing = (anchorsOf: (d: number) => number[]) =>
    countCorpus({
      ...corpus,
      documents: corpus.documents.map((document, d) => {
        const anchors = anchorsOf(d)
        return {...document, words: [], anchors, members: anchors}
      })
    })
  const rates = (p: number) => ({
    truePositive: Float64Array.of(0.5, 0.5),
    falsePositive: Float64Array.of(0.001, 0.001),
    prevalence: Float64Array.of(p, p)
  })
  const always = firing(d => (d < 20 ? [0, 1] : []))
  expect(shrunkenCovariances(always, rates(0.4))[1]).toBeCloseTo(0.95 * 0.4 * 0.6, 14)
  const never = firing(d => (d < 30 ? [0] : d < 60 ? [1] : []))
  expect(shrunkenCovariances(never, rates(0.6))[1]).toBeCloseTo(-0.95 * 0.4 * 0.4, 14)
})

test('shrunkenCovariances(...) finds the covariances of the concepts when there are many documents', () => {
  const {model, counts, rates} = drawDocuments(5, 40_000, 5, 4)
  const found = shrunkenCovariances(counts, rates)
  for (let i = 0; i < 5; i++)
    for (let k = i + 1; k < 5; k++) {
      const both = networkTable(model.network, [i, k])[3]
      const truth = both - rates.prevalence[i] * rates.prevalence[k]
      // Five standard errors: at most sqrt(v_i v_k / N) / (t_i t_k), below 0.005, and 10% for anchors that fire falsely.
      expect(Math.abs(found[i * 5 + k] - truth)).toBeLessThan(0.005 + 0.1 * Math.abs(truth))
    }
})
