import {describe, expect, test} from 'vitest'
import {expectNear} from '../../../test/expect.ts'
import {
  type Golden,
  goldenNames,
  goldenRates,
  momentsFrom,
  populationCounts,
  readGolden,
  sampleCounts,
  truthLoadings,
  truthNetwork
} from '../../../test/golden.ts'
import {learnable} from '../../../test/learnable.ts'
import {type BayesNetwork, networkEdges} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {Counter, type Counts} from '../../read/counts/index.ts'
import {randomModel, sampleModel} from '../../use/synthetic/index.ts'
import {anchorsWithRates, type Model} from '../model/index.ts'
import {recoverWordMoments, recoverWordRatios, type WordMoments, type WordRatios} from '../moments/index.ts'
import {learnStructure} from '../structure/index.ts'
import {failureDirect, failureTree} from './failure.ts'
import {leaklessAbsence} from './leak.ts'
import {learnGatedLoadings, learnLoadings, loadingPairs} from './learn-loadings.ts'
import {exactBlanketMoments, exactWordMoments} from './test-exact.ts'

describe.each(goldenNames)('learnLoadings on %s', name => {
  const golden = readGolden(name)
  const {m, n, sample, truth} = golden
  const noise = goldenRates(golden, sample.pyFromSingles)
  const counts = sampleCounts(golden)

  test('learnLoadings(...) gives back the true failures and leaks from exact moments', () => {
    const network = truthNetwork(golden)
    const exact = exactWordMoments(network, truthLoadings(golden), networkEdges(network))
    const {loadings, certificate} = learnLoadings(exact, network, {leakFloor: 0})
    expectNear(loadings.failure, truth.failures.flat(), 1e-9)
    expectNear(loadings.leak, truth.leak, 1e-9)
    expect(certificate).toMatchObject({estimator: 'tree', failuresBelowFloor: 0, failuresUndefined: 0, leaksAtFloor: 0})
  })

  test('learnLoadings(...) gives back the truth from exact counts of anchors and words', () => {
    const network = truthNetwork(golden)
    const moments = recoverWordMoments(populationCounts(golden), noise, networkEdges(network), {shrinkage: 0})
    const {loadings} = learnLoadings(moments, network, {leakFloor: 0})
    expectNear(loadings.failure, truth.failures.flat(), 1e-7)
    expectNear(loadings.leak, truth.leak, 1e-7)
  })

  // 1e-5: the accuracy of the golden tables; ratios of their cells are no worse, since no P(y) or P(x0) here is small.
  const cases = [
    {shrinkage: 0, key: 'lambda=0.0', tolerance: 1e-5},
    {shrinkage: 0.1, key: 'lambda=0.1', tolerance: 1e-5}
  ] as const

  test.each(cases)(
    'learnLoadings(...) on the golden tree reproduces fTree and leakTree, shrinkage $shrinkage',
    async given => {
      const {fTree, leakTree, treeEdges, p0WithoutLeakTree} = sample.loadings[given.key]
      const network = await localTree(golden)
      const moments = recoverWordMoments(counts, noise, treeEdges, {shrinkage: given.shrinkage})
      const {loadings, certificate} = learnLoadings(moments, network, {leakFloor: 0})
      expectNear(loadings.failure, fTree.flat(), given.tolerance)
      expectNear(loadings.leak, leakTree, given.tolerance)
      expectNear(
        leaklessAbsence(network, loadings.failure, n, {random: rng(1)}).absence,
        p0WithoutLeakTree,
        given.tolerance
      )
      expectNear(
        leaklessAbsence(network, Float64Array.from(fTree.flat()), n, {random: rng(1)}).absence,
        p0WithoutLeakTree,
        1e-6
      )
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
      const {loadings, certificate} = learnLoadings(moments, alone, {leakFloor: 0})
      expectNear(loadings.failure, fDirect.flat(), given.tolerance)
      expectNear(loadings.leak, leakIndependent, given.tolerance)
      expect(certificate.estimator).toBe('direct')
    }
  )

  test.each(cases)('learnLoadings(...) counts every clip, shrinkage $shrinkage', async given => {
    const {fTreeRaw, fDirectRaw, leakTree, treeEdges} = sample.loadings[given.key]
    const moments = recoverWordMoments(counts, noise, treeEdges, {shrinkage: given.shrinkage})
    const {certificate} = learnLoadings(moments, await localTree(golden), {leakFloor: 0})
    expect(certificate).toEqual({
      estimator: 'tree',
      failures: m * n,
      failuresAboveOne: fTreeRaw.flat().filter(f => f > 1).length,
      failuresBelowFloor: fTreeRaw.flat().filter(f => f < 1e-3).length,
      failuresUndefined: 0,
      words: n,
      leaksAtFloor: leakTree.filter(l => l === 0).length
    })
    const direct = learnLoadings(
      {...moments, edges: [], pairs: new Float64Array(0)},
      await localTree(golden)
    ).certificate
    expect(direct.failuresAboveOne).toBe(fDirectRaw.flat().filter(f => f > 1).length)
  })
})

describe('learnLoadings', () => {
  const golden = readGolden('m8')
  const network = truthNetwork(golden)
  const exact = exactWordMoments(network, truthLoadings(golden), networkEdges(network))

  test('learnLoadings(...) raises leaks to leakFloor times the frequency of their word, 0.3 unless told otherwise', () => {
    for (const leakFloor of [0, 0.1, 0.3, 0.9]) {
      const {loadings, certificate} = learnLoadings(exact, network, {leakFloor})
      const raised = golden.truth.leak.map((l, j) => Math.max(l, leakFloor * golden.population.px1[j]))
      expectNear(loadings.leak, raised, 1e-9)
      expect(certificate.leaksAtFloor).toBe(
        golden.truth.leak.filter((l, j) => l < leakFloor * golden.population.px1[j]).length
      )
    }
    expect(learnLoadings(exact, network)).toEqual(learnLoadings(exact, network, {leakFloor: 0.3}))
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
    const {loadings, certificate} = learnLoadings(moments, alone)
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

  test('learnLoadings(...) gives undefined tree failures the value 1, and counts each', () => {
    const pairs = exact.pairs.slice()
    // The first edge of word 0: Y_0 = 0 and Y_k = 0 never occur together, so P(x0|y_i = 0, y_k = 0) does not exist.
    pairs[0] = 0
    pairs[1] = 0
    const {loadings, certificate} = learnLoadings({...exact, pairs}, network)
    const [[i, k]] = exact.edges
    expect([loadings.failure[i * golden.n], loadings.failure[k * golden.n]]).toEqual([1, 1])
    expect(certificate.failuresUndefined).toBe(2)
  })

  test('learnLoadings(...) gives a word in every document a leak below 1', () => {
    const frequency = exact.frequency.map((share, j) => (j === 0 ? 1 : share))
    const {loadings} = learnLoadings({...exact, frequency}, network)
    expect(loadings.leak[0]).toBe(1 - 1e-6)
  })

  test('learnLoadings(...) leaves the moments as they were', () => {
    const before = structuredClone(exact)
    learnLoadings(exact, network)
    expect(exact).toEqual(before)
  })

  test('learnLoadings(...) uses the tree estimator exactly when there are edges', () => {
    const direct = learnLoadings({...exact, edges: [], pairs: new Float64Array(0)}, network)
    expectNear(
      direct.loadings.failure,
      failureDirect(exact).map(f => Math.min(Math.max(f, 1e-3), 1)),
      0
    )
    const tree = learnLoadings(exact, network)
    expectNear(
      tree.loadings.failure,
      failureTree(exact).map(f => Math.min(Math.max(f, 1e-3), 1)),
      0
    )
  })

  test.each([-0.1, 1, Number.NaN, Number.POSITIVE_INFINITY])(
    'learnLoadings(...) refuses a leakFloor of %f',
    leakFloor => {
      expect(() => learnLoadings(exact, network, {leakFloor})).toThrow(
        expect.objectContaining({
          code: 'bad-option',
          message: `learnLoadings: \`leakFloor\` must be a share in [0, 1); got ${leakFloor}`
        })
      )
    }
  )

  test('learnLoadings(...) refuses an option it does not have, naming the nearest', () => {
    expect(() => learnLoadings(exact, network, {leakfloor: 0} as object)).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/did you mean "leakFloor"/)})
    )
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

  test.each([
    {blanketLimit: 0, estimator: 'network', blanketConcepts: []},
    {blanketLimit: 2, estimator: 'blanket', blanketConcepts: [0, 1, 3]},
    {blanketLimit: 3, estimator: 'blanket', blanketConcepts: [0, 1, 2, 3]}
  ])('learnLoadings(...) gives back the truth, and says how, with a blanketLimit of $blanketLimit', given => {
    const {blanketLimit, estimator, blanketConcepts} = given
    const {loadings, certificate} = learnLoadings(exact, network, {leakFloor: 0, blanketLimit}, recoverBlanket)
    expectNear(loadings.failure, truth.failure, 1e-9)
    expectNear(loadings.leak, truth.leak, 1e-9)
    expect(certificate).toMatchObject({estimator, failures: 8, failuresBelowFloor: 0, failuresUndefined: 0, words: 2})
    expect(certificate.graph).toMatchObject({blanketLimit, blanketConcepts, sums: 'exact', wordsUnfinished: 0})
    expect(certificate).not.toHaveProperty('leakSampling')
  })

  test('learnLoadings(...) leaves all to the network unless told otherwise', () => {
    expect(learnLoadings(exact, network)).toEqual(learnLoadings(exact, network, {blanketLimit: 0}))
    expect(learnLoadings(exact, network).certificate.estimator).toBe('network')
  })

  test('learnLoadings(...) clips what a bound holds, and counts it', () => {
    const singles = exact.singles.slice()
    // Word 0 always comes with concept 0, and seems less likely with concept 3; word 1 never lacks.
    singles.set([0.3, 0.4, 0, 0.3], 0)
    singles.set([0.2, 0.6, 0.15, 0.05], 4 * 3 * 2)
    for (let i = 0; i < 4; i++) singles.set([0, 0.5, 0, 0.5], 4 * (2 * i + 1))
    const {loadings, certificate} = learnLoadings({...exact, singles}, network)
    expect(certificate).toMatchObject({failuresBelowFloor: 1, failuresUndefined: 4})
    expect(certificate.failuresAboveOne).toBeGreaterThanOrEqual(1)
    expect(loadings.failure[0]).toBe(1e-3)
    expect(loadings.failure[6]).toBe(1)
    expect([1, 3, 5, 7].map(at => loadings.failure[at])).toEqual([1, 1, 1, 1])
    expect(certificate.graph).toMatchObject({wordsUnfinished: 0})
  })

  test('learnLoadings(...) uses the network estimator for trees when asked to', () => {
    const golden = readGolden('m8')
    const tree = truthNetwork(golden)
    const moments = exactWordMoments(tree, truthLoadings(golden), networkEdges(tree))
    const {loadings, certificate} = learnLoadings(moments, tree, {estimator: 'network', leakFloor: 0})
    expectNear(loadings.failure, golden.truth.failures.flat(), 1e-9)
    expectNear(loadings.leak, golden.truth.leak, 1e-9)
    expect(certificate.estimator).toBe('network')
    expect(learnLoadings(moments, tree).certificate).not.toHaveProperty('graph')
  })

  test('loadingPairs(...) are the edges of a forest and none of another graph', () => {
    expect(loadingPairs(network)).toEqual([])
    const tree = truthNetwork(readGolden('m4'))
    expect(loadingPairs(tree)).toEqual(networkEdges(tree))
    expect(loadingPairs(tree)).toHaveLength(3)
  })

  test.each([-1, 1.5, 6, Number.NaN])('learnLoadings(...) refuses a blanketLimit of %f', blanketLimit => {
    expect(() => learnLoadings(exact, network, {blanketLimit}, recoverBlanket)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringMatching(/`blanketLimit` must be a whole number from 0 to 5; got/)
      })
    )
  })

  test('learnLoadings(...) refuses an estimator it does not have', () => {
    expect(() => learnLoadings(exact, network, {estimator: 'tree'} as object)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringMatching(/`estimator` must be 'auto' or 'network'; got "tree"/)
      })
    )
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

test('learnLoadings(...) samples P(Y) where it is too wide for exact sums, and says so with the standard error', () => {
  // 22 concepts that are independent, though the last is written with all others as its parents: a table of 2^22 cells.
  const m = 22
  const parents = Array.from({length: m}, (_, i) => (i < m - 1 ? [] : Array.from({length: m - 1}, (_, k) => k)))
  const network = {parents, cpt: parents.map(list => new Float64Array(2 ** list.length).fill(0.1))}
  // One word, of leak 0.2, which concept 0 alone switches on, and fails to in half of its documents.
  const absent = 0.8 * (0.9 + 0.1 * 0.5)
  const [off, on] = [
    (i: number) => (i === 0 ? 0.9 * 0.8 : 0.9 * absent),
    (i: number) => (i === 0 ? 0.1 * 0.4 : 0.1 * absent)
  ]
  const singles = Float64Array.from(
    Array.from({length: m}, (_, i) => [off(i), 0.9 - off(i), on(i), 0.1 - on(i)]).flat()
  )
  const moments = {
    conceptCount: m,
    wordCount: 1,
    edges: [],
    frequency: Float64Array.of(1 - absent),
    singles,
    pairs: new Float64Array(0),
    certificate: {objective: 0, gap: 0, steps: 0, status: 'optimal'}
  } as const
  const {loadings, certificate} = learnLoadings(moments, network, {leakFloor: 0, seed: 1})
  const {samples = 0, standardError = 0} = certificate.leakSampling ?? {}
  expect(certificate.graph).toMatchObject({sums: {samples: expect.any(Number)}, wordsUnfinished: 0})
  expect(samples).toBeGreaterThanOrEqual(10_000)
  // The product is 1 or 0.5: a deviation of 0.15, over the root of the samples.
  expect(standardError / (0.15 / Math.sqrt(samples))).toBeCloseTo(1, 1)
  expect(Math.abs(loadings.leak[0] - 0.2)).toBeLessThan((5 * standardError) / absent)
  expect(loadings.failure[0]).toBeCloseTo(0.5, 1)
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
    ratios: failureDirect(moments),
    certificate: {sigmas: 0, ratios: 0, kept: 0, clipped: 0}
  }
  const {loadings, certificate} = learnGatedLoadings(words, network, {leakFloor: 0})
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
  const counts = populationCounts(golden)
  const words = recoverWordRatios({...counts, documentCount: 1}, rates, {sigmas: 0.05})
  const silent = words.ratios.filter(ratio => ratio === 1).length
  expect(silent).toBeGreaterThan(5)
  const {loadings} = learnGatedLoadings(words, network, {leakFloor: 0})
  words.ratios.forEach((ratio, at) => {
    if (ratio === 1) expect(loadings.failure[at]).toBe(1)
  })
  const {absence} = leaklessAbsence(network, loadings.failure, golden.n, {random: rng(1)})
  absence.forEach((share, j) => {
    if (loadings.leak[j] > 0) expect(1 - (1 - loadings.leak[j]) * share).toBeCloseTo(words.frequency[j], 10)
  })
})

test('learnGatedLoadings(...) comes nearer the truth with every document, though most words are gated', () => {
  const truth = randomModel({...learnable, words: 40, wordsPerConcept: 5}, rng(4))
  const errors = [1000, 16_000].map(size => {
    const counts = drawCounts(truth, size)
    const {failure} = learnGatedLoadings(recoverWordRatios(counts, ratesOf(truth)), truth.network, {
      leakFloor: 0
    }).loadings
    return Math.sqrt(failure.reduce((sum, f, at) => sum + (f - truth.loadings.failure[at]) ** 2, 0) / failure.length)
  })
  // 16 times the documents: a quarter of the error. 240 numbers, most of them exactly 1: within a third of that.
  expect(errors[1] / errors[0]).toBeLessThan(1 / 3)
})

function drawCounts(model: Model, size: number): Counts {
  const counter = new Counter({
    lexicon: {...model.lexicon, anchors: anchorsWithRates(model)},
    labelShare: 0,
    seed: 0
  })
  for (const {evidence} of sampleModel(model, size, rng(9))) counter.add(evidence, '', undefined)
  return counter.finish()
}

function ratesOf({concepts}: Model) {
  return {
    truePositive: Float64Array.from(concepts, concept => concept.truePositive),
    falsePositive: Float64Array.from(concepts, concept => concept.falsePositive),
    prevalence: Float64Array.from(concepts, concept => concept.prevalence)
  }
}

test('learnGatedLoadings(...) refuses a network of other concepts, and a floor that is no share', () => {
  const golden = readGolden('m4')
  const words = recoverWordRatios(populationCounts(golden), goldenRates(golden, golden.sample.pyFromSingles))
  expect(() => learnGatedLoadings(words, truthNetwork(readGolden('m8')))).toThrow(/network of the 4 concepts/)
  expect(() => learnGatedLoadings(words, truthNetwork(golden), {leakFloor: 1})).toThrow(
    /`leakFloor` must be a share in \[0, 1\); got 1/
  )
})
