import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {goldenNames, goldenRates, momentsFrom, readGolden, sampleCounts, truthNetwork} from '../../../test/golden.ts'
import {anyRates} from '../../../test/tables.ts'
import {logPrior, networkEdges} from '../../base/network/index.ts'
import {mutualInformation} from '../../base/numeric/index.ts'
import {type Moments, recoverMoments} from '../moments/index.ts'
import {bicScore, bicScores, parameterCount, plainParameters} from './bic.ts'
import {learnStructure, networkFromMoments, planStructure, type StructureKind} from './learn-structure.ts'
import {chowLiuTree} from './search.ts'
import {searchExact} from './search-orders.ts'
import {allGraphs, anyJoint, jointMoments} from './test-joint.ts'

describe.each(goldenNames)('structure of %s', async name => {
  const golden = readGolden(name)
  const {sample, population, m} = golden
  const noise = goldenRates(golden, sample.pyFromSingles)
  const expected = sample.recovered['lambda=0.01'].simplex
  const moments = await recoverMoments(sampleCounts(golden), noise, {shrinkage: 0.01})
  // The golden trees are rooted at concept 0.
  const rooted = networkFromMoments(moments, chowLiuTree(moments, 0))

  test('chowLiuTree(...) finds the golden tree of the sample, and so does learnStructure(...), whatever its root', async () => {
    expect(rooted.parents).toEqual(expected.treeParentsRoot0)
    const {network} = await learnStructure(moments, 'tree')
    expect(undirected(networkEdges(network))).toEqual(undirected(expected.chowLiuEdges))
  })

  // 1e-4: golden cells are good to 1e-5, and the rarest parent state has a probability above 0.1.
  test('networkFromMoments(...) reproduces the golden conditional probabilities', () => {
    expected.treeCpt.forEach((row, i) => {
      row.forEach((p, s) => {
        expect(Math.abs(rooted.cpt[i][s] - p)).toBeLessThan(1e-4)
      })
    })
  })

  test('logPrior(...) of the learned tree gives the golden log-likelihood of the first 50 documents', () => {
    const sum = sample.Y.slice(0, 50).reduce((total, bits) => total + logPrior(rooted, [...bits].map(Number)), 0)
    expect(Math.abs(sum / 50 - expected.tagLogLikOfFirst50Y)).toBeLessThan(1e-4)
  })

  test('chowLiuTree(...) and networkFromMoments(...) give back the true tree and its probabilities', async () => {
    const exact = momentsFrom(population.latentTables, m)
    const {certificate} = await learnStructure(exact, 'tree')
    const network = networkFromMoments(exact, chowLiuTree(exact, 0))
    expect(network.parents).toEqual(population.chowLiu.parents)
    expect(undirected(networkEdges(network))).toEqual(undirected(population.chowLiu.edges))
    const truth = truthNetwork(golden)
    expect(truth.parents).toEqual(population.chowLiu.parents)
    network.cpt.forEach((row, i) => {
      row.forEach((p, s) => {
        expect(p).toBeCloseTo(truth.cpt[i][s], 9)
      })
    })
    const information = population.chowLiu.edges.map(([i, k]) => population.chowLiu.mutualInformation[i][k])
    expect(certificate.score).toBeCloseTo(
      information.reduce((sum, bits) => sum + bits, 0),
      10
    )
    expect(certificate).toMatchObject({method: 'chow-liu', status: 'optimal', gap: 0})
  })
})

test('learnStructure(..., "independent") keeps the singles and has no edge', async () => {
  const golden = readGolden('m4')
  const {network, certificate} = await learnStructure(momentsFrom(golden.population.latentTables, 4), 'independent')
  expect(network.parents).toEqual([[], [], [], []])
  expect(network.cpt.map(([p]) => p)).toEqual([0, 1, 2, 3].map(i => golden.population.latentTables[i][1]))
  expect(certificate).toMatchObject({method: 'known', status: 'known'})
  expect(certificate.score).toBe(certificate.bic)
})

test('learnStructure(...) moves probabilities of 0 and 1 inside', async () => {
  const tables = {0: [0, 1], 1: [0.5, 0.5], '0,1': [0.3, 0, 0, 0.7]}
  const {network} = await learnStructure(momentsFrom(tables, 2), 'tree')
  expect(network.cpt[0][0]).toBe(1 - 1e-6)
  expect([...network.cpt[1]]).toEqual([1e-6, 1 - 1e-6])
})

test('networkFromMoments(...) takes the prevalence where the parent state never occurs', () => {
  const tables = {0: [1, 0], 1: [0.7, 0.3], '0,1': [0.7, 0.3, 0, 0]}
  const network = networkFromMoments(momentsFrom(tables, 2), [[], [0]])
  expect([...network.cpt[1]]).toEqual([0.3, 0.3])
})

test('learnStructure(...) finds the best BIC score of all graphs with at most K parents, and says what it is', async () => {
  await fc.assert(
    fc.asyncProperty(anyJoint(4), fc.constantFrom(1, 2, 3), fc.constantFrom(0.5, 1), async (joint, K, penalty) => {
      const moments = jointMoments(joint, 500)
      const {network, certificate} = await learnStructure(moments, `indegree:${K}`, {penalty})
      const best = Math.max(
        ...allGraphs(4, K).map(graph => bicScore(moments.table, graph, 500, {penalty, parameters: plainParameters}))
      )
      expect(certificate.score).toBeCloseTo(best, 8)
      expect(certificate.bic).toBeCloseTo(best, 8)
      const method = K === 1 ? 'chow-liu' : 'dynamic-programming'
      expect(certificate).toMatchObject({method, status: 'optimal', gap: 0})
      expect(Math.max(...network.parents.map(list => list.length))).toBeLessThanOrEqual(K)
    }),
    {numRuns: 40}
  )
})

test('learnStructure(..., "indegree:1") is the best graph of one parent, whatever the score', async () => {
  const rates = fc.array(anyRates(0.3), {minLength: 5, maxLength: 5})
  const scores = fc.constantFrom('bic' as const, 'noise-aware' as const)
  await fc.assert(
    fc.asyncProperty(anyJoint(5), rates, scores, async (joint, rates, score) => {
      const moments = jointMoments(joint, 20_000)
      const {network, certificate} = await learnStructure(moments, 'indegree:1', {score, rates})
      const parameters = parameterCount(score, moments.table, rates)
      const best = searchExact(bicScores(moments.table, 5, 20_000, {maxParents: 1, parameters}))
      expect(certificate.score / best.score).toBeCloseTo(1, 10)
      expect(bicScore(moments.table, network.parents, 20_000, {penalty: 0.5, parameters})).toBe(certificate.score)
    }),
    {numRuns: 60}
  )
})

test('learnStructure(..., {search: "greedy"}) proves nothing, and scores no more than the exact search', async () => {
  const moments = jointMoments(fc.sample(anyJoint(6), {numRuns: 1, seed: 3})[0], 1000)
  const exact = await learnStructure(moments, 'indegree:2')
  const {certificate} = await learnStructure(moments, 'indegree:2', {search: 'greedy'})
  expect(certificate).toMatchObject({method: 'greedy', status: 'heuristic'})
  expect(certificate.score).toBeLessThanOrEqual(exact.certificate.score + 1e-9)
  expect(certificate.score + (certificate.gap ?? 0)).toBeGreaterThanOrEqual(exact.certificate.score - 1e-9)
})

test('learnStructure(...) of more than 22 concepts needs a clock to keep a time limit', async () => {
  const moments = pairsOnly(24)
  const edges = {forbid: [['0', '1']]} as const
  expect((await learnStructure(moments, 'indegree:1', {edges})).certificate.status).toBe('optimal')
  await expect(() => learnStructure(moments, 'indegree:1', {edges, timeLimit: 1})).rejects.toThrow(
    'a time limit needs a clock'
  )
})

test('learnStructure(...) refuses more families than it can hold', async () => {
  await expect(() => learnStructure(pairsOnly(60), 'indegree:4')).rejects.toThrow(
    /^60 concepts have 2\.\de\+7 families of 4 parents, more than 5e\+6; allow fewer parents$/
  )
})

test('learnStructure(..., {timeLimit}) stops the search when the clock says so', async () => {
  let now = 0
  const moments = jointMoments(fc.sample(anyJoint(6), {numRuns: 1, seed: 3})[0], 1000)
  const search = {search: 'greedy', penalty: 0, timeLimit: 5} as const
  const {certificate} = await learnStructure(moments, 'indegree:2', search, {clock: () => now++})
  expect(certificate).toMatchObject({status: 'stopped', stoppedBy: 'time'})
})

test('learnStructure(...) throws when it is cancelled', async () => {
  const signal = AbortSignal.abort()
  await expect(() =>
    learnStructure(jointMoments([0.1, 0.2, 0.3, 0.4], 9), 'indegree:2', {search: 'greedy'}, {signal})
  ).rejects.toThrow(expect.objectContaining({code: 'cancelled'}))
})

describe('learnStructure(...) under constraints', () => {
  const edges = {
    require: [['1', '0']],
    forbid: [
      ['2', '3'],
      ['3', '2']
    ]
  } as const
  const keeps = (parents: readonly (readonly number[])[]) =>
    parents[0].includes(1) && !parents[2].includes(3) && !parents[3].includes(2)

  test('learnStructure(...) finds the best of the graphs that keep them', async () => {
    await fc.assert(
      fc.asyncProperty(anyJoint(4), async joint => {
        const moments = jointMoments(joint, 500)
        const {network, certificate} = await learnStructure(moments, 'indegree:2', {edges})
        const allowed = allGraphs(4, 2).filter(keeps)
        const best = Math.max(
          ...allowed.map(graph => bicScore(moments.table, graph, 500, {penalty: 0.5, parameters: plainParameters}))
        )
        expect(keeps(network.parents)).toBe(true)
        expect(certificate.score).toBeCloseTo(best, 8)
      }),
      {numRuns: 30}
    )
  })

  test('learnStructure(..., "tree") under constraints is the forest of most information that keeps them', async () => {
    await fc.assert(
      fc.asyncProperty(anyJoint(4), async joint => {
        const moments = jointMoments(joint, 500)
        const {network, certificate} = await learnStructure(moments, 'tree', {edges})
        const information = (graph: readonly (readonly number[])[]) =>
          graph.reduce((sum, [k], i) => (k === undefined ? sum : sum + mutualInformation(moments.pair(k, i))), 0)
        const best = Math.max(...allGraphs(4, 1).filter(keeps).map(information))
        expect(keeps(network.parents)).toBe(true)
        expect(information(network.parents)).toBeCloseTo(certificate.score, 9)
        expect(certificate.score).toBeCloseTo(best, 9)
      }),
      {numRuns: 30}
    )
  })

  test.each([
    [
      'tree',
      {
        edges: {
          require: [
            ['0', '2'],
            ['1', '2']
          ]
        }
      },
      'concept "2": the required edges leave it no family of at most 1 parent;'
    ],
    ['independent', {edges: {require: [['0', '1']]}}, 'the parents of "1" break the rules of `edges`'],
    [
      {name: 'cycle', find: () => [[1], [0], []]},
      {},
      'the graph has a cycle: "1" -> "0" -> "1"; remove one of its edges'
    ]
  ] as const)('learnStructure(..., %j, %j) is refused', async (kind, options, message) => {
    // Concepts 0 and 1 avoid each other.
    const moments = jointMoments([0.05, 0.05, 0.2, 0.2, 0.2, 0.2, 0.05, 0.05], 100)
    await expect(() => learnStructure(moments, kind, options)).rejects.toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringContaining(message)})
    )
  })
})

/** Concepts of which each goes with the one before. */
function pairsOnly(m: number): Moments {
  const tables: Record<string, number[]> = {}
  for (let i = 0; i < m; i++) {
    tables[i] = [0.7, 0.3]
    for (let k = i + 1; k < m; k++) tables[`${i},${k}`] = k === i + 1 ? [0.6, 0.1, 0.1, 0.2] : [0.49, 0.21, 0.21, 0.09]
  }
  return momentsFrom(tables, m, 1000)
}

function undirected(edges: readonly (readonly [number, number])[]): string[] {
  return edges.map(([i, k]) => (i < k ? `${i}-${k}` : `${k}-${i}`)).sort()
}

test.each(['', 'forest', 'indegree', 'indegree:', 'indegree:0', 'indegree:2.5', 'degree:7', 'degree:-1', null, 3])(
  'planStructure(%j) is refused',
  kind => {
    expect(() => planStructure(kind as StructureKind)).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringContaining(`got ${JSON.stringify(kind)}`)})
    )
  }
)
