import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type LatentNetwork, logPrior} from '../structure/index.ts'
import {assignment, goldenNames, readGolden, truthLoadings, truthNetwork} from '../test-golden.ts'
import {leaklessAbsence} from './leak.ts'
import {survival} from './test-exact.ts'

const chance = fc.double({min: 0.01, max: 0.99, noNaN: true})

/** Forests of up to 7 concepts: each hangs on an earlier one or on none, then all are renumbered. */
const forest: fc.Arbitrary<LatentNetwork> = fc
  .record({
    order: fc.integer({min: 1, max: 7}).chain(m => fc.shuffledSubarray([...Array(m).keys()], {minLength: m})),
    parents: fc.array(fc.nat(7), {minLength: 7, maxLength: 7}),
    chances: fc.array(fc.tuple(chance, chance), {minLength: 7, maxLength: 7})
  })
  .map(({order, parents, chances}) => {
    // `parents[rank]` of `rank` or more means a root.
    const list = order.map(rank => (parents[rank] < rank ? [order.indexOf(parents[rank])] : []))
    return {parents: list, cpt: list.map((own, i) => Float64Array.from(chances[i].slice(0, 1 + own.length)))}
  })

describe.each(goldenNames)('leaklessAbsence on %s', name => {
  const golden = readGolden(name)
  const {m, n, population, truth} = golden
  const failure = Float64Array.from(truth.failures.flat())

  test('leaklessAbsence(...) of the true tree equals the golden sum over all assignments', () => {
    leaklessAbsence(truthNetwork(golden), failure, n).forEach((absence, j) => {
      expect(absence).toBeCloseTo(population.p0WithoutLeak[j], 10)
      expect(1 - (1 - population.px1[j]) / absence).toBeCloseTo(truth.leak[j], 9)
    })
  })

  test('leaklessAbsence(...) of independent concepts with the same prevalences is the golden Quickscore', () => {
    const alone = {
      parents: Array.from({length: m}, () => []),
      cpt: Array.from({length: m}, (_, i) => Float64Array.of(population.latentTables[i][1]))
    }
    leaklessAbsence(alone, failure, n).forEach((absence, j) => {
      expect(absence).toBeCloseTo(population.p0WithoutLeakIndependent[j], 10)
    })
  })

  test('leaklessAbsence(...) leaves the failures as they were', () => {
    leaklessAbsence(truthNetwork(golden), failure, n)
    expect(failure).toEqual(truthLoadings(golden).failure)
  })
})

describe('leaklessAbsence', () => {
  test('leaklessAbsence(...) equals enumeration over all assignments on any forest', () => {
    fc.assert(
      fc.property(
        forest,
        fc.array(fc.double({min: 0, max: 1, noNaN: true}), {minLength: 21, maxLength: 21}),
        (given, f) => {
          const m = given.parents.length
          const loadings = {
            latentCount: m,
            wordCount: 3,
            failure: Float64Array.from(f.slice(0, 3 * m)),
            leak: new Float64Array(3)
          }
          const found = leaklessAbsence(given, loadings.failure, 3)
          for (let j = 0; j < 3; j++) {
            let sum = 0
            for (let state = 0; state < 2 ** m; state++) {
              const y = assignment(state, m)
              sum += Math.exp(logPrior(given, y)) * survival(loadings, y, j)
            }
            expect(found[j]).toBeCloseTo(sum, 12)
          }
        }
      ),
      {numRuns: 200}
    )
  })

  test('leaklessAbsence(...) is 1 for a word that no concept switches on', () => {
    const network = {parents: [[], [0]], cpt: [Float64Array.of(0.3), Float64Array.of(0.1, 0.8)]}
    expect(leaklessAbsence(network, Float64Array.of(1, 1), 1)[0]).toBeCloseTo(1, 15)
  })

  test('leaklessAbsence(...) refuses a concept with several parents, and a cycle', () => {
    const refused = expect.objectContaining({
      code: 'bad-option',
      message: expect.stringMatching(/independent concepts and trees/)
    })
    const half = (count: number) => new Float64Array(count).fill(0.5)
    const v = {parents: [[], [], [0, 1]], cpt: [half(1), half(1), half(4)]}
    expect(() => leaklessAbsence(v, half(3), 1)).toThrow(refused)
    expect(() => leaklessAbsence({parents: [[1], [0]], cpt: [half(2), half(2)]}, half(2), 1)).toThrow(refused)
  })
})
