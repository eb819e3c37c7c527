import {expect, test} from 'vitest'
import {logPrior, networkMarginals, networkTable, topologicalOrder} from '../../base/network/index.ts'
import {mutualInformation} from '../../base/numeric/index.ts'
import {forestPrior} from './forest-prior.ts'
import {shrunkenCovariances} from './pair-covariances.ts'
import {familyTable, pairPrior} from './pair-prior.ts'
import {drawDocuments} from './test-documents.ts'

test('pairPrior(...) with one parent has the prevalences of the rates, and the shrunken pair of each edge', () => {
  const {counts, rates} = drawDocuments(7, 2000)
  const network = pairPrior(counts, rates, {parents: 1})
  const covariances = shrunkenCovariances(counts, rates)
  networkMarginals(network).forEach((p, i) => {
    expect(p).toBeCloseTo(rates.prevalence[i], 12)
  })
  let edges = 0
  network.parents.forEach(([parent], k) => {
    if (parent === undefined) return
    edges++
    const both = rates.prevalence[parent] * rates.prevalence[k] + covariances[6 * parent + k]
    expect(networkTable(network, [parent, k])[3]).toBeCloseTo(both, 12)
  })
  expect(edges).toBeGreaterThan(2)
})

test('pairPrior(...) takes commoner concepts as parents, those of greatest worth first, and no pair without any', () => {
  const {counts, rates} = drawDocuments(8, 4000, 8)
  const covariances = shrunkenCovariances(counts, rates)
  const {parents} = pairPrior(counts, rates, {parents: 3})
  expect(topologicalOrder(parents)).toBeDefined()
  expect(Math.max(...parents.map(list => list.length))).toBe(3)
  parents.forEach((list, k) => {
    for (const i of list) {
      expect(rates.prevalence[i]).toBeGreaterThanOrEqual(rates.prevalence[k])
      expect(covariances[8 * i + k]).not.toBe(0)
    }
    const worth = (i: number) => {
      const [p, q, delta] = [rates.prevalence[i], rates.prevalence[k], covariances[8 * i + k]]
      return mutualInformation([(1 - p) * (1 - q) + delta, (1 - p) * q - delta, p * (1 - q) - delta, p * q + delta])
    }
    const best = [...rates.prevalence.keys()]
      .filter(i => rates.prevalence[i] > rates.prevalence[k] && covariances[8 * i + k] !== 0)
      .toSorted((i, j) => worth(j) - worth(i))
    expect(list).toEqual(best.slice(0, 3))
  })
  expect(pairPrior(counts, rates, {parents: 0}).parents.flat()).toEqual([])
})

test('pairPrior(...) tells the tags of documents about as well as the forest they came from', () => {
  const {corpus, counts, rates} = drawDocuments(9, 8000)
  const mean = (network: ReturnType<typeof pairPrior>) =>
    corpus.documents.reduce((sum, {labels}) => sum + logPrior(network, labels ?? []), 0) / corpus.documents.length
  const independent = mean(pairPrior(counts, rates, {parents: 0}))
  const forest = mean(forestPrior(counts, rates))
  const pairs = mean(pairPrior(counts, rates))
  expect(forest).toBeGreaterThan(independent + 0.02)
  expect(pairs).toBeGreaterThan(forest - 0.005)
})

test('pairPrior(...) refuses more parents than tables can hold', () => {
  const {counts, rates} = drawDocuments(9, 100)
  for (const parents of [-1, 9, 1.5])
    expect(() => pairPrior(counts, rates, {parents})).toThrow(/`parents` must be a whole number from 0 to 8; got/)
})

const singles = [0.3, 0.2, 0.1]
const covariances = [
  [0, 0.05, 0.02],
  [0.05, 0, -0.005],
  [0.02, -0.005, 0]
]

test('familyTable(...) has the singles and pairs that are wanted', () => {
  const {table, residual} = familyTable(singles, (a, b) => covariances[a][b])
  const mean = (of: (y: number[]) => number) =>
    table.reduce((sum, share, cell) => sum + share * of([cell >> 2, (cell >> 1) & 1, cell & 1]), 0)
  // Five sweeps of scaling, each some twenty times nearer.
  for (let a = 0; a < 3; a++) {
    expect(mean(y => y[a])).toBeCloseTo(singles[a], 4)
    for (let b = 0; b < a; b++)
      expect(mean(y => y[a] * y[b])).toBeCloseTo(singles[a] * singles[b] + covariances[a][b], 4)
  }
  expect(residual).toBeLessThan(1e-4)
})

test('familyTable(...) has no term for three variables: each pair has the same odds ratio whatever the third is', () => {
  const {table} = familyTable(singles, (a, b) => covariances[a][b])
  const oddsRatio = (y: number) => (table[4 * y] * table[4 * y + 3]) / (table[4 * y + 1] * table[4 * y + 2])
  expect(oddsRatio(1)).toBeCloseTo(oddsRatio(0), 10)
})

test('familyTable(...) of one or two variables is exact', () => {
  expect([...familyTable([0.3], () => 0).table]).toEqual([0.7, 0.3])
  const {table, residual} = familyTable([0.3, 0.2], () => 0.05)
  expect(table[3]).toBeCloseTo(0.11, 14)
  expect(table[2]).toBeCloseTo(0.19, 14)
  expect(residual).toBeLessThan(1e-14)
})

test('familyTable(...) of pairs that contradict each other is still a table, and says how far off', () => {
  // Both follow the first closely, and avoid each other.
  const {table, residual} = familyTable([0.5, 0.5, 0.5], (a, b) => (a === 0 ? 0.2 : -0.2 * b ** 0))
  expect(table.every(share => share >= 0 && share <= 1)).toBe(true)
  expect(table.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10)
  expect(residual).toBeGreaterThan(0.01)
})
