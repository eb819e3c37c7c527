import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {assignment, goldenNames, readGolden, truthLoadings, truthNetwork} from '../../../test/golden.ts'
import {type BayesNetwork, eliminationOrder, logPrior} from '../../base/network/index.ts'
import {randomIndex, rng, shuffled} from '../../base/numeric/index.ts'
import {leaklessAbsence} from './leak.ts'
import {survival} from './test-exact.ts'

const random = rng(1)

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
    leaklessAbsence(truthNetwork(golden), failure, n, {random}).absence.forEach((absence, j) => {
      expect(absence).toBeCloseTo(population.p0WithoutLeak[j], 10)
      expect(1 - (1 - population.px1[j]) / absence).toBeCloseTo(truth.leak[j], 9)
    })
  })

  test('leaklessAbsence(...) of independent concepts with the same prevalences is the golden Quickscore', () => {
    const alone = {
      parents: Array.from({length: m}, () => []),
      cpt: Array.from({length: m}, (_, i) => Float64Array.of(population.latentTables[i][1]))
    }
    leaklessAbsence(alone, failure, n, {random}).absence.forEach((absence, j) => {
      expect(absence).toBeCloseTo(population.p0WithoutLeakIndependent[j], 10)
    })
  })

  test('leaklessAbsence(...) leaves the failures as they were', () => {
    leaklessAbsence(truthNetwork(golden), failure, n, {random})
    leaklessAbsence(truthNetwork(golden), failure, n, {random, workLimit: 0, samples: 10})
    expect(failure).toEqual(truthLoadings(golden).failure)
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
        const found = leaklessAbsence(network, failure, 3, {random})
        expect(found).toMatchObject({method: 'exact'})
        for (const [j, expected] of byEnumeration(network, failure, 3).entries())
          expect(found.absence[j]).toBeCloseTo(expected, 12)
      }
    )
  )
})

/** Not a forest, whose sums are never sampled. */
const twoCauses = {
  parents: [[], [], [0, 1]],
  cpt: [Float64Array.of(0.3), Float64Array.of(0.2), Float64Array.of(0.1, 0.8, 0.4, 0.9)]
}

test('leaklessAbsence(...) is 1 for a word that no concept switches on, exact or sampled', () => {
  const network = twoCauses
  expect(leaklessAbsence(network, Float64Array.of(1, 1, 1), 1, {random}).absence[0]).toBeCloseTo(1, 15)
  expect(leaklessAbsence(network, Float64Array.of(1, 1, 1), 1, {random, workLimit: 0})).toMatchObject({
    absence: Float64Array.of(1),
    standardError: Float64Array.of(0),
    samples: 100_000
  })
})

test('leaklessAbsence(...) by sampling is right, and so is its standard error', () => {
  const network = drawNetwork(8, 3)
  const source = rng(4)
  const failure = Float64Array.from({length: 16}, () => source.next())
  const exact = byEnumeration(network, failure, 2)
  const runs = Array.from({length: 200}, (_, run) => {
    const found = leaklessAbsence(network, failure, 2, {random: rng(run), workLimit: 0, samples: 500})
    if (found.method !== 'sampled') throw new Error('not sampled')
    return found
  })
  for (const j of [0, 1]) {
    const errors = runs.map(run => run.absence[j] - exact[j])
    const spread = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / runs.length)
    const reported = runs.reduce((sum, run) => sum + run.standardError[j], 0) / runs.length
    // The spread of 200 runs has a standard error of 1 / sqrt(400), 5%; five of them.
    expect(spread / reported).toBeGreaterThan(0.75)
    expect(spread / reported).toBeLessThan(1.25)
    const mean = errors.reduce((sum, error) => sum + error, 0) / runs.length
    expect(Math.abs(mean)).toBeLessThan((5 * reported) / Math.sqrt(runs.length))
  }
})

test('leaklessAbsence(...) samples a network that is too wide for exact sums, and says so', () => {
  const network = drawNetwork(200, 7)
  const failure = new Float64Array(200).fill(0.99)
  const found = leaklessAbsence(network, failure, 1, {random: rng(2), samples: 2000})
  expect(found).toMatchObject({method: 'sampled', samples: 2000})
  expect(eliminationOrder(network).width).toBeGreaterThan(20)
  expect(leaklessAbsence(network, failure, 1, {random: rng(2), samples: 2000})).toEqual(found)
})

test('leaklessAbsence(...) weighs the work of all words together', () => {
  const network = twoCauses
  const {size} = eliminationOrder(network)
  const methods = [3 * size, 3 * size - 1].map(
    workLimit => leaklessAbsence(network, new Float64Array(9).fill(0.5), 3, {random, workLimit, samples: 10}).method
  )
  expect(methods).toEqual(['exact', 'sampled'])
})

test('leaklessAbsence(...) refuses a cycle, and fewer than two samples', () => {
  const half = (count: number) => new Float64Array(count).fill(0.5)
  const loop = {parents: [[1], [0]], cpt: [half(2), half(2)]}
  expect(() => leaklessAbsence(loop, half(2), 1, {random})).toThrow(/cycle/)
  const pair = {parents: [[], [0]], cpt: [half(1), half(2)]}
  for (const samples of [1, 0, -5, 2.5, Number.NaN])
    expect(() => leaklessAbsence(pair, half(2), 1, {random, samples})).toThrow(
      /`samples` must be a whole number, at least 2; got/
    )
})
