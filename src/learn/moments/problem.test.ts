import {describe, expect, test} from 'vitest'
import {goldenNames, goldenRates, readGolden, sampleCounts} from '../../../test/golden.ts'
import {expectInside, leastTriangle, objectiveByTables} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {randomTable} from '../../../test/tables.ts'
import {dot, rng} from '../../base/numeric/index.ts'
import {anchorTable} from '../../read/counts/index.ts'
import {type Divergence, MomentObjective} from './objective.ts'
import {coordinateGradient, insidePoint, type MomentProblem, momentLayout, momentProblem, momentsAt} from './problem.ts'
import {independentTable} from './table.ts'

describe.each(goldenNames)('momentProblem on %s', name => {
  const golden = readGolden(name)
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)
  const N = counts.documentCount

  test('momentProblem(...) has the observed table of every set', () => {
    const {layout, observed} = made()
    let tables = 0
    layout.tables.forEach(({concepts, start}) => {
      const table = anchorTable(counts, concepts)
      // Equal to the last bit, so that cells without documents are 0 and not nearly.
      expect([...observed.subarray(start, start + table.length)]).toEqual(Array.from(table, cell => cell / N))
      tables++
    })
    expect(tables).toBe(layout.conceptCount + layout.pairCount)
    expect(observed).toHaveLength(layout.size)
  })

  test('momentProblem(...) shrinks towards independence with lambda', () => {
    const {layout, shrinkageWeights, lambda} = made()
    expect(lambda).toBe(10 / N)
    layout.tables.forEach(({concepts, start}) => {
      const independent = independentTable(concepts.map(i => noise.prevalence[i]))
      expect(shrinkageWeights.slice(start, start + independent.length)).toEqual(
        independent.map(share => lambda * share)
      )
    })
  })

  function made() {
    return momentProblem(counts, noise, {shrinkage: '10/N', divergence: 'kl'})
  }
})

const cases: readonly (readonly [Divergence, number])[] = [
  ['kl', 0],
  ['kl', 0.01],
  ['l2', 0],
  ['l2', 0.1]
]

describe.each(cases)('MomentObjective with %s and lambda %f', (divergence, lambda) => {
  const problem = randomProblem({conceptCount: 4, seed: 3, lambda, divergence})
  const objective = new MomentObjective(problem)

  test('value(...) is the sum over all tables of the objective of each', () => {
    for (const mu of randomPoints(problem, 5)) {
      const naive = objectiveByTables(problem, mu)
      expect(Math.abs(objective.value(mu) - naive)).toBeLessThan(1e-13 * (1 + Math.abs(naive)))
    }
  })

  test('gradient(...) is what value(...) gives when differentiated numerically', () => {
    const g = new Float64Array(problem.layout.size)
    for (const mu of randomPoints(problem, 3)) {
      objective.gradient(mu, g)
      mu.forEach((share, c) => {
        const h = 1e-4 * share
        const [up, down] = [h, -h].map(step => objective.value(mu.map((value, at) => value + (at === c ? step : 0))))
        // The error of a central difference: h^2 times the third derivative of log, h^2 / mu^3, and rounding of value over h.
        expect(Math.abs((up - down) / (2 * h) - g[c])).toBeLessThan(1e-6 * (1 + Math.abs(g[c])))
      })
    }
  })
})

describe('MomentObjective', () => {
  test('value(...) is infinite where a cell with a shrinkage weight has no probability, and only there', () => {
    const problem = randomProblem({conceptCount: 2, seed: 1, lambda: 0.01})
    const vertex = Float64Array.of(1, 0, 1, 0, 1, 0, 0, 0)
    expect(new MomentObjective(problem).value(vertex)).toBe(Number.POSITIVE_INFINITY)
    const free = {...problem, lambda: 0, shrinkageWeights: new Float64Array(8)}
    expect(new MomentObjective(free).value(vertex)).toBeLessThan(10)
  })

  test('value(...) is infinite where an observed cell has no probability', () => {
    const problem = randomProblem({conceptCount: 1, seed: 1, lambda: 0})
    const sure = {...problem, rates: [{truePositive: 1, falsePositive: 0}]}
    expect(new MomentObjective(sure).value(Float64Array.of(1, 0))).toBe(Number.POSITIVE_INFINITY)
  })

  test('value(...) is 0 at the observed tables when the anchors do not err', () => {
    const problem = randomProblem({conceptCount: 3, seed: 2, lambda: 0})
    const rates = problem.rates.map(() => ({truePositive: 1, falsePositive: 0}))
    expect(new MomentObjective({...problem, rates}).value(problem.observed)).toBe(0)
  })
})

function randomPoints({layout}: MomentProblem, count: number): Float64Array[] {
  const random = rng(count)
  return Array.from({length: count}, () => {
    const mu = new Float64Array(layout.size)
    for (const {concepts, start} of layout.tables) mu.set(randomTable(2 ** concepts.length, 1, random), start)
    return mu
  })
}

describe('coordinates', () => {
  const layout = momentLayout(4)
  const random = rng(4)
  const drawn = (length: number) => Float64Array.from({length}, () => random.next())

  test('coordinateGradient(...) is <gradient, mu> as a function of the coordinates of mu', () => {
    const mu = new Float64Array(layout.size)
    const coefficients = new Float64Array(10)
    for (let trial = 0; trial < 5; trial++) {
      const [x, gradient] = [drawn(10), drawn(layout.size)]
      momentsAt(layout, x, mu)
      const constant = coordinateGradient(layout, gradient, coefficients)
      expect(constant + dot(coefficients, x)).toBeCloseTo(dot(gradient, mu), 12)
    }
  })

  test('insidePoint(...) is inside of the marginal polytope with room, whatever the anchors say', () => {
    for (const share of [0, 0.01, 0.3, 1]) {
      const {observed, ...rest} = randomProblem({conceptCount: 4, seed: 1, lambda: 0})
      const seen = observed.map((_, c) => (c < 8 ? (c % 2 === 1 ? share : 1 - share) : 0))
      const mu = new Float64Array(layout.size)
      momentsAt(layout, insidePoint({...rest, observed: seen}), mu)
      expectInside(layout, 'marginal', mu)
      // Prevalences stay 0.05 away from 0 and 1, so no cell is below the product of two such shares.
      expect(Math.min(...mu)).toBeGreaterThan(0.05 ** 2 - 1e-12)
      expect(leastTriangle(layout, mu)).toBeGreaterThan(1e-4)
    }
  })
})
