import {describe, expect, test} from 'vitest'
import {expectNear} from '../../../test/expect.ts'
import {
  type Golden,
  goldenNames,
  goldenRates,
  momentsFrom,
  readGolden,
  sampleCounts,
  truthLoadings,
  truthNetwork
} from '../../../test/golden.ts'
import {type BayesNetwork, networkEdges} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {recoverWordMoments, type WordMoments} from '../moments/index.ts'
import {learnStructure} from '../structure/index.ts'
import {networkSums} from './failure-network.ts'
import {leaklessAbsence} from './leak.ts'
import {learnLoadings} from './learn-loadings.ts'
import {exactBlanketMoments, exactWordMoments} from './test-exact.ts'

/** For forests, whose failures need no blankets. */
const noBlanket = () => {
  throw new Error('a forest needs no blankets')
}

describe.each(goldenNames)('learnLoadings on %s', name => {
  const golden = readGolden(name)
  const {m, n, sample, truth} = golden
  const noise = goldenRates(golden, sample.pyFromSingles)
  const counts = sampleCounts(golden)

  test('learnLoadings(...) gives back the true failures and leaks from exact moments', () => {
    const network = truthNetwork(golden)
    const exact = exactWordMoments(network, truthLoadings(golden), networkEdges(network))
    const {loadings, certificate} = learnLoadings(exact, network, noBlanket, {leakFloor: 0})
    expectNear(loadings.failure, truth.failures.flat(), 1e-9)
    expectNear(loadings.leak, truth.leak, 1e-9)
    expect(certificate).toMatchObject({estimator: 'tree', failuresBelowFloor: 0, failuresUndefined: 0, leaksAtFloor: 0})
  })

  // 1e-5: the accuracy of the golden tables; ratios of their cells are no worse, since no P(y) or P(x0) here is small.
  const cases = [
    {shrinkage: 0, key: 'lambda=0.0'},
    {shrinkage: 0.1, key: 'lambda=0.1'}
  ] as const

  test.each(cases)(
    'learnLoadings(...) on the golden tree reproduces fTree and leakTree, shrinkage $shrinkage',
    async given => {
      const {fTree, leakTree, treeEdges, p0WithoutLeakTree} = sample.loadings[given.key]
      const network = await localTree(golden)
      const moments = recoverWordMoments(counts, noise, treeEdges, {shrinkage: given.shrinkage})
      const {loadings, certificate} = learnLoadings(moments, network, noBlanket, {leakFloor: 0})
      expectNear(loadings.failure, fTree.flat(), 1e-5)
      expectNear(loadings.leak, leakTree, 1e-5)
      const failure = Float64Array.from(fTree.flat())
      expectNear(leaklessAbsence(network, networkSums(network, rng(1)), failure, n), p0WithoutLeakTree, 1e-6)
      expect(certificate.estimator).toBe('tree')
    }
  )

  test.each(cases)(
    'learnLoadings(...) without edges reproduces fDirect and leakIndependent, shrinkage $shrinkage',
    given => {
      const {fDirect, leakIndependent} = sample.loadings[given.key]
      const moments = recoverWordMoments(counts, noise, [], {shrinkage: given.shrinkage})
      const alone = {
        parents: Array.from({length: m}, () => []),
        cpt: sample.pyFromSingles.map(p => Float64Array.of(p))
      }
      const {loadings, certificate} = learnLoadings(moments, alone, noBlanket, {leakFloor: 0})
      expectNear(loadings.failure, fDirect.flat(), 1e-5)
      expectNear(loadings.leak, leakIndependent, 1e-5)
      expect(certificate.estimator).toBe('direct')
    }
  )
})

describe('learnLoadings', () => {
  const golden = readGolden('m8')
  const network = truthNetwork(golden)
  const exact = exactWordMoments(network, truthLoadings(golden), networkEdges(network))

  test('learnLoadings(...) raises leaks to leakFloor times the frequency of their word', () => {
    for (const leakFloor of [0, 0.1, 0.3, 0.9]) {
      const {loadings, certificate} = learnLoadings(exact, network, noBlanket, {leakFloor})
      const raised = golden.truth.leak.map((l, j) => Math.max(l, leakFloor * golden.population.px1[j]))
      expectNear(loadings.leak, raised, 1e-9)
      expect(certificate.leaksAtFloor).toBe(
        golden.truth.leak.filter((l, j) => l < leakFloor * golden.population.px1[j]).length
      )
    }
  })

  test('learnLoadings(...) keeps failures in [0.001, 1] and says how many it moved', () => {
    const alone: BayesNetwork = {parents: [[]], cpt: [Float64Array.of(0.5)]}
    const moments: WordMoments = {
      ...exact,
      conceptCount: 1,
      wordCount: 4,
      edges: [],
      frequency: Float64Array.of(0.5, 0.6, 0.4, 0.4),
      // Failures of 4, 0, undefined (the concept never occurs) and 0.5.
      singles: Float64Array.from([
        ...[0.1, 0.4, 0.4, 0.1],
        ...[0.4, 0.1, 0, 0.5],
        ...[0.6, 0.4, 0, 0],
        ...[0.4, 0.1, 0.2, 0.3]
      ])
    }
    const {loadings, certificate} = learnLoadings(moments, alone, noBlanket, {leakFloor: 0})
    expectNear(loadings.failure, [1, 1e-3, 1, 0.5], 1e-15)
    expect(certificate).toMatchObject({
      estimator: 'direct',
      failures: 4,
      failuresAboveOne: 1,
      failuresBelowFloor: 1,
      failuresUndefined: 1,
      words: 4
    })
  })

  test('learnLoadings(...) gives a word in every document a leak below 1', () => {
    const frequency = exact.frequency.map((share, j) => (j === 0 ? 1 : share))
    const {loadings} = learnLoadings({...exact, frequency}, network, noBlanket, {leakFloor: 0})
    expect(loadings.leak[0]).toBe(1 - 1e-6)
  })
})

describe('learnLoadings beyond trees', () => {
  const network: BayesNetwork = {
    parents: [[], [], [0, 1], [2]],
    cpt: [[0.3], [0.2], [0.05, 0.4, 0.5, 0.9], [0.1, 0.6]].map(row => Float64Array.from(row))
  }
  const truth = {
    conceptCount: 4,
    wordCount: 2,
    failure: Float64Array.of(0.5, 1, 1, 0.8, 0.7, 0.9, 1, 0.4),
    leak: Float64Array.of(0.1, 0.02)
  }
  const exact = exactWordMoments(network, truth, [])
  const recoverBlanket = (concept: number, blanket: readonly number[]) =>
    exactBlanketMoments(network, truth, concept, blanket)

  test('learnLoadings(...) gives back the truth by blankets of up to three concepts, and says how', () => {
    const {loadings, certificate} = learnLoadings(exact, network, recoverBlanket, {leakFloor: 0})
    expectNear(loadings.failure, truth.failure, 1e-9)
    expectNear(loadings.leak, truth.leak, 1e-9)
    expect(certificate).toMatchObject({estimator: 'blanket', failures: 8, failuresUndefined: 0, words: 2})
    expect(certificate).not.toHaveProperty('samples')
  })

  test('learnLoadings(...) gives back the truth by the network where a blanket is larger', () => {
    // Five concepts, each with all before it as parents: every blanket has four members.
    const dense = {
      parents: [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3]],
      cpt: Array.from({length: 5}, (_, i) => Float64Array.from({length: 2 ** i}, (_, s) => 0.1 + (0.5 * s) / 2 ** i))
    }
    const known = {
      conceptCount: 5,
      wordCount: 1,
      failure: Float64Array.of(0.5, 1, 0.8, 0.9, 0.4),
      leak: Float64Array.of(0.1)
    }
    const {loadings, certificate} = learnLoadings(exactWordMoments(dense, known, []), dense, noBlanket, {leakFloor: 0})
    expectNear(loadings.failure, known.failure, 1e-9)
    expectNear(loadings.leak, known.leak, 1e-9)
    expect(certificate.estimator).toBe('network')
    expect(certificate.graph?.residual).toBeLessThanOrEqual(1e-10)
  })
})

/** The population tree with the probabilities of the golden local moments, which the golden leaks were computed with. */
async function localTree({m, sample, population}: Golden): Promise<BayesNetwork> {
  const moments = momentsFrom(sample.recovered['lambda=0.01'].local.tables, m)
  const {parents} = (await learnStructure(momentsFrom(population.latentTables, m), 'tree')).network
  const cpt = parents.map((list, i) => {
    if (list.length === 0) return Float64Array.of(moments.single(i))
    const [p00, p01, p10, p11] = moments.pair(list[0], i)
    return Float64Array.of(p01 / (p00 + p01), p11 / (p10 + p11))
  })
  return {parents, cpt}
}
