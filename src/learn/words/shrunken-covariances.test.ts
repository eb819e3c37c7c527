import fc from 'fast-check'
import {expect, test} from 'vitest'
import {networkTable} from '../../base/network/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {shrunkenCovariances} from './shrunken-covariances.ts'
import {drawDocuments, mean} from './test-documents.ts'

test('shrunkenCovariances(...) equals the formula written out document by document', () => {
  const {corpus, counts, rates} = drawDocuments(3, 400)
  const m = rates.prevalence.length
  const found = shrunkenCovariances(counts, rates)
  const fired = corpus.documents.map(({evidence}) => Array.from({length: m}, (_, i) => +evidence.anchors.includes(i)))
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
        return {...document, evidence: {words: [], anchors, members: anchors}}
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
