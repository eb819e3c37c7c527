import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {goldenNames, readGolden, truthNetwork} from '../../../test/golden.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {networkSums} from './failure-network.ts'
import {leaklessAbsence, quickscore} from './leak.ts'
import {arbitraryModel, exactWordMoments} from './test-exact.ts'

function absenceOf(network: BayesNetwork, failure: Float64Array, n: number) {
  return leaklessAbsence(network, networkSums(network, rng(1)), failure, n)
}

describe.each(goldenNames)('leaklessAbsence on %s', name => {
  const golden = readGolden(name)
  const {m, n, population, truth} = golden
  const failure = Float64Array.from(truth.failures.flat())

  test('leaklessAbsence(...) of the true tree equals the golden sum over all assignments', () => {
    absenceOf(truthNetwork(golden), failure, n).forEach((absence, j) => {
      expect(absence).toBeCloseTo(population.p0WithoutLeak[j], 10)
      expect(1 - (1 - population.px1[j]) / absence).toBeCloseTo(truth.leak[j], 9)
    })
  })

  test('leaklessAbsence(...) of independent concepts with the same prevalences is the golden Quickscore', () => {
    const alone = {
      parents: Array.from({length: m}, () => []),
      cpt: Array.from({length: m}, (_, i) => Float64Array.of(population.latentTables[i][1]))
    }
    expect(absenceOf(alone, failure, n)).toEqual(quickscore(alone.cpt, failure, n))
    quickscore(alone.cpt, failure, n).forEach((absence, j) => {
      expect(absence).toBeCloseTo(population.p0WithoutLeakIndependent[j], 10)
    })
  })
})

test('leaklessAbsence(...) equals enumeration over all assignments on any network', () => {
  fc.assert(
    fc.property(arbitraryModel(6, 3), ({network, loadings}) => {
      const absence = absenceOf(network, loadings.failure, 3)
      const {frequency} = exactWordMoments(network, loadings, [])
      for (let j = 0; j < 3; j++) expect(absence[j] * (1 - loadings.leak[j])).toBeCloseTo(1 - frequency[j], 12)
    })
  )
})

test('leaklessAbsence(...) is 1 for a word that no concept switches on, and samples a network that is too wide', () => {
  const parents = Array.from({length: 100}, (_, i) => (i < 50 ? [] : [i - 50, (i + 7) % 50, (i + 19) % 50]))
  const network = {parents, cpt: parents.map(list => new Float64Array(2 ** list.length).fill(0.3))}
  const failure = Float64Array.from({length: 200}, (_, at) => (at % 2 === 0 ? 0.99 : 1))
  const found = absenceOf(network, failure, 2)
  // All concepts are independent: 1 - 0.3 * 0.01 each.
  expect(found[0]).toBeCloseTo(0.997 ** 100, 3)
  expect(found[1]).toBe(1)
  expect(absenceOf(network, failure, 2)).toEqual(found)
  const half = new Float64Array(2).fill(0.5)
  expect(() => absenceOf({parents: [[1], [0]], cpt: [half, half]}, half, 1)).toThrow(/cycle/)
})
