import fc from 'fast-check'
import {expect, test} from 'vitest'
import {goldenNames, readGolden} from '../../../test/golden.ts'
import {anyRates} from '../../../test/tables.ts'
import {isMarkovEquivalent} from '../../base/network/index.ts'
import {bicScore, bicScores, parameterCount, plainParameters} from './bic.ts'
import {searchExact} from './search-orders.ts'
import {allGraphs, anyJoint, jointMoments} from './test-joint.ts'

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

test('bicScores(...) refuses numbers of parents and penalties that make no sense', () => {
  const table = () => [0.5, 0.5]
  expect(() => bicScores(table, 2, 10, {maxParents: 1.5})).toThrow(
    '`maxParents` must be a whole number, at least 0; got 1.5'
  )
  expect(() => bicScores(table, 2, 10, {penalty: -1})).toThrow(/`penalty` must be a number, at least 0; got -1/)
  expect(() => bicScores(table, 2, 10, {penalty: Number.NaN})).toThrow(/`penalty` must be .* got NaN/)
})

test('parameterCount(...) accounting for noise is the plain count, 2^k - 1, for concepts that are seen themselves', () => {
  const perfect = Array.from({length: 4}, () => ({truePositive: 1, falsePositive: 0}))
  const count = parameterCount('noise-aware', () => [0.7, 0.3], perfect)
  for (const set of [[], [2], [0, 3], [0, 1, 2], [0, 1, 2, 3]]) expect(count(set)).toBeCloseTo(plainParameters(set), 9)
})

test('bicScore(...) is the same for equivalent graphs, whatever the noise', () => {
  const graphs = allGraphs(4, 3)
  const rates = fc.array(anyRates(0.2), {minLength: 4, maxLength: 4})
  fc.assert(
    fc.property(anyJoint(4), rates, fc.nat(graphs.length - 1), (joint, rates, at) => {
      const {table} = jointMoments(joint, 300)
      const parameters = parameterCount('noise-aware', table, rates)
      const score = (graph: number[][]) => bicScore(table, graph, 300, {penalty: 0.5, parameters})
      for (const other of graphs)
        if (isMarkovEquivalent(graphs[at], other)) expect(score(other) / score(graphs[at])).toBeCloseTo(1, 9)
    }),
    {numRuns: 10}
  )
})

test('parameterCount(...) of one noisy concept is var(A) / ((t - e)^2 var(Y))', () => {
  // P(A) = 0.05 + 0.55 * 0.2 = 0.16
  const count = parameterCount('noise-aware', () => [0.8, 0.2], [{truePositive: 0.6, falsePositive: 0.05}])
  expect(count([0])).toBeCloseTo((0.16 * 0.84) / (0.55 ** 2 * 0.2 * 0.8), 12)
})
