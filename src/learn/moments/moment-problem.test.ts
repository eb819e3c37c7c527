import {describe, expect, test} from 'vitest'
import {goldenNames, goldenRates, readGolden, sampleCounts} from '../../../test/golden.ts'
import {coordinatesOf, expectInside, leastTriangle} from '../../../test/moment-checks.ts'
import {independentMoments, randomProblem} from '../../../test/problems.ts'
import {largestDifference, objectiveOf, randomTable} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import {anchorTable} from '../../read/counts/index.ts'
import {coordinateCount, forEachTable, type MomentOrder, momentLayout, momentsAt} from '../polytopes/index.ts'
import {
  independentCoordinates,
  insidePoint,
  MomentObjective,
  type MomentProblem,
  momentProblem
} from './moment-problem.ts'
import {independentTable, ratesOf} from './recover-table.ts'
import type {Divergence} from './table-solver.ts'

describe.each(goldenNames)('momentProblem on %s', name => {
  const golden = readGolden(name)
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)
  const N = counts.documentCount

  test.each([1, 2, 3] as const)('momentProblem(...) of order %i has the observed table of every set', order => {
    const {layout, observed} = made(order)
    let tables = 0
    forEachTable(layout, (concepts, start) => {
      const table = anchorTable(counts, concepts)
      // Equal to the last bit, so that cells without documents are 0 and not nearly.
      expect([...observed.subarray(start, start + table.length)]).toEqual(Array.from(table, cell => cell / N))
      tables++
    })
    expect(tables).toBe(layout.tableCount(1) + layout.tableCount(2) + layout.tableCount(3))
    expect(observed).toHaveLength(layout.size)
  })

  test.each([1, 2, 3] as const)('momentProblem(...) of order %i shrinks towards independence with lambda', order => {
    const {layout, shrinkageWeights, lambda} = made(order)
    expect(lambda).toBe(10 / N)
    forEachTable(layout, (concepts, start) => {
      const independent = independentTable(concepts.map(i => noise.prevalence[i]))
      expect(shrinkageWeights.slice(start, start + independent.length)).toEqual(
        independent.map(share => lambda * share)
      )
    })
  })

  test('momentProblem(...) keeps the rates and the divergence, and has no weights without a shrinkage', () => {
    const {rates, divergence} = made(3)
    expect(rates).toEqual(Array.from({length: golden.m}, (_, i) => ratesOf(noise, i)))
    expect(divergence).toBe('kl')
    const free = momentProblem(counts, noise, {order: 3, shrinkage: 0, divergence: 'l2'})
    expect(free.divergence).toBe('l2')
    expect(Math.max(...free.shrinkageWeights)).toBe(0)
  })

  function made(order: MomentOrder) {
    return momentProblem(counts, noise, {order, shrinkage: '10/N', divergence: 'kl'})
  }
})

const cases: readonly (readonly [MomentOrder, Divergence, number])[] = [
  [1, 'kl', 0.01],
  [1, 'l2', 0.01],
  [2, 'kl', 0],
  [2, 'kl', 0.01],
  [2, 'l2', 0],
  [2, 'l2', 0.1],
  [3, 'kl', 0],
  [3, 'kl', 0.01],
  [3, 'l2', 0.01]
]

describe.each(cases)('MomentObjective of order %i, %s, lambda %f', (order, divergence, lambda) => {
  const problem = randomProblem({conceptCount: 4, order, seed: 3, lambda, divergence})
  const objective = new MomentObjective(problem)

  test('value(...) is the sum over all tables of the objective of each', () => {
    for (const mu of randomPoints(problem, 5)) {
      const naive = naiveValue(problem, mu)
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

  test('value(...) and gradient(...) leave the point alone and keep nothing from one to the next', () => {
    const [mu, other] = randomPoints(problem, 2)
    const copy = mu.slice()
    const value = objective.value(mu)
    const g = new Float64Array(mu.length)
    objective.gradient(mu, g)
    objective.value(other)
    const again = new Float64Array(mu.length)
    objective.gradient(mu, again)
    expect(mu).toEqual(copy)
    expect(again).toEqual(g)
    expect(objective.value(mu)).toBe(value)
  })
})

describe('MomentObjective', () => {
  test('value(...) is infinite where a cell with a shrinkage weight has no probability, and only there', () => {
    const problem = randomProblem({conceptCount: 2, order: 2, seed: 1, lambda: 0.01})
    const vertex = Float64Array.of(1, 0, 1, 0, 1, 0, 0, 0)
    expect(new MomentObjective(problem).value(vertex)).toBe(Number.POSITIVE_INFINITY)
    const free = {...problem, lambda: 0, shrinkageWeights: new Float64Array(8)}
    expect(new MomentObjective(free).value(vertex)).toBeLessThan(10)
  })

  test('value(...) is infinite where an observed cell has no probability', () => {
    const problem = randomProblem({conceptCount: 1, order: 1, seed: 1, lambda: 0})
    const sure = {...problem, rates: [{truePositive: 1, falsePositive: 0}]}
    expect(new MomentObjective(sure).value(Float64Array.of(1, 0))).toBe(Number.POSITIVE_INFINITY)
  })

  test('value(...) is 0 at the observed tables when the anchors do not err', () => {
    const problem = randomProblem({conceptCount: 3, order: 3, seed: 2, lambda: 0})
    const rates = problem.rates.map(() => ({truePositive: 1, falsePositive: 0}))
    expect(new MomentObjective({...problem, rates}).value(problem.observed)).toBe(0)
  })
})

function naiveValue({layout, rates, observed, shrinkageWeights, divergence}: MomentProblem, mu: Float64Array): number {
  let sum = 0
  forEachTable(layout, (concepts, start) => {
    const cells = (x: Float64Array) => [...x.subarray(start, start + 2 ** concepts.length)]
    const table = {rates: concepts.map(i => rates[i]), a: cells(observed), w: cells(shrinkageWeights), mass: 1}
    sum += objectiveOf(table, cells(mu), divergence)
  })
  return sum
}

function randomPoints({layout}: MomentProblem, count: number): Float64Array[] {
  const random = rng(count)
  return Array.from({length: count}, () => {
    const mu = new Float64Array(layout.size)
    forEachTable(layout, (concepts, start) => mu.set(randomTable(2 ** concepts.length, 1, random), start))
    return mu
  })
}

const orders: readonly MomentOrder[] = [1, 2, 3]

describe.each(orders)('independent coordinates of order %i', order => {
  test('independentCoordinates(...) are those of the product of the prevalences', () => {
    const p = [0.2, 0.9, 0.5, 0.01]
    const layout = momentLayout(4, order)
    const expected = coordinatesOf(layout, independentMoments(layout, p))
    const x = independentCoordinates(p, coordinateCount(layout))
    expect(largestDifference(x, expected)).toBeLessThan(1e-15)
  })

  test('insidePoint(...) is inside of the marginal polytope with room, whatever the anchors say', () => {
    for (const share of [0, 0.01, 0.3, 1]) {
      const {observed, ...rest} = randomProblem({conceptCount: 4, order, seed: 1, lambda: 0})
      const seen = observed.map((_, c) => (c < 8 ? (c % 2 === 1 ? share : 1 - share) : 0))
      const {layout} = rest
      const x = insidePoint({...rest, observed: seen})
      const mu = new Float64Array(layout.size)
      momentsAt(layout, x, mu)
      expectInside(layout, 'marginal', mu)
      // Prevalences stay 0.05 away from 0 and 1, so no cell is below the product of three such shares.
      expect(Math.min(...mu)).toBeGreaterThan(0.05 ** order - 1e-12)
      if (order > 1) expect(leastTriangle(layout, mu)).toBeGreaterThan(1e-4)
    }
  })

  test('insidePoint(...) has nine tenths of the prevalences that the anchors imply', () => {
    const problem = randomProblem({conceptCount: 4, order, seed: 2, lambda: 0})
    const x = insidePoint(problem)
    problem.rates.forEach(({truePositive: t, falsePositive: e}, i) => {
      const implied = Math.min(1, Math.max(0, (problem.observed[2 * i + 1] - e) / (t - e)))
      expect(x[i]).toBeCloseTo(0.9 * implied + 0.05, 12)
    })
  })
})
