import {describe, expect, test} from 'vitest'
import {expectNear} from '../../../test/expect.ts'
import {type BayesNetwork, forwardSampler, junctionTree} from '../../base/network/index.ts'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {recoverBlanketMoments, recoverTable, recoverWordMoments} from '../moments/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {failureBlanket, failureDirect, markovBlanket} from './failure.ts'
import {failureGraph} from './failure-graph.ts'
import {failureNetwork} from './failure-network.ts'
import type {Loadings} from './loadings.ts'
import {exactBlanketMoments, exactWordMoments, failureAtSetting} from './test-exact.ts'

/** Two causes of 2 (a v-structure), a chain 2 -> 3 -> 4, and 5 with the parents 3 and 0. */
const parents = [[], [], [0, 1], [2], [3], [3, 0]]
const network: BayesNetwork = {
  parents,
  cpt: [[0.25], [0.2], [0.05, 0.3, 0.35, 0.7], [0.1, 0.5], [0.15, 0.6], [0.05, 0.3, 0.25, 0.6]].map(row =>
    Float64Array.from(row)
  )
}
const m = 6
const n = 12
const loadings: Loadings = {
  conceptCount: m,
  wordCount: n,
  failure: Float64Array.from(
    {length: m * n},
    (_, at) => [1, 0.9, 1, 0.6, 1, 1, 0.75][(7 * at + Math.floor(at / n)) % 7]
  ),
  leak: Float64Array.from({length: n}, (_, j) => 0.02 + 0.01 * (j % 5))
}
const truePositive = Float64Array.of(0.8, 0.5, 0.7, 0.4, 0.6, 0.5)
const falsePositive = new Float64Array(m).fill(0.01)

describe('failureGraph', () => {
  const exact = exactWordMoments(network, loadings, [])
  const recoverBlanket = (concept: number, blanket: readonly number[]) =>
    exactBlanketMoments(network, loadings, concept, blanket)

  test.each([0, 1, 2, 3, 5])('failureGraph(...) finds the failures with a blanketLimit of %d', blanketLimit => {
    const {failure, certificate} = failureGraph(exact, network, {blanketLimit, random: rng(0)}, recoverBlanket)
    expectNear(failure, loadings.failure, 1e-9)
    const sizes = parents.map((_, i) => markovBlanket(parents, i).length)
    const within = sizes.flatMap((size, i) => (blanketLimit > 0 && size <= blanketLimit ? [i] : []))
    expect(certificate).toMatchObject({
      blanketLimit,
      blanketConcepts: within,
      settings: within.reduce((sum, i) => sum + n * 2 ** sizes[i], 0),
      settingsLeftOut: 0,
      blanketStatus: 'optimal',
      networkConcepts: m - within.length,
      sums: 'exact',
      wordsUnfinished: 0
    })
    expect(certificate.residual).toBeLessThanOrEqual(1e-10)
  })

  test('failureGraph(...) asks for one blanket after the other, and for none when the limit is 0', () => {
    const asked: number[] = []
    const recording = (concept: number, blanket: readonly number[]) => {
      asked.push(concept)
      expect(blanket).toEqual(markovBlanket(parents, concept))
      return recoverBlanket(concept, blanket)
    }
    failureGraph(exact, network, {blanketLimit: 0, random: rng(0)}, recording)
    expect(asked).toEqual([])
    failureGraph(exact, network, {blanketLimit: 3, random: rng(0)}, recording)
    expect(asked).toEqual([1, 2, 4, 5])
  })

  test('failureGraph(...) reports blankets that were not solved, and refuses to do without them', () => {
    const unsolved = (concept: number, blanket: readonly number[]) => ({
      ...recoverBlanket(concept, blanket),
      certificate: {objective: 1, gap: 0.25, steps: 3, status: 'step-limit'} as const
    })
    const options = {blanketLimit: 3, random: rng(0)}
    expect(failureGraph(exact, network, options, unsolved).certificate).toMatchObject({
      blanketGap: 1,
      blanketStatus: 'step-limit'
    })
    expect(() => failureGraph(exact, network, options, undefined)).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/`blanketLimit` 3 needs moments/)})
    )
  })

  test('failureGraph(...) returns blanket estimates unclipped, fits the others to clipped ones, and counts what was left out', () => {
    const odd = (concept: number, blanket: readonly number[]) => {
      const moments = recoverBlanket(concept, blanket)
      // Of concept 4: word 0 twice as often absent with it as without, word 1 never with it, and word 2 has no mass with it.
      if (concept !== 4) return moments
      const table = (x0: number, x0WithIt: number) => [
        x0,
        1 - x0,
        x0,
        1 - x0,
        x0WithIt,
        1 - x0WithIt,
        x0WithIt,
        1 - x0WithIt
      ]
      const tables = moments.tables.slice()
      tables.set([...table(0.4, 0.8), ...table(0.4, 0), ...table(0.4, 0.4).map((share, at) => (at < 4 ? share : 0))])
      return {...moments, tables}
    }
    const {failure, certificate} = failureGraph(exact, network, {blanketLimit: 1, random: rng(0)}, odd)
    expect(certificate).toMatchObject({blanketConcepts: [4], settings: 2 * n, settingsLeftOut: 2, wordsUnfinished: 0})
    expectNear(failure.subarray(4 * n, 4 * n + 2), [2, 0], 1e-12)
    expect(failure[4 * n + 2]).toBeNaN()
    // The neighbour of 4 takes the place of what 4 no longer says.
    const fixed = new Map([
      [4, failure.subarray(4 * n).map(f => (Number.isNaN(f) ? 1 : Math.min(Math.max(f, 1e-3), 1)))]
    ])
    const tree = junctionTree(network)
    if (tree === undefined) throw new Error('too wide')
    const expected = failureNetwork(tree, failureDirect(exact), n, fixed).failure
    expectNear(failure.subarray(0, 4 * n), expected.subarray(0, 4 * n), 1e-9)
  })

  test('failureGraph(...) draws P(Y) where the junction tree is too large, and says so', () => {
    const options = {blanketLimit: 0, random: rng(5), treeLimit: 10, samples: 20_000}
    const {failure, certificate} = failureGraph(exact, network, options, undefined)
    expect(certificate).toMatchObject({sums: {samples: 20_000}, wordsUnfinished: 0})
    // As from 20,000 documents with known concepts: a ratio of two shares of at least 1,400 of them, 5 standard errors.
    expectNear(
      failure.map(f => Math.min(f, 1)),
      loadings.failure,
      (5 * Math.SQRT2 * 0.5) / Math.sqrt(1400)
    )
  })
})

describe('failures from generated documents', () => {
  const errors = (N: number, seed: number) => {
    const counts = drawCounts(N, rng(seed))
    const noise = ratesOf(counts)
    const shrinkage = 0
    const cpt = parents.map((list, i) => {
      const {mu} = recoverTable(counts, noise, {concepts: [...list, i]})
      return Float64Array.from({length: 2 ** list.length}, (_, s) => mu[2 * s + 1] / (mu[2 * s] + mu[2 * s + 1]))
    })
    const moments = recoverWordMoments(counts, noise, [], {shrinkage})
    const concepts = parents.map((_, i) => i)
    const blankets = concepts.map(concept =>
      recoverBlanketMoments(counts, noise, {concept, blanket: markovBlanket(parents, concept)}, {shrinkage})
    )
    const singles = Array.from({length: 4}, (_, b) => blankets.flatMap(one => [...failureAtSetting(one, b)]))
    const byNetwork = failureGraph(moments, {parents, cpt}, {blanketLimit: 0, random: rng(0)}, undefined)
    return {
      pooled: rootMeanSquare(blankets.flatMap(one => [...failureBlanket(one).failure])),
      singles: singles.map(rootMeanSquare),
      network: rootMeanSquare([...byNetwork.failure])
    }
  }

  // Over 20 seeds the pooled error was 0.16 to 0.56 of that of the best setting or b = 0, the network's 0.50 to 0.85 of the pooled.
  test('failureBlanket(...) pooled is nearer to the truth than any single setting, and the network estimator than that', () => {
    const {pooled, singles, network} = errors(5000, 1)
    for (const single of singles) expect(pooled).toBeLessThan(0.85 * single)
    expect(network).toBeLessThan(pooled)
  })

  test('failureBlanket(...) and the network estimator come nearer to the truth with more documents', () => {
    const [few, many] = [errors(2000, 2), errors(50_000, 3)]
    // One over the root of 25 is 0.2.
    expect(many.pooled).toBeLessThan(0.4 * few.pooled)
    expect(many.network).toBeLessThan(0.4 * few.network)
    expect(many.network).toBeLessThan(0.02)
  })
})

function drawCounts(N: number, random: Rng): Counts {
  const draw = forwardSampler(network, random)
  const y = new Uint8Array(m)
  const rows = Array.from({length: N}, () => {
    draw(y)
    const fired = parents.flatMap((_, i) => (random.next() < (y[i] ? truePositive : falsePositive)[i] ? [`a${i}`] : []))
    const words = Array.from(loadings.leak, (leak, j) => {
      const off = y.reduce((product, on, i) => product * (on ? loadings.failure[i * n + j] : 1), 1 - leak)
      return random.next() < off ? [] : [`x${String(j).padStart(2, '0')}`]
    })
    return {features: [...fired, ...words.flat()]}
  })
  const anchors = parents.map((_, i) => ({
    concept: `y${i}`,
    any: [`a${i}`],
    not: [],
    rates: {kind: 'rates', truePositive: truePositive[i], falsePositive: falsePositive[i]} as const
  }))
  return countCorpus(buildCorpus(rows, anchors, {maxShare: 1}))
}

function ratesOf(counts: Counts): NoiseRates {
  const prevalence = Float64Array.from(parents, (_, i) => {
    let fired = 0
    for (let p = 0; p < counts.patternCount; p++)
      if (counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1]).includes(i))
        fired += counts.patternDocuments[p]
    return (fired / counts.documentCount - falsePositive[i]) / (truePositive[i] - falsePositive[i])
  })
  return {
    truePositive,
    falsePositive,
    prevalence
  }
}

/** Of clipped failures; one that does not exist counts as 1. */
function rootMeanSquare(failure: readonly number[]): number {
  const squares = failure.map((f, at) => {
    const clipped = Number.isNaN(f) ? 1 : Math.min(Math.max(f, 1e-3), 1)
    return (clipped - loadings.failure[at]) ** 2
  })
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
}
