import {describe, expect, test} from 'vitest'
import {randomProblem} from '../../../test/problems.ts'
import {objectiveOf, randomTable} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import {forEachTable, type MomentOrder} from '../polytopes/index.ts'
import {MomentObjective, type MomentProblem} from './moment-objective.ts'
import type {Divergence} from './table-solver.ts'

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
  test('value(...) is infinite where a cell that is pulled at has no probability, and only there', () => {
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
