import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {assignment, goldenNames, readGolden, truthNetwork} from '../../../test/golden.ts'
import {type BayesNetwork, logPrior} from '../../base/network/index.ts'
import {randomIndex, rng, shuffled} from '../../base/numeric/index.ts'
import {networkSums} from './failure-network.ts'
import {leaklessAbsence, quickscore} from './leak.ts'
import {survival} from './test-exact.ts'

function absenceOf(network: BayesNetwork, failure: Float64Array, n: number) {
  return leaklessAbsence(network, networkSums(network, rng(1)), failure, n)
}

/** A graph over `m` concepts in any order of numbers, each with up to 3 parents. */
function drawNetwork(m: number, seed: number): BayesNetwork {
  const source = rng(seed)
  const order = shuffled([...Array(m).keys()], source)
  const parents: number[][] = order.map(() => [])
  for (const [rank, i] of order.entries())
    parents[i] = shuffled(order.slice(0, rank), source).slice(0, randomIndex(source, 4))
  return {
    parents,
    cpt: parents.map(list => Float64Array.from({length: 2 ** list.length}, () => 0.01 + 0.98 * source.next()))
  }
}

function byEnumeration(network: BayesNetwork, failure: Float64Array, n: number): Float64Array {
  const m = network.parents.length
  const loadings = {conceptCount: m, wordCount: n, failure, leak: new Float64Array(n)}
  return Float64Array.from({length: n}, (_, j) => {
    let sum = 0
    for (let state = 0; state < 2 ** m; state++) {
      const y = assignment(state, m)
      sum += Math.exp(logPrior(network, y)) * survival(loadings, y, j)
    }
    return sum
  })
}

describe.each(goldenNames)('leaklessAbsence on %s', name => {
  const golden = readGolden(name)
  const {m, n, population, truth} = golden
  const failure = Float64Array.from(truth.failures.flat())

  test('leaklessAbsence(...) of the true tree equals the golden sum over all assignments', () => {
    absenceOf(truthNetwork(golden), failure, n).absence.forEach((absence, j) => {
      expect(absence).toBeCloseTo(population.p0WithoutLeak[j], 10)
      expect(1 - (1 - population.px1[j]) / absence).toBeCloseTo(truth.leak[j], 9)
    })
  })

  test('leaklessAbsence(...) of independent concepts with the same prevalences is the golden Quickscore', () => {
    const alone = {
      parents: Array.from({length: m}, () => []),
      cpt: Array.from({length: m}, (_, i) => Float64Array.of(population.latentTables[i][1]))
    }
    expect(absenceOf(alone, failure, n).absence).toEqual(quickscore(alone.cpt, failure, n))
    quickscore(alone.cpt, failure, n).forEach((absence, j) => {
      expect(absence).toBeCloseTo(population.p0WithoutLeakIndependent[j], 10)
    })
  })
})

test('leaklessAbsence(...) equals enumeration over all assignments on any network', () => {
  fc.assert(
    fc.property(
      fc.integer({min: 1, max: 8}),
      fc.integer(),
      fc.array(fc.double({min: 0, max: 1, noNaN: true}), {minLength: 24, maxLength: 24}),
      (m, seed, failures) => {
        const network = drawNetwork(m, seed)
        const failure = Float64Array.from(failures.slice(0, 3 * m))
        const found = absenceOf(network, failure, 3)
        expect(found.sampling).toBeUndefined()
        for (const [j, expected] of byEnumeration(network, failure, 3).entries())
          expect(found.absence[j]).toBeCloseTo(expected, 12)
      }
    )
  )
})

test('leaklessAbsence(...) is 1 for a word that no concept switches on, and samples a network that is too wide', () => {
  const network = drawNetwork(200, 7)
  const failure = Float64Array.from({length: 400}, (_, at) => (at % 2 === 0 ? 0.99 : 1))
  const found = absenceOf(network, failure, 2)
  expect(found.sampling?.samples).toBe(20_000)
  expect(found.absence[0]).toBeLessThan(1)
  expect(found.absence[1]).toBe(1)
  expect(absenceOf(network, failure, 2)).toEqual(found)
  const half = new Float64Array(2).fill(0.5)
  expect(() => absenceOf({parents: [[1], [0]], cpt: [half, half]}, half, 1)).toThrow(/cycle/)
})
