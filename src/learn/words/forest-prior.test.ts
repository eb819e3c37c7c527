import {expect, test} from 'vitest'
import {networkEdges, networkMarginals, networkTable} from '../../base/network/index.ts'
import {mutualInformation} from '../../base/numeric/index.ts'
import {forestPrior} from './forest-prior.ts'
import {shrunkenCovariances} from './pair-covariances.ts'
import {drawDocuments} from './test-documents.ts'

test('forestPrior(...) has the greatest mutual information of all forests, and drops pairs without any', () => {
  for (const seed of [1, 2, 3, 4]) {
    const {counts, rates} = drawDocuments(seed, 3000, 5, 4)
    const m = 5
    const covariances = shrunkenCovariances(counts, rates)
    const worth = (i: number, k: number) => {
      const [p, q, delta] = [rates.prevalence[i], rates.prevalence[k], covariances[i * m + k]]
      return mutualInformation([(1 - p) * (1 - q) + delta, (1 - p) * q - delta, p * (1 - q) - delta, p * q + delta])
    }
    const pairs = Array.from({length: m}, (_, i) => Array.from({length: i}, (_, k): [number, number] => [i, k])).flat()
    let best = 0
    for (let subset = 0; subset < 2 ** pairs.length; subset++) {
      const chosen = pairs.filter((_, at) => (subset >> at) & 1)
      if (isForest(m, chosen))
        best = Math.max(
          best,
          chosen.reduce((sum, [i, k]) => sum + worth(i, k), 0)
        )
    }
    const edges = networkEdges(forestPrior(counts, rates))
    // More pairs than a forest can have, so that it had to choose.
    expect(pairs.filter(([i, k]) => covariances[i * m + k] !== 0).length).toBeGreaterThan(4)
    expect(edges.reduce((sum, [i, k]) => sum + worth(i, k), 0)).toBeCloseTo(best, 12)
    for (const [i, k] of edges) expect(covariances[i * m + k]).not.toBe(0)
  }
})

function isForest(m: number, edges: readonly (readonly [number, number])[]): boolean {
  const group = Array.from({length: m}, (_, i) => i)
  return edges.every(([i, k]) => {
    if (group[i] === group[k]) return false
    const [from, to] = [group[i], group[k]]
    group.forEach((g, at) => {
      if (g === from) group[at] = to
    })
    return true
  })
}

test('forestPrior(...) has the prevalences of the rates, and the shrunken pair of each edge', () => {
  const {counts, rates} = drawDocuments(7, 2000)
  const network = forestPrior(counts, rates)
  const covariances = shrunkenCovariances(counts, rates)
  networkMarginals(network).forEach((p, i) => {
    expect(p).toBeCloseTo(rates.prevalence[i], 12)
  })
  const edges = networkEdges(network)
  expect(edges.length).toBeGreaterThan(2)
  for (const [i, k] of edges)
    expect(networkTable(network, [i, k])[3]).toBeCloseTo(
      rates.prevalence[i] * rates.prevalence[k] + covariances[6 * i + k],
      12
    )
})
