import type {WordMoments} from '../moments/index.ts'
import {type LatentNetwork, logPrior} from '../structure/index.ts'
import {assignment} from '../test-golden.ts'
import type {Loadings} from './loadings.ts'

/** The moments that infinitely many documents of a known model have, by enumeration over all 2^m assignments. */
export function exactWordMoments(
  network: LatentNetwork,
  loadings: Loadings,
  edges: readonly (readonly [number, number])[]
): WordMoments {
  const {latentCount: m, wordCount: n, leak} = loadings
  const frequency = new Float64Array(n)
  const singles = new Float64Array(4 * m * n)
  const pairs = new Float64Array(8 * edges.length * n)
  for (let state = 0; state < 2 ** m; state++) {
    const y = assignment(state, m)
    const prior = Math.exp(logPrior(network, y))
    for (let j = 0; j < n; j++) {
      const off = prior * (1 - leak[j]) * survival(loadings, y, j)
      for (const [x, share] of [off, prior - off].entries()) {
        if (x === 1) frequency[j] += share
        for (let i = 0; i < m; i++) singles[4 * (i * n + j) + 2 * y[i] + x] += share
        edges.forEach(([i, k], edge) => {
          pairs[8 * (edge * n + j) + 4 * y[i] + 2 * y[k] + x] += share
        })
      }
    }
  }
  return {
    latentCount: m,
    wordCount: n,
    edges,
    frequency,
    singles,
    pairs,
    certificate: {objective: 0, gap: 0, steps: 0, status: 'optimal'}
  }
}

/** P(no concept switches word j on | y). */
export function survival({wordCount, failure}: Loadings, y: readonly number[], j: number): number {
  return y.reduce((product, on, i) => product * (on ? failure[i * wordCount + j] : 1), 1)
}
