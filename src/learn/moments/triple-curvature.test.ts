import {describe, expect, test} from 'vitest'
import {randomProblem} from '../../../test/problems.ts'
import {randomTable} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import {forEachTable, type MomentLayout} from '../polytopes/index.ts'
import {describeCurvature} from './curvature.contract.ts'
import {InteriorPoint} from './interior-point.ts'
import {insidePoint, MomentObjective, type MomentProblem} from './moment-problem.ts'
import {simplexSolver} from './simplex-solver.ts'
import {TripleCurvature} from './triple-curvature.ts'

describeCurvature({name: 'TripleCurvature', order: 3, make: problem => new TripleCurvature(problem)})

const GAP = 1e-6

describe.each([
  ['kl', 0],
  ['kl', 0.01],
  ['l2', 0],
  ['l2', 0.01]
] as const)('InteriorPoint with TripleCurvature, %s, lambda %f', (divergence, lambda) => {
  test('step(...) of three concepts ends at the best table of the three', () => {
    for (const seed of [1, 2, 3]) {
      const problem = randomProblem({conceptCount: 3, order: 3, seed, lambda, divergence, rateError: 0.5})
      const {objective, gap} = solved(problem)
      const value = slowTwin(problem)
      expect(value).toBeGreaterThanOrEqual(objective - gap)
      // The twin comes closer than 2e-7 in its 1500 steps.
      expect(value).toBeLessThan(objective + GAP)
    }
  })

  test('step(...) ends at moments that are consistent and nowhere negative', () => {
    const problem = randomProblem({conceptCount: 6, order: 3, seed: 4, lambda, divergence})
    const {mu} = solved(problem)
    expect(Math.min(...mu)).toBeGreaterThanOrEqual(0)
    expect(inconsistency(problem.layout, mu)).toBeLessThan(1e-12)
  })

  test('step(...) ends above the simplex, where every table is free, and below every distribution', () => {
    const random = rng(9)
    const problem = randomProblem({conceptCount: 5, order: 3, seed: 5, lambda, divergence, rateError: 0.5})
    const {mu, objective, gap} = solved(problem)
    expect(objective).toBeGreaterThanOrEqual(simplexBound(problem))
    const value = new MomentObjective(problem)
    for (let run = 0; run < 300; run++) {
      const other = momentsOf(problem.layout, randomTable(32, 1, random))
      for (const step of [1e-4, 1e-2, 1]) {
        const between = mu.map((share, c) => share + step * (other[c] - share))
        expect(value.value(between)).toBeGreaterThanOrEqual(objective - gap - 1e-13)
      }
    }
  })

  test('gap is at every step at least what the end shows', () => {
    const problem = randomProblem({conceptCount: 5, order: 3, seed: 6, lambda, divergence})
    const end = solved(problem)
    const point = new InteriorPoint(problem, new TripleCurvature(problem), insidePoint(problem))
    while (point.gap > GAP && point.step()) expect(point.gap).toBeGreaterThanOrEqual(point.objective - end.objective)
  })
})

test('TripleCurvature solves where hundreds of triples lie at the boundary', () => {
  const problem = randomProblem({conceptCount: 16, order: 3, seed: 2, lambda: 0, rateError: 0.5, sampleCount: 500})
  const {mu, curvature} = solved(problem)
  const start = problem.layout.start(3)
  expect(mu.subarray(start).filter(share => share < 1e-6).length).toBeGreaterThan(300)
  // It takes 413; without rows for the heavy triples 4848.
  expect(curvature.steps).toBeLessThan(1000)
})

function solved(problem: MomentProblem): InteriorPoint & {curvature: TripleCurvature} {
  const curvature = new TripleCurvature(problem)
  const point = new InteriorPoint(problem, curvature, insidePoint(problem))
  for (let step = 0; step < 80 && point.gap > GAP; step++) point.step()
  expect(point.gap).toBeLessThanOrEqual(GAP)
  return Object.assign(point, {curvature})
}

/** The moments of a distribution over all 2^m states, the first concept most significant. */
function momentsOf(layout: MomentLayout, weights: ArrayLike<number>): Float64Array {
  const mu = new Float64Array(layout.size)
  forEachTable(layout, (concepts, start) => {
    for (let y = 0; y < weights.length; y++) {
      const cell = concepts.reduce((at, i) => 2 * at + ((y >> (layout.conceptCount - 1 - i)) & 1), 0)
      mu[start + cell] += weights[y]
    }
  })
  return mu
}

/** Mirror descent over the weights of all states, with a step that grows and is halved when it fails. */
function slowTwin(problem: MomentProblem): number {
  const {layout} = problem
  const objective = new MomentObjective(problem)
  const states = 2 ** layout.conceptCount
  let weights = new Float64Array(states).fill(1 / states)
  let value = objective.value(momentsOf(layout, weights))
  for (let run = 0, rate = 0.1; run < 1500; run++) {
    const g = vertexSlopes(problem, momentsOf(layout, weights))
    const least = Math.min(...g)
    const moved = weights.map((share, y) => share * Math.exp(-rate * (g[y] - least)))
    const sum = moved.reduce((total, share) => total + share, 0)
    const next = moved.map(share => share / sum)
    const there = objective.value(momentsOf(layout, next))
    rate *= there <= value ? 1.2 : 0.5
    if (there > value) continue
    weights = next
    value = there
  }
  return value
}

/** How the objective changes towards every state. */
function vertexSlopes(problem: MomentProblem, mu: Float64Array): number[] {
  const {layout} = problem
  const gradient = new Float64Array(layout.size)
  new MomentObjective(problem).gradient(mu, gradient)
  return Array.from({length: 2 ** layout.conceptCount}, (_, y) => {
    const vertex = momentsOf(layout, new Float64Array(2 ** layout.conceptCount).fill(1, y, y + 1))
    return vertex.reduce((sum, share, c) => sum + share * gradient[c], 0)
  })
}

/** A lower bound of the sum of all tables, each solved alone. */
function simplexBound({layout, rates, observed, shrinkageWeights, divergence}: MomentProblem): number {
  let sum = 0
  forEachTable(layout, (concepts, start) => {
    const end = start + 2 ** concepts.length
    const solver = simplexSolver(
      concepts.map(i => rates[i]),
      divergence
    )
    const {objective, gap} = solver.solve(observed.subarray(start, end), shrinkageWeights.subarray(start, end), 1)
    sum += objective - gap
  })
  return sum
}

/** The most by which a table differs from the marginal of another that holds it. */
function inconsistency(layout: MomentLayout, mu: Float64Array): number {
  const tables = new Map<string, Float64Array>([['', Float64Array.of(1)]])
  let most = 0
  forEachTable(layout, (concepts, start) => {
    const table = mu.subarray(start, start + 2 ** concepts.length)
    tables.set(concepts.join(), table)
    concepts.forEach((_, at) => {
      const rest = tables.get(concepts.filter((_, other) => other !== at).join()) ?? []
      const half = 2 ** (concepts.length - 1 - at)
      rest.forEach((share, c) => {
        const cell = Math.floor(c / half) * 2 * half + (c % half)
        most = Math.max(most, Math.abs(table[cell] + table[cell + half] - share))
      })
    })
  })
  return most
}
