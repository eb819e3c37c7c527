import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Moments, recoverMoments} from '../moments/index.ts'
import {mutualInformation} from '../numeric/index.ts'
import {
  type GoldenTables,
  goldenNames,
  goldenRates,
  momentsFrom,
  readGolden,
  sampleCounts,
  truthNetwork
} from '../test-golden.ts'
import {logPrior, networkEdges} from './latent-network.ts'
import {chowLiuTree, learnStructure, networkFromMoments} from './learn-structure.ts'

describe.each(goldenNames)('structure of %s', name => {
  const golden = readGolden(name)
  const {sample, population, m} = golden
  const noise = goldenRates(golden, sample.pyFromSingles)
  const expected = sample.recovered['lambda=0.01'].simplex
  const moments = recoverMoments(sampleCounts(golden), noise, {pull: 0.01})
  // The golden trees are rooted at concept 0.
  const rooted = networkFromMoments(moments, chowLiuTree(moments, 0).parents)

  test('chowLiuTree(...) finds the golden tree of the sample, and so does learnStructure(...), whatever its root', () => {
    expect(rooted.network.parents).toEqual(expected.treeParentsRoot0)
    const {network} = learnStructure(moments, 'tree')
    expect(undirected(networkEdges(network))).toEqual(undirected(expected.chowLiuEdges))
  })

  test('learnStructure(...) roots the tree at the commonest concept', () => {
    const {parents} = learnStructure(moments, 'tree').network
    const singles = Array.from({length: m}, (_, i) => moments.single(i))
    expect(parents[singles.indexOf(Math.max(...singles))]).toEqual([])
  })

  // 1e-4: golden cells are good to 1e-5, and the rarest parent state has a probability above 0.1.
  test('networkFromMoments(...) reproduces the golden conditional probabilities', () => {
    expected.treeCpt.forEach((row, i) => {
      row.forEach((p, s) => {
        expect(Math.abs(rooted.network.cpt[i][s] - p)).toBeLessThan(1e-4)
      })
    })
  })

  test('logPrior(...) of the learned tree gives the golden log-likelihood of the first 50 documents', () => {
    const sum = sample.Y.slice(0, 50).reduce(
      (total, bits) => total + logPrior(rooted.network, [...bits].map(Number)),
      0
    )
    expect(Math.abs(sum / 50 - expected.tagLogLikOfFirst50Y)).toBeLessThan(1e-4)
  })

  test('chowLiuTree(...) and networkFromMoments(...) give back the true tree and its probabilities', () => {
    const exact = momentsFrom(population.latentTables, m)
    const {certificate} = learnStructure(exact, 'tree')
    const {network} = networkFromMoments(exact, chowLiuTree(exact, 0).parents)
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
    expect(certificate).toMatchObject({kind: 'tree', status: 'optimal', clipped: 0})
  })
})

describe('chowLiuTree', () => {
  test('chowLiuTree(...) is the best of all spanning trees of up to five concepts', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 1, max: 5}).chain(m => randomTables(m).map(tables => ({m, tables}))),
        ({m, tables}) => {
          const moments = momentsFrom(tables, m)
          const {parents, score} = chowLiuTree(moments, 0)
          const scores = spanningTrees(m).map(tree => treeScore(tree, moments))
          expect(scores).toHaveLength(m === 1 ? 1 : m ** (m - 2))
          expect(score).toBeCloseTo(Math.max(...scores), 12)
          const own = parents.flatMap((list, i) => list.map((parent): [number, number] => [parent, i]))
          expect(own).toHaveLength(m - 1)
          expect(treeScore(own, moments)).toBeCloseTo(score, 12)
        }
      ),
      {numRuns: 200}
    )
  })

  test('chowLiuTree(...) is a tree rooted at 0: every other concept has one parent and leads there', () => {
    fc.assert(
      fc.property(randomTables(9), tables => {
        const {parents} = chowLiuTree(momentsFrom(tables, 9), 0)
        expect(parents[0]).toEqual([])
        for (let i = 1; i < 9; i++) {
          expect(parents[i]).toHaveLength(1)
          let at = i
          for (let steps = 0; at !== 0 && steps < 9; steps++) at = parents[at][0]
          expect(at).toBe(0)
        }
      })
    )
  })

  test('chowLiuTree(...) has the same edges when the concepts are numbered differently', () => {
    fc.assert(
      fc.property(randomTables(6), fc.shuffledSubarray([0, 1, 2, 3, 4, 5], {minLength: 6}), (tables, newNumber) => {
        const moments = momentsFrom(tables, 6)
        // Equal informations are a tie, which the numbers then decide.
        const informations = Object.values(tables)
          .map(mutualInformation)
          .sort((a, b) => a - b)
        fc.pre(informations.every((value, at) => at === 0 || value - informations[at - 1] > 1e-12))
        const renumbered: Moments = {
          ...moments,
          single: i => moments.single(newNumber[i]),
          pair: (i, k) => moments.pair(newNumber[i], newNumber[k])
        }
        const edgesOf = (parents: number[][], number: (i: number) => number) =>
          undirected(parents.flatMap((list, i) => list.map((parent): [number, number] => [number(parent), number(i)])))
        expect(edgesOf(chowLiuTree(renumbered, 0).parents, i => newNumber[i])).toEqual(
          edgesOf(chowLiuTree(moments, 0).parents, i => i)
        )
      })
    )
  })

  test('chowLiuTree(...) breaks ties always the same way: equal concepts all hang on the first', () => {
    const tables = Object.fromEntries(pairKeys(5).map(key => [key, [0.4, 0.1, 0.1, 0.4]]))
    const first = chowLiuTree(momentsFrom(tables, 5), 0)
    expect(first.parents).toEqual([[], [0], [0], [0], [0]])
    expect(chowLiuTree(momentsFrom(tables, 5), 0)).toEqual(first)
  })

  test('chowLiuTree(...) joins concepts that say nothing of each other all the same', () => {
    const tables = Object.fromEntries(pairKeys(4).map(key => [key, [0.25, 0.25, 0.25, 0.25]]))
    const {parents, score} = chowLiuTree(momentsFrom(tables, 4), 0)
    expect(parents).toEqual([[], [0], [0], [0]])
    expect(score).toBe(0)
  })
})

describe('learnStructure', () => {
  test('learnStructure(..., "independent") keeps the singles and has no edge', () => {
    const golden = readGolden('m4')
    const {network, certificate} = learnStructure(momentsFrom(golden.population.latentTables, 4), 'independent')
    expect(network.parents).toEqual([[], [], [], []])
    expect(network.cpt.map(([p]) => p)).toEqual([0, 1, 2, 3].map(i => golden.population.latentTables[i][1]))
    expect(certificate).toEqual({kind: 'independent', score: 0, status: 'optimal', clipped: 0, undetermined: 0})
  })

  test('learnStructure(...) of one concept is that concept alone', () => {
    for (const kind of ['tree', 'independent'] as const) {
      const {network} = learnStructure(momentsFrom({0: [0.8, 0.2]}, 1), kind)
      expect(network).toEqual({parents: [[]], cpt: [Float64Array.of(0.2)]})
    }
  })

  test('learnStructure(...) moves probabilities of 0 and 1 inside, and counts them', () => {
    const tables = {0: [0, 1], 1: [0.5, 0.5], '0,1': [0.3, 0, 0, 0.7]}
    const {network, certificate} = learnStructure(momentsFrom(tables, 2), 'tree')
    expect(network.cpt[0][0]).toBe(1 - 1e-6)
    expect([...network.cpt[1]]).toEqual([1e-6, 1 - 1e-6])
    expect(certificate.clipped).toBe(3)
  })

  test('networkFromMoments(...) takes the prevalence where the parent state never occurs, and counts it', () => {
    const tables = {0: [1, 0], 1: [0.7, 0.3], '0,1': [0.7, 0.3, 0, 0]}
    const {network, undetermined} = networkFromMoments(momentsFrom(tables, 2), [[], [0]])
    expect([...network.cpt[1]]).toEqual([0.3, 0.3])
    expect(undetermined).toBe(1)
  })

  test('learnStructure(...) takes the conditional probabilities from the table of the pair alone', () => {
    // Simplex moments of singles and pairs may disagree.
    const tables = {0: [0.9, 0.1], 1: [0.9, 0.1], '0,1': [0.4, 0.1, 0.2, 0.3]}
    const {network} = learnStructure(momentsFrom(tables, 2), 'tree')
    expect(network.cpt[0][0]).toBe(0.1)
    expect(network.cpt[1][0]).toBeCloseTo(0.2, 14)
    expect(network.cpt[1][1]).toBeCloseTo(0.6, 14)
  })
})

function undirected(edges: readonly (readonly [number, number])[]): string[] {
  return edges.map(([i, k]) => (i < k ? `${i}-${k}` : `${k}-${i}`)).sort()
}

function pairKeys(m: number): string[] {
  return Array.from({length: m}, (_, i) => Array.from({length: m - i - 1}, (_, at) => `${i},${i + at + 1}`)).flat()
}

/** Any pair tables, which need not agree with each other, just as those of the simplex need not. */
function randomTables(m: number): fc.Arbitrary<GoldenTables> {
  const table = fc
    .array(fc.integer({min: 1, max: 1_000_000}), {minLength: 4, maxLength: 4})
    .map(cells => cells.map(cell => cell / cells.reduce((sum, other) => sum + other, 0)))
  const keys = pairKeys(m)
  return fc
    .array(table, {minLength: keys.length, maxLength: keys.length})
    .map(tables => Object.fromEntries(keys.map((key, at) => [key, tables[at]])))
}

function treeScore(edges: readonly (readonly [number, number])[], moments: Moments): number {
  return edges.reduce((sum, [i, k]) => sum + mutualInformation(moments.pair(i, k)), 0)
}

/** All trees over m concepts, one for each Pruefer code. */
function spanningTrees(m: number): [number, number][][] {
  if (m === 1) return [[]]
  if (m === 2) return [[[0, 1]]]
  return Array.from({length: m ** (m - 2)}, (_, number) => {
    const code = Array.from({length: m - 2}, (_, at) => Math.floor(number / m ** at) % m)
    const degree = Array.from({length: m}, (_, i) => 1 + code.filter(k => k === i).length)
    const edges = code.map((k): [number, number] => {
      const leaf = degree.indexOf(1)
      degree[leaf]--
      degree[k]--
      return [leaf, k]
    })
    const [last, other] = degree.flatMap((left, i) => (left === 1 ? [i] : []))
    return [...edges, [last, other]]
  })
}
