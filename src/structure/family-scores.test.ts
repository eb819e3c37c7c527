import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {recoverObservedTable} from '../moments/index.ts'
import {rng} from '../numeric/index.ts'
import {goldenNames, readGolden, truthNetwork} from '../test-golden.ts'
import {type BicOptions, bicScore, bicScores, type FamilyScores, pruneFamilies} from './family-scores.ts'
import {markovEquivalent} from './markov-equivalence.ts'
import {networkTable} from './network-table.ts'
import {searchExact} from './search-exact.ts'
import {allGraphs, anyJoint, jointMoments} from './test-joint.ts'
import {anyScores, bestByBruteForce} from './test-scores.ts'

const lambdas = ['lambda=0.0', 'lambda=0.01'] as const
const penalties = [0.5, 1] as const

interface GoldenBic {
  readonly 'bicExact_penalty0.5': {readonly score: number}
  readonly 'bicExact_penalty1.0': {readonly score: number}
}

/** The graph scores that an independent program found; they are only in this test, so their type is too. */
function goldenScore(recovered: object, penalty: (typeof penalties)[number]): number {
  const bic = recovered as GoldenBic
  return bic[penalty === 1 ? 'bicExact_penalty1.0' : 'bicExact_penalty0.5'].score
}

describe('bicScores(...)', () => {
  for (const name of goldenNames)
    for (const lambda of lambdas)
      for (const penalty of penalties)
        test(`bicScores(...) leads to the exact score of ${name} at ${lambda} with penalty ${penalty}`, () => {
          const {m, sample} = readGolden(name)
          const recovered = sample.recovered[lambda]
          const tables = {...recovered.simplex.tables, ...recovered.simplexTriples.tables}
          const scores = bicScores(concepts => tables[concepts.join()], m, sample.N, {maxParents: 2, penalty})
          expect(searchExact(scores).score).toBeCloseTo(goldenScore(recovered, penalty), 7)
        })

  test('bicScores(...) equals the score written out for a family of two parents', () => {
    // Y2 is Y0 xor Y1, both fair coins: I = H = ln 2, no single parent tells anything.
    const xor = [0.25, 0, 0, 0.25, 0, 0.25, 0.25, 0]
    const table = (concepts: readonly number[]) => {
      if (concepts.length === 3) return xor
      return new Float64Array(2 ** concepts.length).fill(0.5 ** concepts.length)
    }
    const scores = bicScores(table, 3, 1000)
    for (const [child, families] of scores.entries()) {
      expect(families.map(family => family.parents)).toEqual([[0, 1, 2].filter(i => i !== child), []])
      expect(families[0].score).toBeCloseTo(-0.5 * Math.log(1000) * 4, 9)
      expect(families[1].score).toBeCloseTo(-1000 * Math.log(2) - 0.5 * Math.log(1000), 9)
    }
    const full = bicScores(table, 3, 1000, {penalty: 1})
    expect(full[0][0].score).toBeCloseTo(-Math.log(1000) * 4, 9)
  })

  test('bicScores(...) lists only admitted families, and those that only a dropped family would dominate', () => {
    const {m, sample} = readGolden('m4')
    const tables = {
      ...sample.recovered['lambda=0.0'].simplex.tables,
      ...sample.recovered['lambda=0.0'].simplexTriples.tables
    }
    const admits = (child: number, parents: readonly number[]) => child !== 1 || parents.includes(0)
    const scores = bicScores(concepts => tables[concepts.join()], m, sample.N, {admits})
    expect(scores[1].length).toBeGreaterThan(0)
    expect(scores[1].every(({parents}) => parents.includes(0))).toBe(true)
    expect(scores[1].some(({parents}) => parents.length === 1)).toBe(true)
  })

  test('bicScores(...) finds the skeleton of a known network from its exact tables', () => {
    const network = truthNetwork(readGolden('m8'))
    const scores = bicScores(concepts => networkTable(network, concepts), 8, 1e7, {maxParents: 3})
    const pairs = (parents: readonly (readonly number[])[]) =>
      parents.flatMap((list, i) => list.map(k => `${Math.min(i, k)}-${Math.max(i, k)}`)).sort()
    expect(pairs(searchExact(scores).parents)).toEqual(pairs(network.parents))
  })

  test('bicScores(...) refuses sizes and penalties that make no sense', () => {
    const table = () => [0.5, 0.5]
    expect(() => bicScores(table, 2, 0)).toThrow('BIC of 0 documents')
    expect(() => bicScores(table, 2, 10, {maxParents: 1.5})).toThrow('maxParents: 1.5')
    expect(() => bicScores(table, 2, 10, {penalty: -1})).toThrow('penalty: -1')
    expect(() => bicScores(table, 2, 10, {penalty: Number.NaN})).toThrow('penalty: NaN')
  })
})

describe('bicScores(..., {inflation})', () => {
  test('bicScores(...) is the plain score where no concept is noisier than seen', () => {
    const [joint] = fc.sample(anyJoint(4), {numRuns: 1, seed: 1})
    const {table} = jointMoments(joint, 300)
    expect(bicScores(table, 4, 300, {inflation: [1, 1, 1, 1]})).toEqual(bicScores(table, 4, 300))
  })

  test('bicScore(...) is the same for equivalent graphs, whatever the inflation', () => {
    const graphs = allGraphs(4, 3)
    const inflation = fc.array(fc.double({min: 1, max: 50, noNaN: true}), {minLength: 4, maxLength: 4})
    fc.assert(
      fc.property(anyJoint(4), inflation, fc.nat(graphs.length - 1), (joint, inflation, at) => {
        const {table} = jointMoments(joint, 300)
        const score = (graph: number[][]) => bicScore(table, graph, 300, {penalty: 0.5, inflation})
        for (const other of graphs)
          if (markovEquivalent(graphs[at], other)) expect(score(other)).toBeCloseTo(score(graphs[at]), 8)
      }),
      {numRuns: 10}
    )
  })

  test('bicScores(...) with it finds no edge between concepts that have none, where the plain score finds many', () => {
    // Independent concepts with anchors that fire for 40% of them and for 1% of the others, 5,000 documents.
    const m = 8
    const channels = Array.from({length: m}, () => ({truePositive: 0.4, falsePositive: 0.01}))
    const fired = 0.01 + 0.39 * 0.1
    const inflation = channels.map(() => (fired * (1 - fired)) / (0.39 ** 2 * 0.09))
    let plainEdges = 0
    let awareEdges = 0
    for (let seed = 0; seed < 20; seed++) {
      const random = rng(seed)
      const rows = Array.from({length: 5000}, () => channels.map(() => Number(random.next() < fired)))
      const table = (concepts: readonly number[]) => {
        const cells = new Array<number>(2 ** concepts.length).fill(0)
        for (const row of rows) cells[concepts.reduce((cell, i) => 2 * cell + row[i], 0)]++
        const noise = {
          truePositive: Float64Array.from(channels, c => c.truePositive),
          falsePositive: Float64Array.from(channels, c => c.falsePositive),
          prevalence: new Float64Array(m).fill(0.1),
          certificate: {method: 'given', labelledCount: 0, clippedPrevalence: []} as const
        }
        return recoverObservedTable(cells, noise, concepts, {pull: '10/N'}).mu
      }
      const edges = (options: Partial<BicOptions>) =>
        searchExact(bicScores(table, m, 5000, {maxParents: 1, ...options})).parents.flat().length
      plainEdges += edges({})
      awareEdges += edges({inflation})
    }
    // A pair that has no edge seems to gain V^2 chi-square(1) / 2, more than the penalty V^2 ln(5000) / 2 in 0.35% of 28 pairs.
    expect(awareEdges / 20).toBeLessThan(0.5)
    expect(plainEdges / 20).toBeGreaterThan(3)
  })
})

describe('pruneFamilies(...)', () => {
  test('pruneFamilies(...) keeps the best score, and drops exactly what a subset scores as well as', () => {
    fc.assert(
      fc.property(anyScores(4), scores => {
        const pruned = pruneFamilies(scores)
        expect(bestByBruteForce(pruned)).toBeCloseTo(bestByBruteForce(scores), 9)
        expect(pruned).toEqual(prunedByDefinition(scores))
      }),
      {numRuns: 60}
    )
  })

  test('pruneFamilies(...) drops a family that ties with a smaller one, and puts equals in a fixed order', () => {
    const family = (score: number, ...parents: number[]) => ({parents, score})
    const scores = [[family(3, 1, 2), family(3, 2), family(3, 1), family(1)], [], []]
    expect(pruneFamilies(scores)[0]).toEqual([family(3, 1), family(3, 2), family(1)])
  })
})

function prunedByDefinition(scores: FamilyScores): FamilyScores {
  return scores.map(families =>
    families.filter(
      family =>
        !families.some(
          other =>
            other.parents.length < family.parents.length &&
            other.parents.every(parent => family.parents.includes(parent)) &&
            other.score >= family.score
        )
    )
  )
}

test('bicScores(...) is the same whatever order the concepts are numbered in', () => {
  const network = truthNetwork(readGolden('m4'))
  const order = [2, 0, 3, 1]
  const plain = bicScores(concepts => networkTable(network, concepts), 4, 500)
  const renamed = bicScores(
    concepts =>
      networkTable(
        network,
        concepts.map(i => order[i])
      ),
    4,
    500
  )
  expect(searchExact(renamed).score).toBeCloseTo(searchExact(plain).score, 8)
  for (const [i, old] of order.entries()) expect(renamed[i][0].score).toBeCloseTo(plain[old][0].score, 8)
})
