import fc from 'fast-check'
import {assignment} from '../../../test/golden.ts'
import {type BayesNetwork, logPrior} from '../../base/network/index.ts'
import type {BlanketMoments, WordMoments} from '../moments/index.ts'
import {failureBlanket, type Loadings} from './failure.ts'

/** Returns the moments of infinitely many documents of a known model, by enumeration of all 2^m assignments. */
export function exactWordMoments(
  network: BayesNetwork,
  loadings: Loadings,
  edges: readonly (readonly [number, number])[]
): WordMoments {
  const {conceptCount: m, wordCount: n, leak} = loadings
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
    conceptCount: m,
    wordCount: n,
    edges,
    frequency,
    singles,
    pairs
  }
}

/** Returns P(no concept switches word j on | y). */
function survival({wordCount, failure}: Loadings, y: readonly number[], j: number): number {
  return y.reduce((product, on, i) => product * (on ? failure[i * wordCount + j] : 1), 1)
}

/** Returns the exact moments of one concept and its Markov blanket. */
export function exactBlanketMoments(
  network: BayesNetwork,
  loadings: Loadings,
  concept: number,
  blanket: readonly number[]
): BlanketMoments {
  const {conceptCount: m, wordCount, leak} = loadings
  const settings = 2 ** blanket.length
  const tables = new Float64Array(4 * settings * wordCount)
  const prior = new Float64Array(2 * settings)
  for (let state = 0; state < 2 ** m; state++) {
    const y = assignment(state, m)
    const chance = Math.exp(logPrior(network, y))
    const cell = [concept, ...blanket].reduce((bits, i) => 2 * bits + y[i], 0)
    prior[cell] += chance
    for (let j = 0; j < wordCount; j++) {
      const off = chance * (1 - leak[j]) * survival(loadings, y, j)
      tables[4 * settings * j + 2 * cell] += off
      tables[4 * settings * j + 2 * cell + 1] += chance - off
    }
  }
  return {concept, blanket, wordCount, sampleCount: 1e9, tables, concepts: prior}
}

/** Generates a network without cycles and noisy-or words; with at most one parent per concept the network is a forest. */
export function arbitraryModel(conceptCount: number, wordCount: number, mostParents = 3) {
  const chance = (min: number, max: number) => fc.double({min, max, noNaN: true})
  const list = (length: number, min: number, max: number) =>
    fc.array(chance(min, max), {minLength: length, maxLength: length})
  const parents = fc.tuple(
    ...Array.from({length: conceptCount}, (_, i) =>
      fc.subarray(
        Array.from({length: i}, (_, k) => k),
        {maxLength: Math.min(i, mostParents)}
      )
    )
  )
  return fc
    .record({
      parents,
      rows: list(8 * conceptCount, 0.05, 0.95),
      failure: list(conceptCount * wordCount, 0.05, 1),
      leak: list(wordCount, 0, 0.5)
    })
    .map(({parents, rows, failure, leak}) => {
      const cpt = parents.map((list, i) => Float64Array.from(rows.slice(8 * i, 8 * i + 2 ** list.length)))
      const loadings = {conceptCount, wordCount, failure: Float64Array.from(failure), leak: Float64Array.from(leak)}
      return {network: {parents, cpt}, loadings}
    })
}

/** Eq. 6 at one setting of the blanket: pooled with all weight there. */
export function failureAtSetting(moments: BlanketMoments, setting = 0): Float64Array {
  const settings = moments.concepts.length / 2
  return failureBlanket({...moments, concepts: moments.concepts.map((_, cell) => Number(cell % settings === setting))})
}
