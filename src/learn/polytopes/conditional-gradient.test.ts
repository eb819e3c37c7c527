import {beforeAll, describe, expect, test} from 'vitest'
import {type GoldenName, goldenProblem} from '../../../test/golden-problems.ts'
import {independentMoments, type ProblemSpec, randomProblem} from '../../../test/problems.ts'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {MomentObjective, type MomentProblem} from '../moments/index.ts'
import {type ConditionalGradientResult, conditionalGradient} from './conditional-gradient.ts'
import type {MomentLayout} from './moment-layout.ts'
import {dot, zeroOneVertices} from './polytope.contract.ts'
import type {Polytope, PolytopeName} from './polytope.ts'
import {polytopeSimplex} from './polytope.ts'
import {polytopeCycle, polytopeLocal} from './polytope-local.ts'
import {polytopeMarginal} from './polytope-marginal.ts'
import {type SolveControl, type SolveProgress, type StopLimits, StopRule} from './stop-rule.ts'

const names: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']
/** What the golden optima are right to. */
const GOLDEN = 1e-7

let solver: LinearSolver
beforeAll(async () => {
  solver = await loadLinearSolver()
})

function polytopeNamed(name: PolytopeName, layout: MomentLayout): Polytope {
  if (name === 'simplex') return polytopeSimplex(layout)
  if (name === 'local') return polytopeLocal(layout, solver)
  return name === 'cycle' ? polytopeCycle(layout, solver) : polytopeMarginal(layout)
}

function solve(
  problem: MomentProblem,
  start: Float64Array,
  polytope: PolytopeName | Polytope,
  limits: Partial<StopLimits> = {},
  control: SolveControl = {}
): ConditionalGradientResult {
  const set = typeof polytope === 'string' ? polytopeNamed(polytope, problem.layout) : polytope
  const stop = new StopRule({gap: 1e-6, stepLimit: 1000, timeLimit: Number.POSITIVE_INFINITY, ...limits}, control)
  return conditionalGradient(new MomentObjective(problem), set, start, stop)
}

function randomCase(spec: Partial<ProblemSpec>) {
  const problem = randomProblem({conceptCount: 6, order: 2, seed: 1, lambda: 0.01, ...spec})
  const {layout, rates, observed} = problem
  const prevalence = rates.map(({truePositive: t, falsePositive: e}, i) =>
    Math.min(0.99, Math.max(0.01, (observed[2 * i + 1] - e) / (t - e)))
  )
  return {problem, start: independentMoments(layout, prevalence)}
}

describe.each<[GoldenName, 0 | 0.01, PolytopeName]>(
  (['m4', 'm8'] as const).flatMap(name =>
    ([0, 0.01] as const).flatMap(lambda =>
      names.map((polytope): [GoldenName, 0 | 0.01, PolytopeName] => [name, lambda, polytope])
    )
  )
)('conditionalGradient on %s, lambda %f, %s', (name, lambda, polytope) => {
  const {problem, start, optimum} = goldenProblem(name, lambda)

  test('conditionalGradient(...) reaches the golden optimum and certifies it', () => {
    const result = solve(problem, start, polytope, {gap: 1e-5})
    expect(result.status).toBe('optimal')
    expect(result.gap).toBeLessThanOrEqual(1e-5)
    expectCertified(result, optimum(polytope))
    expect(result.objective).toBe(new MomentObjective(problem).value(result.mu))
    expect(Math.min(...result.mu)).toBeGreaterThanOrEqual(0)
  })
})

describe('conditionalGradient', () => {
  test.each(names)(
    'conditionalGradient(...) corrected only when a vertex of the %s polytope comes again gets as near',
    name => {
      const {problem, start, optimum} = goldenProblem('m4', 0.01)
      const [every, seen] = (['every-step', 'seen'] as const).map(correction =>
        solve(problem, start, name, {gap: 1e-4, correction})
      )
      expect([every.status, seen.status]).toEqual(['optimal', 'optimal'])
      expectCertified(seen, optimum(name))
      // Without a correction after every step, more steps are needed.
      expect(seen.steps).toBeGreaterThan(every.steps)
    }
  )

  test('conditionalGradient(...) comes as near as it says, on every polytope', () => {
    const {problem, start, optimum} = goldenProblem('m4', 0.01)
    for (const polytope of names) {
      const result = solve(problem, start, polytope, {stepLimit: 300})
      expectCertified(result, optimum(polytope))
      expect(result.gap).toBeLessThan(0.02)
      expect(result.objective).toBe(new MomentObjective(problem).value(result.mu))
    }
  })

  test('conditionalGradient(...) says of how many atoms the point is mixed', () => {
    const {problem, start} = goldenProblem('m4', 0.01)
    const {atoms, steps} = solve(problem, start, 'marginal', {stepLimit: 20})
    expect(atoms).toBeGreaterThan(1)
    expect(atoms).toBeLessThanOrEqual(Math.min(17, steps + 1))
  })

  test('conditionalGradient(...) keeps its promises with weak anchors, wrong rates, and no shrinkage', () => {
    for (const spec of [
      {gain: 0.02, lambda: 0},
      {gain: 0.02, lambda: 0.01},
      {rateError: 0.5, lambda: 0},
      {rateError: 0.5}
    ]) {
      const {problem, start} = randomCase(spec)
      const best = solve(problem, start, 'marginal')
      expect(best.status).toBe('optimal')
      const result = solve(problem, start, 'marginal', {gap: 1e-3, stepLimit: 200})
      expectCertified(result, best.objective)
      expect(result.lowerBound).toBeLessThanOrEqual(best.objective + 1e-12)
      expect(best.lowerBound).toBeLessThanOrEqual(result.objective + 1e-12)
    }
  })

  test('conditionalGradient(...) recovers triples over simplex, local and marginal, in this order', () => {
    const {problem, start} = randomCase({conceptCount: 4, order: 3})
    const [simplex, local, marginal] = (['simplex', 'local', 'marginal'] as const).map(polytope =>
      solve(problem, start, polytope, {gap: 1e-4})
    )
    for (const {status} of [simplex, local, marginal]) expect(status).toBe('optimal')
    expect(simplex.lowerBound).toBeLessThanOrEqual(local.objective)
    expect(local.lowerBound).toBeLessThanOrEqual(marginal.objective)
  })

  test('conditionalGradient(...) by squared distance ends where the observations came from, if they are exact', () => {
    const {problem} = randomCase({conceptCount: 4, lambda: 0})
    const truth = independentMoments(problem.layout, [0.2, 0.3, 0.4, 0.1])
    const start = independentMoments(problem.layout, [0.5, 0.5, 0.5, 0.5])
    const rates = problem.rates.map(() => ({truePositive: 1, falsePositive: 0}))
    const exact: MomentProblem = {...problem, rates, observed: truth, divergence: 'l2'}
    const {mu, status} = solve(exact, start, 'marginal', {gap: 1e-10})
    expect(status).toBe('optimal')
    // The objective is the squared distance.
    mu.forEach((share, c) => {
      expect(Math.abs(share - truth[c])).toBeLessThan(1e-5)
    })
  })

  test('conditionalGradient(...) shows a gap that falls, and an objective that does too', () => {
    const {problem, start} = goldenProblem('m8', 0.01)
    const seen: SolveProgress[] = []
    const {steps: last} = solve(problem, start, 'local', {gap: 1e-8}, {onProgress: now => seen.push(now)})
    expect(last).toBeGreaterThan(5)
    expect(seen.map(({steps}) => steps)).toEqual(Array.from({length: last + 1}, (_, t) => t))
    for (let t = 1; t < seen.length; t++) {
      expect(seen[t].gap).toBeLessThanOrEqual(seen[t - 1].gap + 1e-15)
      expect(seen[t].objective).toBeLessThanOrEqual(seen[t - 1].objective + 1e-15)
    }
    expect(seen[last].gap).toBeLessThan(seen[0].gap / 10)
  })

  test('conditionalGradient(...) gets to the end with an oracle that is as lax as it may be', () => {
    const {problem, start, optimum} = goldenProblem('m4', 0.01)
    const polytope = polytopeMarginal(problem.layout)
    const vertices = zeroOneVertices(problem.layout)
    let excused = 0
    // Of all vertices within tolerance it gives the worst.
    const lax: Polytope = {
      ...polytope,
      minimize: (gradient, vertex, tolerance = 0) => {
        const {bound} = polytope.minimize(gradient, vertex)
        const worst = vertices
          .map(other => ({other, value: dot(gradient, other)}))
          .filter(({value}) => value <= bound + tolerance)
          .reduce((a, b) => (a.value > b.value ? a : b), {other: vertex.slice(), value: bound})
        if (worst.value > bound) excused++
        vertex.set(worst.other)
        return {value: worst.value, bound: bound - tolerance, exact: true}
      }
    }
    const result = solve(problem, start, lax, {gap: 1e-5, stepLimit: 3000})
    expect(result.status).toBe('optimal')
    expectCertified(result, optimum('marginal'))
    expect(excused).toBeGreaterThan(0)
  })

  test('conditionalGradient(...) gives a certified gap from the bound, and the hope of an inexact oracle apart', () => {
    const {problem, start, optimum} = goldenProblem('m4', 0.01)
    const polytope = polytopeMarginal(problem.layout)
    const doubting: Polytope = {
      ...polytope,
      minimize: (gradient, vertex) => {
        const {value, bound} = polytope.minimize(gradient, vertex)
        return {value, bound: bound - 0.5, exact: false}
      }
    }
    const result = solve(problem, start, doubting, {stepLimit: 50})
    expect(result.status).not.toBe('optimal')
    expect(result.gap).toBeGreaterThan(0.499)
    expect(result.heuristicGap).toBeLessThan(1e-3)
    expectCertified(result, optimum('marginal'))
    expect(solve(problem, start, 'marginal', {stepLimit: 50}).heuristicGap).toBeUndefined()
  })

  test('conditionalGradient(...) stops with step-limit after so many steps, with the gap it has', () => {
    const {problem, start, optimum} = goldenProblem('m4', 0.01)
    const none = solve(problem, start, 'local', {stepLimit: 0})
    expect(none).toMatchObject({status: 'step-limit', steps: 0, mu: start})
    expectCertified(none, optimum('local'))
    const some = solve(problem, start, 'local', {stepLimit: 3})
    expect(some).toMatchObject({status: 'step-limit', steps: 3})
    expect(some.gap).toBeLessThan(none.gap)
  })

  test('conditionalGradient(...) stops with time-limit when the clock says so', () => {
    const {problem, start, optimum} = goldenProblem('m4', 0.01)
    let seconds = 0
    const clock = () => seconds++
    const result = solve(problem, start, 'local', {gap: 0, timeLimit: 20, stepLimit: 1e6}, {clock})
    expect(result.status).toBe('time-limit')
    expectCertified(result, optimum('local'))
  })

  test('conditionalGradient(...) stops with cancelled when it is, with the best point so far and its true gap', () => {
    const {problem, start, optimum} = goldenProblem('m4', 0.01)
    const signal = {aborted: false}
    const onProgress = ({steps}: SolveProgress) => {
      signal.aborted = steps === 4
    }
    const result = solve(problem, start, 'local', {gap: 0}, {signal, onProgress})
    expect(result).toMatchObject({status: 'cancelled', steps: 4})
    expectCertified(result, optimum('local'))
  })

  test('conditionalGradient(...) stops with gap when rounding leaves no way down', () => {
    const {problem, start, optimum} = goldenProblem('m4', 0.01)
    const result = solve(problem, start, 'marginal', {gap: -1, stepLimit: 100_000})
    expect(result.status).toBe('gap')
    expect(result.gap).toBeGreaterThanOrEqual(0)
    expect(result.gap).toBeLessThan(1e-9)
    expectCertified(result, optimum('marginal'))
  })

  test('conditionalGradient(...) refuses to start where the objective is infinite', () => {
    const {problem} = goldenProblem('m4', 0.01)
    const vertex = independentMoments(problem.layout, [0, 1, 0, 0])
    expect(() => solve(problem, vertex, 'local')).toThrow('must start where the objective is finite, got Infinity')
  })

  test('conditionalGradient(...) leaves the start alone and does the same again', () => {
    const {problem, start} = goldenProblem('m4', 0.01)
    const copy = start.slice()
    const first = solve(problem, start, 'marginal', {stepLimit: 30})
    expect(start).toEqual(copy)
    expect(solve(problem, start, 'marginal', {stepLimit: 30})).toEqual(first)
  })
})

function expectCertified({objective, lowerBound, gap}: ConditionalGradientResult, optimum: number): void {
  expect(gap).toBe(objective - lowerBound)
  expect(optimum).toBeLessThanOrEqual(objective + GOLDEN)
  expect(optimum).toBeGreaterThanOrEqual(lowerBound - GOLDEN)
}
